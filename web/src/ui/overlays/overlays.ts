import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { loadPart } from '../load-part.ts'

/** Without a read, in milliseconds. */
const QUIET_MS = 1_000
/** Longest wait for an idle browser, in milliseconds. */
const MAX_IDLE_WAIT_MS = 2_000

const listeners = new Set<() => void>()
let isLoaded = false

/** Resolves once the first page is shown and its overlays are loaded: the time for what the page does not need. */
export const firstPageShown = new Promise<void>((resolve) => {
  listeners.add(resolve)
})

/**
 * Loads the file with menus, dialogs and toasts: `OVERLAYS` in vite.config.ts. The first page is shown without it;
 * afterwards everything opens at once, also while the server is away.
 */
export const loadOverlays = async (): Promise<void> => {
  if (isLoaded) return
  await loadPart(() => import('../dialogs/Dialog.tsx'))
  isLoaded = true
  for (const listener of listeners) listener()
}

/** Whether menus, dialogs and toasts are loaded. */
export const useOverlaysLoaded = (): boolean => useSyncExternalStore(subscribe, () => isLoaded)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Loads the overlays once the first page has its data: nothing was read for a second, and the browser is idle. */
export const useOverlaysAfterFirstPage = (): void => {
  const cache = useQueryClient()
  useEffect(() => {
    let quiet: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(quiet)
      // A page begins to read after the shell is shown: an idle moment in between is not the end. If the file cannot be
      // loaded, it is asked for again when something opens.
      if (!isLoaded && cache.isFetching() === 0)
        quiet = setTimeout(() => whenIdle(() => void loadOverlays().catch(() => undefined)), QUIET_MS)
    }
    wait()
    const unsubscribe = cache.getQueryCache().subscribe(wait)
    return () => {
      clearTimeout(quiet)
      unsubscribe()
    }
  }, [cache])
}

/** Safari has no `requestIdleCallback`. */
const whenIdle = (run: () => void): void => {
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(run, { timeout: MAX_IDLE_WAIT_MS })
  else run()
}
