import { Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { DialogForm } from './DialogForm.tsx'

interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** Full consequence of the action. */
  children: ReactNode
  confirmLabel: string
  /** Text that the user must type to enable the button. */
  typeToConfirm?: string
  danger?: boolean
  loading?: boolean
  error?: string | undefined
}

/** Confirms an action that cannot easily be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
    <ConfirmForm {...props} />
  </Dialog>
)

const ConfirmForm = ({
  onClose,
  onConfirm,
  children,
  confirmLabel,
  typeToConfirm,
  danger = true,
  loading = false,
  error,
}: ConfirmDialogProps) => {
  const [typed, setTyped] = useState('')
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm
  return (
    <DialogForm
      submitLabel={confirmLabel}
      onSubmit={onConfirm}
      onCancel={onClose}
      error={error}
      disabled={!ready}
      loading={loading}
      danger={danger}
    >
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
