import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { markLive } from '../../ui/grid/rows/live-reads.ts'
import type { Followers } from './followers.ts'
import type { LiveEvent } from './live-message.ts'

/** Minimum interval between refreshes, regardless of the number of events. */
const PAUSE_MS = 1_000
/** Longest delay of the next refresh by a hanging read, or of any refresh by a running write. */
const MAX_WAIT_MS = 5_000
const WRITE_LOOK_MS = 100

/** Refreshes those reads of one organization that follow events. */
export interface Refresher {
  follow: (event: LiveEvent) => void
  /** Refreshes every read that follows events, because some may have been missed. */
  followAll: () => void
}

/** Refreshes shown reads immediately, and others when they are shown again. */
export const createRefresher = (
  cache: QueryClient,
  organizationId: string,
  { follows, followsAny }: Followers,
  signal: AbortSignal,
): Refresher => {
  const events = new Map<string, LiveEvent>()
  let isAllStale = false
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    while ((isAllStale || events.size > 0) && !signal.aborted) {
      await writesEnded(cache)
      const stale = isAllStale ? undefined : [...events.values()]
      isAllStale = false
      events.clear()
      const which = {
        queryKey: [organizationId],
        predicate: ({ queryKey }: { queryKey: QueryKey }) =>
          stale ? stale.some((event) => follows(queryKey, event)) : followsAny(queryKey),
      }
      const found = cache.getQueryCache().findAll(which)
      // An invalidation does not repeat a first read that is under way, and this one may be older than the event.
      const first = stale ? found.filter(({ state }) => state.data === undefined && state.fetchStatus !== 'idle') : []
      const reads = markLive(
        found.map(({ queryHash }) => queryHash),
        async () => {
          await cache.invalidateQueries(which)
          await Promise.all(first.map(({ queryKey }) => cache.invalidateQueries({ queryKey, exact: true })))
        },
      )
      await Promise.all([sleep(PAUSE_MS), Promise.race([reads, sleep(MAX_WAIT_MS)])])
    }
    isRunning = false
  }
  return {
    follow: (event) => {
      events.set(`${event.type} ${event.engagementId} ${event.change} ${event.id === null}`, event)
      void run()
    },
    followAll: () => {
      isAllStale = true
      void run()
    },
  }
}

/** A read during a write would briefly show the old state. */
const writesEnded = async (cache: QueryClient): Promise<void> => {
  for (let waited = 0; cache.isMutating() > 0 && waited < MAX_WAIT_MS; waited += WRITE_LOOK_MS)
    await sleep(WRITE_LOOK_MS)
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
