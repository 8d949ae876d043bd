import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'

interface RenameDialogProps {
  title: string
  name: string
  onClose: () => void
  onRename: (name: string) => void
  isSending: boolean
  error: Error | null
}

/** Renames an object. */
export const RenameDialog = ({ title, name: current, onClose, onRename, isSending, error }: RenameDialogProps) => {
  const [name, setName] = useState(current)
  return (
    <Dialog opened onClose={onClose} title={title} size="sm">
      <DialogForm
        submitLabel="Rename"
        onSubmit={() => onRename(name)}
        onCancel={onClose}
        loading={isSending}
        disabled={name.trim() === ''}
        error={error ? messageOf(error) : undefined}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={200}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
