import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { closeDrafts, keepDraftsOf } from '../forms/drafts.ts'
import { paths } from '../paths.ts'
import { clearToasts } from '../ui/toast.ts'
import { tellOtherTabs, useOtherTabs } from './other-tabs.ts'
import { SafeModeBanner } from './SafeModeBanner.tsx'
import { useAccount } from './session.tsx'
import { SessionGuard } from './SessionGuard.tsx'

/** Everything that needs somebody signed in. It is empty from the moment that another tab signs out, or somebody else in. */
export const SignedInLayout = () => {
  const { id } = useAccount()
  const cache = useQueryClient()
  const [isEmptied, setEmptied] = useState(false)
  const leave = useCallback(
    (signedIn: string | null) => {
      const drafts = closeDrafts()
      flushSync(() => setEmptied(true))
      clearToasts()
      cache.clear()
      void drafts.finally(() => window.location.replace(signedIn === null ? paths.signIn() : paths.home()))
    },
    [cache],
  )
  useOtherTabs(id, leave)
  useEffect(() => tellOtherTabs(id), [id])
  useEffect(() => void keepDraftsOf(id), [id])
  if (isEmptied) return null
  return (
    <SessionGuard>
      <SafeModeBanner />
      <Outlet />
    </SessionGuard>
  )
}
