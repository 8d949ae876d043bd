import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { formErrors } from '../api.ts'
import { FormError } from '../ui/FormError.tsx'
import { PasswordOrProvider, useProved } from './Proof.tsx'

interface PasswordStepProps {
  children: ReactNode
  label: string
  danger?: boolean
  error: Error | null
  loading: boolean
  /** With an empty password where the identity provider's word stands in for it. */
  onSubmit: (password: string) => void
  onClose: () => void
}

/** Makes sure that it is the person who is signed in. */
export const PasswordStep = ({ children, label, danger = false, error, loading, onSubmit, onClose }: PasswordStepProps) => {
  const [password, setPassword] = useState('')
  const isProved = useProved(password)
  const errors = error ? formErrors(error, ['password']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(password)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        <PasswordOrProvider value={password} onChange={setPassword} error={errors.fields.password} data-autofocus />
        <FormError message={errors.form} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" {...(danger && { color: 'red' })} loading={loading} disabled={!isProved}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
