import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/api.ts'
import { inParts, sumOf } from '../../../api/in-parts.ts'
import { useSend } from '../../../api/use-send.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRestore } from '../../../shell/undo/use-undo.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { staleAfterTargets } from '../stale.ts'
import { countOfTargets, type Selected } from './selected.ts'

interface DeleteTargetsDialogProps {
  selection: Selected
  title: string
  onClose: () => void
  onDeleted: () => void
}

/** Confirms before targets are deleted. */
export const DeleteTargetsDialog = ({ selection, title, onClose, onDeleted }: DeleteTargetsDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'bulkDeleteTargets', staleAfterTargets(organization.id))
  const offerRestore = useRestore('restoreTargets', staleAfterTargets(organization.id))
  const remove = useMutation({
    mutationFn: () => inParts(selection, async (part) => (await send({ body: { ...part, withUndo: true } })).data),
    onSuccess: (answers) => {
      const ids = answers.flatMap((answer) => answer.ids ?? [])
      offerRestore(`${countOfTargets(sumOf(answers, ({ deleted }) => deleted))} deleted.`, ids)
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
      Deletes them with tags and notes, for everyone. You can undo this. Results and child targets are kept.
    </ConfirmDialog>
  )
}
