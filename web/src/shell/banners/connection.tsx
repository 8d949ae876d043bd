import { ConnectionError } from '@sortie/client/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { onCallFailed } from '../../api/api.ts'
import { heightOf, useMeasured } from '../../ui/use-measured.ts'
import classes from './connection.module.css'

const PROBE_INTERVAL_MS = 2_000

const listeners = new Set<() => void>()

/** Subscribes to the server becoming reachable again. @returns unsubscribe function */
export const onConnectionBack = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Banner while the server is unreachable. Pages and forms stay unchanged; when the server responds again, their reads
 * repeat.
 */
export const ConnectionBanner = () => {
  const [away, setAway] = useState(() => !navigator.onLine)
  const cache = useQueryClient()
  useEffect(() => {
    const onOffline = () => setAway(true)
    window.addEventListener('offline', onOffline)
    const unsubscribe = onCallFailed((error) => {
      if (error instanceof ConnectionError) setAway(true)
    })
    return () => {
      window.removeEventListener('offline', onOffline)
      unsubscribe()
    }
  }, [])
  useEffect(() => {
    if (!away) return undefined
    const timer = setInterval(() => {
      void isReachable().then((reachable) => {
        if (!reachable) return undefined
        setAway(false)
        for (const listener of listeners) listener()
        return cache.invalidateQueries()
      })
    }, PROBE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [away, cache])
  return (
    <div role="status" aria-live="assertive">
      {away && <Banner />}
    </div>
  )
}

/** Over everything, dialogs too: they and the page begin below it, so that it never covers a control. */
const Banner = () => {
  const banner = useRef<HTMLDivElement>(null)
  useMeasured(banner, '--app-connection-height', heightOf)
  return (
    <div ref={banner} className={classes.banner}>
      The server cannot be reached. What you typed is kept; this page continues when the server is back.
    </div>
  )
}

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch('/api/health', { signal: AbortSignal.timeout(PROBE_INTERVAL_MS), cache: 'no-store' })).ok
  } catch {
    return false
  }
}
