import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { staleAfterTargets } from '../stale.ts'
import { countOfTargets, inParts, type Selected } from './selected.ts'

interface DeleteTargetsDialogProps {
  selection: Selected
  title: string
  onClose: () => void
  onDeleted: () => void
}

/** Confirms before targets are deleted for good. */
export const DeleteTargetsDialog = ({ selection, title, onClose, onDeleted }: DeleteTargetsDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'deleteTargets', staleAfterTargets(organization.id))
  const remove = useMutation({
    mutationFn: () => inParts(selection, async (part) => (await send({ body: part })).data.deleted),
    onSuccess: (deleted) => {
      toast(deleted === 1 ? '1 target deleted.' : `${countOfTargets(deleted)} deleted.`)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title={title}
      confirmLabel={selection.ids?.length === 1 ? 'Delete target' : 'Delete targets'}
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Deletes them with tags and notes, for everyone. This can't be undone. Results and child targets are kept.
    </ConfirmDialog>
  )
}
