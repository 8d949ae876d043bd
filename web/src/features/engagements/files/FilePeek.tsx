import { Button, Group, Stack, Title } from '@mantine/core'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { Properties } from '../../../ui/Properties.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { DownloadLink } from './DownloadLink.tsx'
import classes from './files.module.css'
import type { StoredFile } from './FilesPage.tsx'

/** Everything about a file. @param onDelete for whoever may delete it */
export const FilePeek = ({ file, onDelete }: { file: StoredFile; onDelete?: () => void }) => (
  <Stack gap="md">
    <Title order={2} pr="xl" className={classes.title}>
      {file.fileName}
    </Title>
    <Properties
      items={[
        ['Size', `${formatBytes(file.size)} (${file.size.toLocaleString('en')} bytes)`],
        ['Type', file.mediaType],
        ['SHA-256', <code key="hash">{file.sha256}</code>],
        ['Uploaded by', file.createdBy?.name ?? 'An API key'],
        ['Uploaded', <TimeAgo key="time" iso={file.createdAt} />],
        ['Id', <code key="id">{file.id}</code>],
      ]}
    />
    <Group gap="md">
      <DownloadLink file={file}>Download</DownloadLink>
      {onDelete && (
        <Button variant="default" onClick={onDelete}>
          Delete
        </Button>
      )}
    </Group>
  </Stack>
)
