import { ActionIcon, Anchor, Button, FileButton, Group, Text, Title } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, linkTo, messageOf, query, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { QueryView } from '../../shell/QueryView.tsx'
import { UploadQueue } from '../../shell/uploads/UploadQueue.tsx'
import { type Destination, useUploads } from '../../shell/uploads/uploads.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import classes from './results.module.css'

type StoredFile = Output<'listResultFiles'>['data'][number]

const SHOWN = 100

/** Screenshots, captures and output that prove a result. */
export const Evidence = ({ resultId, isReadOnly }: { resultId: string; isReadOnly: boolean }) => {
  const organization = useOrganization()
  const { add } = useUploads()
  const [deleting, setDeleting] = useState<StoredFile>()
  const params = { resultId }
  const read = useQuery(query(organization.id, 'listResultFiles', { params, query: { perPage: SHOWN } }))
  const destination: Destination = {
    holder: resultId,
    addressOf: (fileName) => addressOfCall('uploadResultFile', { params, query: { fileName } }),
    invalidates: ['listResultFiles', 'getResult'],
  }
  return (
    <section aria-label="Evidence">
      <Group justify="space-between" mb={6}>
        <Title order={3} size="h5">
          Evidence
        </Title>
        {!isReadOnly && (
          <FileButton multiple onChange={(files) => add(files, destination)}>
            {(props) => (
              <Button {...props} variant="subtle" size="compact-sm" leftSection={<IconUpload size={14} aria-hidden />}>
                Add files
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <UploadQueue holder={resultId} />
      <QueryView query={read} skeleton={<ListSkeleton rows={1} height={24} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              No files.
            </Text>
          ) : (
            <ul className={classes.list}>
              {data.map((file) => (
                <li key={file.id} className={classes.file}>
                  <Anchor href={linkTo(organization.id, 'downloadResultFile', { params: { resultId, fileId: file.id } })} download={file.fileName} inherit>
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
          )
        }
      </QueryView>
      <DeleteFileDialog resultId={resultId} file={deleting} onClose={() => setDeleting(undefined)} />
    </section>
  )
}

const DeleteFileDialog = ({ resultId, file, onClose }: { resultId: string; file: StoredFile | undefined; onClose: () => void }) => {
  const organization = useOrganization()
  const remove = useCommand(organization.id, 'deleteResultFile', {
    invalidates: [
      [organization.id, 'listResultFiles'],
      [organization.id, 'getResult'],
    ],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      opened={file !== undefined}
      onClose={onClose}
      onConfirm={() => file && remove.mutate({ params: { resultId, fileId: file.id } })}
      title={`Delete ${file?.fileName ?? 'the file'}?`}
      confirmLabel="Delete file"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      It is gone for everybody, and cannot be brought back.
    </ConfirmDialog>
  )
}
