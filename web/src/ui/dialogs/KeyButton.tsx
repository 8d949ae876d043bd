import { Button, type ButtonProps, Kbd } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

interface KeyButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string
  /** The key that does the same. */
  hint: string
}

/** A button of a selection, with its key. */
export const KeyButton = ({ label, hint, ...props }: KeyButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    rightSection={
      <Kbd size="xs" aria-hidden>
        {hint}
      </Kbd>
    }
    {...props}
  >
    {label}
  </Button>
)
