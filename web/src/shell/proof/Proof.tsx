import { Button, PasswordInput, type PasswordInputProps, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { safeReturn } from '../../paths.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { FormError } from '../../ui/fields/FormError.tsx'
import { identityQuery } from '../context/session.tsx'
import { useSignInMode } from '../sign-in/mode.ts'

type Confirmation = { by: 'password' } | { by: 'provider'; provider: string; isDone: boolean } | { by: 'unknown' }

/** Method by which this session proves the user before a sensitive action that a stolen session must not perform. */
const useConfirmation = (): Confirmation => {
  const { provider } = useSignInMode()
  const identity = useQuery({ ...identityQuery(), enabled: provider !== 'local' })
  if (provider === 'local') return { by: 'password' }
  if (!identity.data) return { by: 'unknown' }
  const { confirmsBy, providerName, confirmedUntil } = identity.data.data
  if (confirmsBy === 'password') return { by: 'password' }
  return {
    by: 'provider',
    provider: providerName ?? 'the identity provider',
    isDone: confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now(),
  }
}

/** True if `PasswordOrProvider` has its proof: a password, or a recent sign-in at the provider. */
export const useProved = (password: string): boolean => {
  const confirmation = useConfirmation()
  return confirmation.by === 'provider' ? confirmation.isDone : password !== ''
}

/** Password parameter of a request: omitted if the identity provider replaces it. */
export const given = (password: string): { password?: string } => (password === '' ? {} : { password })

type PasswordOrProviderProps = Omit<PasswordInputProps, 'onChange'> & { onChange: (password: string) => void }

/** Asks for the password, or for another sign-in at the identity provider if the session came from it. */
export const PasswordOrProvider = ({ onChange, ...field }: PasswordOrProviderProps) => {
  const confirmation = useConfirmation()
  const confirm = useApiMutation(null, 'startConfirming', { onSuccess: ({ data }) => redirectAway(data.url) })
  if (confirmation.by === 'unknown') return <ListSkeleton rows={1} />
  if (confirmation.by === 'password') {
    return (
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...field}
      />
    )
  }
  if (confirmation.isDone)
    return <Text size="sm">You signed in with {confirmation.provider} recently, so no password is needed.</Text>
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        To confirm that it is you, sign in with {confirmation.provider} once more. You come back to this page.
      </Text>
      <FormError message={confirm.error ? messageOf(confirm.error) : undefined} />
      <Button
        variant="default"
        loading={confirm.isPending || confirm.isSuccess}
        onClick={() =>
          confirm.mutate({ body: { next: safeReturn(window.location.pathname + window.location.search) } })
        }
      >
        Sign in with {confirmation.provider} again
      </Button>
    </Stack>
  )
}
