import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { FormElement } from '../../ui/fields/FormElement.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import type { SignedIn } from './signed-in.ts'

const FEW_RECOVERY_CODES = 3
/** Of the app's code; recovery codes are longer. */
const CODE_LENGTH = 6

/** Second step of sign-in: a code of the authenticator app, or a recovery code. */
export const CodeForm = ({
  usesRecoveryCode,
  onSignedIn,
}: {
  usesRecoveryCode: boolean
  onSignedIn: (user: SignedIn) => void
}) => {
  const [code, setCode] = useState('')
  const confirm = useApiMutation(null, 'signInWithSecondFactor', {
    onSuccess: ({ data }) => {
      if (usesRecoveryCode && data.recoveryCodesLeft <= FEW_RECOVERY_CODES) {
        toastError(
          `${data.recoveryCodesLeft} recovery codes are left. Create new ones under Account, Two-factor authentication.`,
        )
      }
      onSignedIn(data.user)
    },
    onError: () => setCode(''),
  })
  const isShort = code.trim().length < CODE_LENGTH
  const barred = isShort && (code.trim() === '' || `The code has at least ${CODE_LENGTH} characters.`)
  return (
    <FormElement
      onSubmit={() => confirm.mutate({ body: { code: code.trim() } })}
      loading={confirm.isPending}
      barred={barred}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {usesRecoveryCode
            ? 'Enter one of your recovery codes. Each works once.'
            : 'Enter the 6-digit code from your authenticator app.'}
        </Text>
        <TextInput
          label={usesRecoveryCode ? 'Recovery code' : 'Code'}
          name="code"
          autoComplete="one-time-code"
          inputMode={usesRecoveryCode ? 'text' : 'numeric'}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          data-autofocus
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one field
          autoFocus
        />
        <FormError message={confirm.error ? messageOf(confirm.error) : undefined} />
        <Button type="submit" size="sm" loading={confirm.isPending} aria-disabled={barred !== false || undefined}>
          Continue
        </Button>
      </Stack>
    </FormElement>
  )
}
