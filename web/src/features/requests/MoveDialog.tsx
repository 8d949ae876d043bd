import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api.ts'
import { QueryView } from '../../shell/QueryView.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { folderOptions, useSaved } from './tree.ts'

interface MoveDialogProps {
  title: string
  /** Where it lies; null is the top. */
  folderId: string | null
  /** The folder that is moved: it does not go into itself. */
  without?: string
  onClose: () => void
  onMove: (folderId: string | null) => void
  isSending: boolean
  error: Error | null
}

/** Another folder, where it stands last. */
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
            <NativeSelect
              label="Folder"
              data={[{ value: '', label: 'At the top' }, ...folderOptions(all, without)]}
              value={chosen}
              data-autofocus
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
        </QueryView>
      </DialogForm>
    </Dialog>
  )
}
