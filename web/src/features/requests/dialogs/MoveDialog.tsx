import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { folderOptions, useSaved } from '../tree/tree.ts'

interface MoveDialogProps {
  title: string
  /** Current folder; null is the top level. */
  folderId: string | null
  /** The folder to move: excluded from the options, with its subfolders. */
  without?: string
  onClose: () => void
  onMove: (folderId: string | null) => void
  isSending: boolean
  error: Error | null
}

/** Moves to the end of another folder. */
export const MoveDialog = ({ title, folderId, without, onClose, onMove, isSending, error }: MoveDialogProps) => {
  const folders = useQuery(useSaved().folders)
  const [chosen, setChosen] = useState(folderId ?? '')
  return (
    <Dialog opened onClose={onClose} title={title} size="sm">
      <DialogForm
        submitLabel="Move"
        onSubmit={() => onMove(chosen || null)}
        onCancel={onClose}
        loading={isSending}
        disabled={chosen === (folderId ?? '')}
        error={error ? messageOf(error) : undefined}
      >
        <QueryView query={folders}>
          {(all) => (
            <Choice
              label="Folder"
              data={[{ value: '', label: 'At the top' }, ...folderOptions(all, without)]}
              value={chosen}
              data-autofocus
              onChange={(chosen) => setChosen(chosen)}
            />
          )}
        </QueryView>
      </DialogForm>
    </Dialog>
  )
}
