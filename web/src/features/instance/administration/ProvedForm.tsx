import { Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formErrors } from '../../../api/api.ts'
import { given, PasswordOrProvider, useProved } from '../../../shell/proof/Proof.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'

interface ProvedFormProps {
  /** Consequence of the action. */
  children: ReactNode
  submitLabel: string
  danger?: boolean
  /** The field above the password. */
  field: { name: string; label: ReactNode; description?: string; type?: 'email' }
  /** Text that must be typed into the field; any text is accepted without it. */
  expected?: string
  error: Error | null
  loading: boolean
  onSubmit: (typed: string, proof: { password?: string }) => void
  onClose: () => void
}

/** A dialog of an instance administrator: one text, and the proof that it is the administrator who acts. */
export const ProvedForm = (props: ProvedFormProps) => {
  const { children, submitLabel, danger = false, field, expected, error, loading, onSubmit, onClose } = props
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const isProved = useProved(password)
  const text = typed.trim()
  const errors = error ? formErrors(error, [field.name, 'password']) : { fields: {} as Record<string, string> }
  return (
    <DialogForm
      submitLabel={submitLabel}
      onSubmit={() => onSubmit(text, given(password))}
      onCancel={onClose}
      error={errors.form}
      loading={loading}
      disabled={!isProved || (expected === undefined ? text === '' : text !== expected)}
      danger={danger}
    >
      <Stack gap="xs">{children}</Stack>
      <TextInput
        label={field.label}
        description={field.description}
        type={field.type ?? 'text'}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={errors.fields[field.name]}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <PasswordOrProvider value={password} onChange={setPassword} error={errors.fields.password} />
    </DialogForm>
  )
}
