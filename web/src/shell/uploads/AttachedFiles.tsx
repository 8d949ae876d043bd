import { ActionIcon, Anchor, Button, FileButton, Group, Text, Title } from '@mantine/core'
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { IconTrash, IconUpload } from '../../ui/page-icons.tsx'
import { formatBytes } from '../../ui/values/format-bytes.ts'
import { useOrganization } from '../context/organization.tsx'
import { QueryView } from '../reads/QueryView.tsx'
import { type AttachedFile, isPicture } from './attached-file.ts'
import { useDroppedFiles, usePastedFiles, zoneAround } from './dropped-files.ts'
import { Pictures } from './Pictures.tsx'
import { UploadQueue } from './UploadQueue.tsx'
import classes from './uploads.module.css'
import { type Destination, useUploads } from './uploads.tsx'

interface AttachedFilesProps {
  title: string
  files: UseQueryResult<{ data: AttachedFile[] }>
  destination: Destination
  addressOf: (fileId: string) => string
  /** Deletes a file. @throws what `call` throws */
  remove: (fileId: string) => Promise<unknown>
  isReadOnly: boolean
  /** Without files, it has no heading: only the button that adds some. */
  isQuiet?: boolean
  /**
   * Shows the files in its own way, instead of thumbnails and links. @param onDelete asks before it deletes; absent for
   * a reader
   */
  list?: (files: readonly AttachedFile[], onDelete: ((file: AttachedFile) => void) | undefined) => ReactNode
}

/** The files of an object: download, add and delete. */
export const AttachedFiles = ({
  title,
  files,
  destination,
  addressOf,
  remove,
  isReadOnly,
  isQuiet = false,
  list,
}: AttachedFilesProps) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const { add } = useUploads()
  const section = useRef<HTMLElement>(null)
  const attach = (chosen: File[]) => add(chosen, destination)
  const isOver = useDroppedFiles(isReadOnly ? undefined : zoneAround(section), attach)
  usePastedFiles(!isReadOnly, attach)
  const [deleting, setDeleting] = useState<AttachedFile>()
  const close = () => setDeleting(undefined)
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: close,
    onSettled: () =>
      Promise.all(
        destination.invalidates.map((name) => cache.invalidateQueries({ queryKey: [organization.id, name] })),
      ),
  })
  const isHidden = isQuiet && (files.data?.data.length ?? 0) === 0
  return (
    <section ref={section} aria-label={title} className={classes.attachments} data-over={isOver || undefined}>
      <Group justify="space-between" mb={isHidden ? 0 : 6}>
        {!isHidden && (
          <Title order={3} size="h5">
            {title}
          </Title>
        )}
        {!isReadOnly && (
          <FileButton multiple onChange={attach}>
            {(props) => (
              <Button {...props} variant="subtle" size="compact-sm" leftSection={<IconUpload size={14} aria-hidden />}>
                Add files
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <UploadQueue holder={destination.holder} />
      <QueryView query={files} skeleton={isQuiet ? null : <ListSkeleton rows={1} height={24} />}>
        {({ data }) =>
          isHidden ? null : data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {isReadOnly ? 'No files.' : 'No files. Drop some here, or paste a picture.'}
            </Text>
          ) : list ? (
            list(data, isReadOnly ? undefined : setDeleting)
          ) : (
            <>
              <Pictures
                pictures={data.filter(isPicture)}
                addressOf={addressOf}
                {...(!isReadOnly && { onDelete: setDeleting })}
              />
              <ul className={classes.attached}>
                {data
                  .filter((file) => !isPicture(file))
                  .map((file) => (
                    <li key={file.id}>
                      <Anchor href={addressOf(file.id)} download={file.fileName} inherit>
                        {file.fileName}
                      </Anchor>
                      <Text size="xs" c="dimmed" component="span">
                        {formatBytes(file.size)}
                      </Text>
                      {!isReadOnly && (
                        <ActionIcon size="sm" aria-label={`Delete ${file.fileName}`} onClick={() => setDeleting(file)}>
                          <IconTrash size={14} aria-hidden />
                        </ActionIcon>
                      )}
                    </li>
                  ))}
              </ul>
            </>
          )
        }
      </QueryView>
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={close}
        onConfirm={() => deleting && removal.mutate(deleting.id)}
        title={`Delete ${deleting?.fileName ?? 'the file'}?`}
        confirmLabel="Delete file"
        loading={removal.isPending}
        error={removal.error ? messageOf(removal.error) : undefined}
      >
        It is deleted for everyone. This can't be undone.
      </ConfirmDialog>
    </section>
  )
}
