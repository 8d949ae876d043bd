import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { isRefused, onCallFailed } from '../../api/api.ts'
import { redirectAway } from '../../forms/unsaved/redirect-away.ts'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../ui/load-part.ts'
import { useAccount } from '../context/session.tsx'

const SessionEnded = lazyPart(() => import('../proof/SessionEnded.tsx'), 'SessionEnded')

/** Asks for the password over the page if the session has ended. Input on the page is kept. */
export const SessionGuard = ({ children }: { children: ReactNode }) => {
  const account = useAccount()
  const cache = useQueryClient()
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
      <Suspense>
        {ended && (
          <SessionEnded
            email={account.email}
            onSignedIn={(user) => {
              if (user.id !== account.id) return void redirectAway(paths.home())
              setEnded(false)
              void cache.invalidateQueries()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
