import { Anchor, Stack, Text } from '@mantine/core'
import { paths, safeReturn } from '../../paths.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSignInMode } from '../sign-in/mode.ts'
import { ProviderButton } from '../sign-in/ProviderButton.tsx'
import { SignInForm } from '../sign-in/SignInForm.tsx'

/** Over the page of a session that has ended. */
export const SessionEnded = ({ email, onSignedIn }: { email: string; onSignedIn: (user: { id: string }) => void }) => {
  const mode = useSignInMode()
  return (
    <Dialog opened onClose={() => undefined} title="Your session has ended" size="sm" insistent topmost>
      <Stack gap="sm">
        {mode.provider === 'local' ? (
          <>
            <Text size="sm">Sign in again to continue. What you typed is still there.</Text>
            <SignInForm email={email} onSignedIn={onSignedIn} />
          </>
        ) : (
          <>
            <Text size="sm">Sign in again to continue. You come back to this page, and what you typed is there.</Text>
            <ProviderButton next={safeReturn(window.location.pathname + window.location.search)} />
          </>
        )}
        <Anchor size="sm" href={paths.signIn()}>
          Sign in as someone else
        </Anchor>
      </Stack>
    </Dialog>
  )
}
