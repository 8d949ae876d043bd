import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formErrors } from '../../api/api.ts'
import { DialogForm } from '../../ui/dialogs/DialogForm.tsx'
import { PasswordOrProvider, useProved } from './Proof.tsx'

interface PasswordStepProps {
  children: ReactNode
  label: string
  danger?: boolean
  error: Error | null
  loading: boolean
  /** Receives an empty password if the identity provider replaces it. */
  onSubmit: (password: string) => void
  onClose: () => void
}

/** Verifies the signed-in user again. */
export const PasswordStep = ({
  children,
  label,
  danger = false,
  error,
  loading,
  onSubmit,
  onClose,
}: PasswordStepProps) => {
  const [password, setPassword] = useState('')
  const isProved = useProved(password)
  const errors = error ? formErrors(error, ['password']) : { fields: {} }
  return (
    <DialogForm
      submitLabel={label}
      onSubmit={() => onSubmit(password)}
      onCancel={onClose}
      error={errors.form}
      loading={loading}
      disabled={!isProved}
      danger={danger}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <PasswordOrProvider value={password} onChange={setPassword} error={errors.fields.password} data-autofocus />
    </DialogForm>
  )
}
