import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { heightOf, useMeasured } from '../../ui/use-measured.ts'
import { accountQuery } from '../context/session.tsx'
import classes from './SafeModeBanner.module.css'

/** Only instance administrators open it. */
const GoLiveDialog = lazyPart(() => import('./GoLiveDialog.tsx'), 'GoLiveDialog')

/** Poll interval, in milliseconds, to notice that another administrator has ended safe mode. */
const POLL_MS = 5_000

/** Banner on every page while the instance sends nothing. Instance administrators end safe mode here. */
export const SafeModeBanner = () => {
  const account = useQuery({
    ...accountQuery(),
    refetchInterval: ({ state }) => (state.data?.data.safeMode ? POLL_MS : false),
  }).data?.data
  if (!account?.safeMode) return null
  return <Banner {...account.safeMode} isAdmin={account.isInstanceAdmin} />
}

const Banner = ({ reason, isForced, isAdmin }: { reason: string; isForced: boolean; isAdmin: boolean }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Bar>
        <span className={classes.text}>
          <strong>Safe mode.</strong> No scans, API requests or mail leave this instance. {reason}
        </span>
        {isAdmin && !isForced && (
          <Button size="compact-sm" variant="white" color="dark" onClick={() => setAsking(true)}>
            Go live…
          </Button>
        )}
      </Bar>
      <Suspense>{isAsking && <GoLiveDialog onClose={() => setAsking(false)} />}</Suspense>
    </>
  )
}

/** Publishes its height to the page, because its text wraps in a narrow window. */
const Bar = ({ children }: { children: ReactNode }) => {
  const bar = useRef<HTMLElement>(null)
  useMeasured(bar, '--app-safe-mode-height', heightOf)
  return (
    <section ref={bar} className={classes.banner} aria-label="Safe mode">
      {children}
    </section>
  )
}
