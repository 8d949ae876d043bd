import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from './Dialog.tsx'
import { FormError } from './FormError.tsx'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) onConfirm()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
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
        <FormError message={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" {...(danger && { color: 'red' })} disabled={!ready} loading={loading}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
