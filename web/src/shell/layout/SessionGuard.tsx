import { Anchor, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { isRefused, onCallFailed } from '../../api/api.ts'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { paths, safeReturn } from '../../paths.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useAccount } from '../context/session.tsx'
import { useSignInMode } from '../sign-in/mode.ts'
import { ProviderButton } from '../sign-in/ProviderButton.tsx'
import { SignInForm } from '../sign-in/SignInForm.tsx'

/** Asks for the password over the page if the session has ended. Input on the page is kept. */
export const SessionGuard = ({ children }: { children: ReactNode }) => {
  const account = useAccount()
  const cache = useQueryClient()
  const mode = useSignInMode()
  const [ended, setEnded] = useState(false)
  useEffect(
    () =>
      onCallFailed((error) => {
        if (isRefused(error, 'UNAUTHORIZED')) setEnded(true)
        // The role or the organization's requirements may have changed, and pages depend on both.
        if (isRefused(error, 'FORBIDDEN'))
          for (const read of ['listOwnOrganizations', 'getAccount'])
            void cache.invalidateQueries({ queryKey: [null, read] })
      }),
    [cache],
  )
  return (
    <>
      {children}
      <Dialog opened={ended} onClose={() => undefined} title="Your session has ended" size="sm" insistent topmost>
        <Stack gap="sm">
          {mode.provider === 'local' ? (
            <>
              <Text size="sm">Sign in again to continue. What you typed is still there.</Text>
              <SignInForm
                email={account.email}
                onSignedIn={(user) => {
                  if (user.id !== account.id) return void redirectAway(paths.home())
                  setEnded(false)
                  void cache.invalidateQueries()
                }}
              />
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
    </>
  )
}
