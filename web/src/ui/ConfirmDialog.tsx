import { Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { DialogForm } from './DialogForm.tsx'

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** What will happen, in full. */
  children: ReactNode
  confirmLabel: string
  /** Has to be typed before the button works. */
  typeToConfirm?: string
  danger?: boolean
  loading?: boolean
  error?: string | undefined
}

/** Asks before something that cannot simply be taken back. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
    <ConfirmForm {...props} />
  </Dialog>
)

const ConfirmForm = ({ onClose, onConfirm, children, confirmLabel, typeToConfirm, danger = true, loading = false, error }: ConfirmDialogProps) => {
  const [typed, setTyped] = useState('')
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm
  return (
    <DialogForm submitLabel={confirmLabel} onSubmit={onConfirm} onCancel={onClose} error={error} disabled={!ready} loading={loading} danger={danger}>
      <Text size="sm" component="div">
        {children}
      </Text>
      {typeToConfirm !== undefined && (
        <TextInput
          label={
            <>
              Type <b>{typeToConfirm}</b> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}
