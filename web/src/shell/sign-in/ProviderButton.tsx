import { Button, Stack } from '@mantine/core'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { FormError } from '../../ui/fields/FormError.tsx'
import { useSignInMode } from './mode.ts'

/** Leaves this page for the identity provider, which returns to the callback page. */
export const ProviderButton = ({ next }: { next?: string | undefined }) => {
  const { providerName } = useSignInMode()
  const start = useApiMutation(null, 'startSingleSignOn', { onSuccess: ({ data }) => redirectAway(data.url) })
  return (
    <Stack gap="sm">
      <FormError message={start.error ? messageOf(start.error) : undefined} />
      <Button
        size="sm"
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate({ body: next === undefined ? {} : { next } })}
        data-autofocus
      >
        Sign in with {providerName}
      </Button>
    </Stack>
  )
}
