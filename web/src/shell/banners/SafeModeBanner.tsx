import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { accountQuery } from '../context/session.tsx'

const SafeModeBar = lazyPart(() => import('./SafeModeBar.tsx'), 'SafeModeBar')

/** Poll interval, in milliseconds, to notice that another administrator has ended safe mode. */
const POLL_MS = 5_000

/** Banner on every page while the instance sends nothing. Instance administrators end safe mode here. */
export const SafeModeBanner = () => {
  const account = useQuery({
    ...accountQuery(),
    refetchInterval: ({ state }) => (state.data?.data.safeMode ? POLL_MS : false),
  }).data?.data
  if (!account?.safeMode) return null
  return (
    <Suspense>
      <SafeModeBar {...account.safeMode} isAdmin={account.isInstanceAdmin} />
    </Suspense>
  )
}
