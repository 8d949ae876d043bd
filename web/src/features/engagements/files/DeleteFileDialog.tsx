import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import type { StoredFile } from './stored-file.ts'

interface DeleteFileDialogProps {
  file: StoredFile | undefined
  onClose: () => void
  onDeleted: () => void
}

/** Confirms before a file is deleted for good. */
export const DeleteFileDialog = ({ file, onClose, onDeleted }: DeleteFileDialogProps) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const remove = useApiMutation(organization.id, 'deleteFile', {
    invalidates: [
      [organization.id, 'listFiles'],
      [organization.id, 'listEngagementActivity'],
    ],
    onSuccess: onDeleted,
  })
  return (
    <ConfirmDialog
      opened={file !== undefined}
      onClose={onClose}
      onConfirm={() => file && remove.mutate({ params: { engagementId: engagement.id, fileId: file.id } })}
      title={`Delete ${file?.fileName ?? 'the file'}?`}
      confirmLabel="Delete file"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      It is deleted for everyone. This can't be undone.
    </ConfirmDialog>
  )
}
