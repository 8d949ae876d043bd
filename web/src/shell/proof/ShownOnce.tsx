import { Alert, Button, Group, Stack } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { CopyButton } from '../../ui/values/CopyButton.tsx'
import { SecretValue } from '../../ui/values/SecretValue.tsx'
import { HeldDialog, useHold } from './HeldDialog.tsx'

interface ShownOnceDialogProps<Made> {
  opened: boolean
  onClose: () => void
  /** What was made: `key`, `secret`. */
  noun: string
  /** While it asks. */
  title: string
  /** Shown if the user tries to leave before the value is stored. */
  reminder: string
  size?: ComponentProps<typeof HeldDialog>['size']
  /** Asks for what is needed, and makes it. */
  ask: (onMade: (made: Made) => void) => ReactNode
  /** Shows what was made: a `ShownOnce`. */
  show: (made: Made, onClose: () => void) => ReactNode
}

/** Asks, then shows a value once. The value exists only in this dialog's state and is dropped on close. */
export const ShownOnceDialog = <Made,>({
  opened,
  onClose,
  noun,
  title,
  reminder,
  size = 'lg',
  ask,
  show,
}: ShownOnceDialogProps<Made>) => {
  const [made, setMade] = useState<Made>()
  const close = () => {
    setMade(undefined)
    onClose()
  }
  return (
    <HeldDialog
      opened={opened}
      onClose={close}
      title={made ? `Copy the ${noun} now` : title}
      size={size}
      reminder={reminder}
    >
      {made ? show(made, close) : ask(setMade)}
    </HeldDialog>
  )
}

interface ShownOnceProps {
  value: string
  label: string
  noun: string
  onClose: () => void
  /** What the value is for, and that it is not shown again. */
  children: ReactNode
}

/** A value that is shown once; the dialog stays until the user has stored it. */
export const ShownOnce = ({ value, label, noun, onClose, children }: ShownOnceProps) => {
  useHold()
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">
        {children}
      </Alert>
      <SecretValue value={value} label={label} />
      <Group justify="flex-end" gap="xs">
        <CopyButton value={value} label={`Copy ${noun}`} />
        <Button onClick={onClose} data-autofocus>
          I have stored it
        </Button>
      </Group>
    </Stack>
  )
}
