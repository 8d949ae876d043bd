import { Button, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, formErrors } from '../../api/api.ts'
import { DialogForm } from '../../ui/dialogs/DialogForm.tsx'
import { useAccount } from '../context/session.tsx'
import { answerWithPasskey, type PasskeyAnswer, passkeyMessageOf, supportsPasskeys } from './passkeys.ts'
import { given, PasswordOrProvider, useProved } from './Proof.tsx'

export interface Proof {
  password?: string
  code?: string
  passkey?: PasskeyAnswer
}

interface ProofFormProps {
  /** Consequence of the action. */
  children: ReactNode
  label: string
  danger?: boolean
  /** Error of the action that the proof is for. */
  error: Error | null
  loading: boolean
  onSubmit: (proof: Proof) => void
  onClose: () => void
}

/** Verifies the signed-in user again: by password or identity provider, plus the second factor if one is enabled. */
export const ProofForm = ({ children, label, danger = false, error, loading, onSubmit, onClose }: ProofFormProps) => {
  const { secondFactor } = useAccount()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const ask = useMutation({
    mutationFn: async () => answerWithPasskey((await call(null, 'startPasskeyProof', undefined, { retries: 0 })).data),
    onSuccess: (passkey) => onSubmit({ ...given(password), passkey }),
  })
  const takesPasskey = secondFactor.passkeys > 0 && supportsPasskeys()
  const errors = error ? formErrors(error, ['password', 'code']) : { fields: {} }
  const isProved = useProved(password)
  const mayUseCode = isProved && (!secondFactor.enabled || code.trim().length >= 6)
  const submit = () => {
    ask.reset()
    onSubmit(secondFactor.enabled ? { ...given(password), code: code.trim() } : given(password))
  }
  return (
    <DialogForm
      submitLabel={label}
      onSubmit={submit}
      onCancel={onClose}
      error={ask.error ? passkeyMessageOf(ask.error) : errors.form}
      loading={loading}
      disabled={!mayUseCode}
      danger={danger}
      alternative={
        takesPasskey && (
          <Button variant="default" loading={ask.isPending} disabled={!isProved} onClick={() => ask.mutate()}>
            Use a passkey
          </Button>
        )
      }
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <PasswordOrProvider value={password} onChange={setPassword} error={errors.fields.password} data-autofocus />
      {secondFactor.enabled && (
        <TextInput
          label={secondFactor.appEnabledAt ? 'Code' : 'Recovery code'}
          description={`${secondFactor.appEnabledAt ? 'From the app, or a recovery code.' : 'One of your recovery codes.'}${takesPasskey ? ' Not needed with a passkey.' : ''}`}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={errors.fields.code}
        />
      )}
    </DialogForm>
  )
}
