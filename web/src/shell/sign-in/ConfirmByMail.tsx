import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { FormError } from '../../ui/fields/FormError.tsx'

interface ConfirmByMailProps {
  email: string
  /** Seconds until the password is accepted again without confirmation. */
  waitSeconds: number | undefined
  /** Why the link could not be sent again. */
  error: string | undefined
  isSending: boolean
  onSendAgain: () => void
  onBack: () => void
}

/** After too many failed sign-ins: the user confirms the browser with an e-mail link. */
export const ConfirmByMail = ({ email, waitSeconds, error, isSending, onSendAgain, onBack }: ConfirmByMailProps) => (
  <Stack gap="sm">
    <Alert color="blue" variant="light" role="status" title="Confirm this browser" p="sm">
      <Text size="sm">
        There were too many failed sign-ins. We sent a link to <strong>{email}</strong>, if that address has an account
        here. Open it in this browser within an hour, then enter your password.
      </Text>
    </Alert>
    <Text size="sm" c="dimmed">
      No email? Check the spam folder. The same link is sent at most three times an hour.
      {waitSeconds === undefined ? '' : ` Or try again without the link in ${durationOf(waitSeconds)}.`}
    </Text>
    <FormError message={error} />
    <Button size="sm" variant="default" loading={isSending} onClick={onSendAgain}>
      Send the link again
    </Button>
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      Back to sign-in
    </Anchor>
  </Stack>
)

/** Rounded up: `45 seconds`, `1 minute`, `16 minutes`. */
const durationOf = (seconds: number): string => {
  if (seconds < 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const minutes = Math.ceil(seconds / 60)
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
