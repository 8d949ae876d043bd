import { ActionIcon, Anchor, Text } from '@mantine/core'
import { linkTo } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import type { AttachedFile } from '../../../../shell/uploads/attached-file.ts'
import { IconLock } from '../../../../ui/icons.tsx'
import { IconTrash } from '../../../../ui/page-icons.tsx'
import { formatBytes } from '../../../../ui/values/format-bytes.ts'
import classes from './evidence.module.css'

interface SealedOriginalsProps {
  findingId: string
  files: readonly AttachedFile[]
  /** Absent for a reader. */
  onDelete?: (file: AttachedFile) => void
}

/** The originals of redacted pictures, which only the team sees. */
export const SealedOriginals = ({ findingId, files, onDelete }: SealedOriginalsProps) => {
  const { id } = useOrganization()
  if (files.length === 0) return null
  return (
    <details className={classes.sealed}>
      <summary>
        <IconLock size={14} aria-hidden /> Sealed originals ({files.length})
      </summary>
      <Text size="xs" c="dimmed" mb={4}>
        Texts and reports show the edited pictures. Delete an original that is not needed any more.
      </Text>
      <ul aria-label="Sealed originals">
        {files.map((file) => {
          const address = linkTo(id, 'downloadFindingFile', {
            params: { findingId, fileId: file.id },
            query: { original: true },
          })
          return (
            <li key={file.id}>
              <Anchor href={address} target="_blank" rel="noopener" size="xs">
                {file.fileName}
              </Anchor>
              <Text size="xs" c="dimmed" component="span">
                {formatBytes(file.size)}
              </Text>
              {onDelete && (
                <ActionIcon
                  size="sm"
                  aria-label={`Delete the original of ${file.fileName}`}
                  onClick={() => onDelete(file)}
                >
                  <IconTrash size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
