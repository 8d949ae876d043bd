import { Button, Stack } from '@mantine/core'
import { isRefused, messageOf, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { FormError } from '../../ui/fields/FormError.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import { ButtonLink } from '../routing/links.tsx'
import { useMailedToken } from '../routing/mailed-token.ts'
import { PasswordDoor } from './PasswordDoor.tsx'

/** Opened from an e-mail link: registers this browser with the account, then asks for the password. */
export const ConfirmBrowserPage = () => {
  const token = useMailedToken()
  return token ? <Confirm key={token} token={token} /> : <DeadLink />
}

/** Requires a click, because e-mail scanners open links too. */
const Confirm = ({ token }: { token: string }) => {
  const confirm = useApiMutation(null, 'confirmBrowser')
  if (confirm.data) {
    const { email } = confirm.data.data
    return (
      <CenteredPage title="Sign in to Sortie" description="This browser is confirmed.">
        <PasswordDoor email={email} />
      </CenteredPage>
    )
  }
  if (isRefused(confirm.error, 'NOT_FOUND', 'BAD_REQUEST', 'VALIDATION_ERROR')) return <DeadLink />
  return (
    <CenteredPage
      title="Confirm this browser"
      description="You can then sign in here with your password. If you did not ask for this link, close the page: nothing has changed."
    >
      <Stack gap="sm">
        <FormError message={confirm.error ? messageOf(confirm.error) : undefined} />
        <Button
          size="sm"
          loading={confirm.isPending}
          onClick={() => confirm.mutate({ body: { token } })}
          data-autofocus
        >
          Confirm this browser
        </Button>
      </Stack>
    </CenteredPage>
  )
}

const DeadLink = () => (
  <CenteredPage
    title="This link no longer works"
    description="It works once, for one hour. Sign in, and a new one is sent if it is needed."
  >
    <ButtonLink to={paths.signIn()} size="sm">
      Go to the sign-in page
    </ButtonLink>
  </CenteredPage>
)
