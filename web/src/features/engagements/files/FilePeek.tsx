import { Button, Group, Stack, Title } from '@mantine/core'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { DownloadLink } from './DownloadLink.tsx'
import classes from './files.module.css'
import type { StoredFile } from './stored-file.ts'

/** Details of a file. @param onDelete only for users who may delete it */
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
        ['Uploaded by', file.createdBy ? <Person key="by" name={file.createdBy.name} /> : 'An API key'],
        ['Uploaded', <TimeAgo key="time" iso={file.createdAt} />],
        ['Id', <CopyId key="id" id={file.id} />],
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
