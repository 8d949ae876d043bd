import { Button } from '@mantine/core'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { heightOf, useMeasured } from '../../ui/use-measured.ts'
import classes from './SafeModeBar.module.css'

/** Only instance administrators open it. */
const GoLiveDialog = lazyPart(() => import('./GoLiveDialog.tsx'), 'GoLiveDialog')

interface SafeModeBarProps {
  reason: string
  isForced: boolean
  isAdmin: boolean
}

/** The text of safe mode, and the way out of it for instance administrators. */
export const SafeModeBar = ({ reason, isForced, isAdmin }: SafeModeBarProps) => {
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
