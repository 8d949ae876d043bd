import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/api.ts'
import { FormError } from '../../ui/fields/FormError.tsx'
import { answerWithPasskey, passkeyMessageOf } from '../proof/passkeys.ts'
import type { SignedIn } from './signed-in.ts'

/** Second step of sign-in with a passkey. Browsers require a click before the prompt. */
export const PasskeyForm = ({ onSignedIn }: { onSignedIn: (user: SignedIn) => void }) => {
  const signIn = useMutation({
    mutationFn: async () => {
      const { data: question } = await call(null, 'startPasskeySignIn', undefined, { retries: 0 })
      const passkey = await answerWithPasskey(question)
      return call(null, 'signInWithPasskey', { body: { passkey } }, { retries: 0 })
    },
    onSuccess: ({ data }) => onSignedIn(data.user),
  })
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Have your security key, phone or fingerprint ready. The browser asks for it.
      </Text>
      <FormError message={signIn.error ? passkeyMessageOf(signIn.error) : undefined} />
      <Button
        size="sm"
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one button
        autoFocus
      >
        Continue with a passkey
      </Button>
    </Stack>
  )
}
