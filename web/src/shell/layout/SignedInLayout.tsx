import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { closeDrafts, keepDraftsOf } from '../../forms/drafts/drafts.ts'
import { paths } from '../../paths.ts'
import { setDateStyle } from '../../ui/dates/dates.ts'
import { clearToasts } from '../../ui/toasts/toast.ts'
import { SafeModeBanner } from '../banners/SafeModeBanner.tsx'
import { tellOtherTabs, useOtherTabs } from '../context/other-tabs.ts'
import { useAccount } from '../context/session.tsx'
import { SessionGuard } from './SessionGuard.tsx'

/** Layout of pages that need a signed-in user. Renders nothing once another tab signs out or signs in another user. */
export const SignedInLayout = () => {
  const account = useAccount()
  const { id } = account
  // Before the pages below write dates.
  setDateStyle(account)
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
