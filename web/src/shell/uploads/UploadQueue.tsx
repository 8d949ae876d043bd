import { ActionIcon, Button, Progress, Text } from '@mantine/core'
import { IconX } from '../../ui/page-icons.tsx'
import { formatBytes } from '../../ui/values/format-bytes.ts'
import classes from './uploads.module.css'
import { type Upload, useUploads } from './uploads.tsx'

/** Uploads to a destination: progress, and refused files with the reason. */
export const UploadQueue = ({ holder }: { holder: string }) => {
  const { uploads: all, remove, retry } = useUploads()
  const uploads = all.filter(({ destination }) => destination.holder === holder)
  if (uploads.length === 0) return null
  return (
    <ul className={classes.queue} aria-label="Uploads">
      {uploads.map((upload) => (
        <li key={upload.id}>
          <span className={classes.name}>{upload.name}</span>
          <Progress
            className={classes.progress}
            value={(100 * upload.sent) / Math.max(1, upload.size)}
            aria-label={`Upload of ${upload.name}`}
          />
          <Text size="xs" c="dimmed" component="span" role="status" className={classes.state}>
            {describe(upload)}
          </Text>
          {upload.state === 'failed' && (
            <Button variant="default" size="compact-xs" onClick={() => retry(upload.id)}>
              Try again
            </Button>
          )}
          <ActionIcon
            size="sm"
            aria-label={upload.state === 'sending' ? `Stop ${upload.name}` : `Remove ${upload.name} from the list`}
            onClick={() => remove(upload.id)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

const describe = ({ state, sent, size, reason }: Upload): string => {
  if (state === 'waiting') return 'Waiting'
  if (state === 'done') return 'Uploaded'
  if (state === 'failed') return reason ?? 'Failed'
  return `${formatBytes(sent)} of ${formatBytes(size)}`
}
