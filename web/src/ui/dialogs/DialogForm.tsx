import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { FormElement } from '../fields/FormElement.tsx'
import { FormError } from '../fields/FormError.tsx'

export interface DialogFormProps {
  children: ReactNode
  submitLabel: string
  onSubmit: () => void
  onCancel: () => void
  /** Error that belongs to no field. */
  error?: string | undefined
  loading?: boolean
  disabled?: boolean | string
  danger?: boolean
  /** Second button, before the submit button. */
  alternative?: ReactNode
  formRef?: RefObject<HTMLFormElement | null>
}

/** Dialog form: fields, error message, and buttons in a fixed order. */
export const DialogForm = ({
  children,
  submitLabel,
  onSubmit,
  onCancel,
  error,
  loading = false,
  disabled = false,
  danger = false,
  alternative,
  formRef,
}: DialogFormProps) => (
  <FormElement onSubmit={onSubmit} loading={loading} barred={disabled} {...(formRef && { formRef })}>
    <Stack gap="md">
      {children}
      <FormError message={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel} disabled={loading}>
          Cancel
        </Button>
        {alternative}
        <Button
          type="submit"
          {...(danger && { color: 'red' })}
          loading={loading}
          aria-disabled={disabled !== false || undefined}
        >
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  </FormElement>
)
