import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { markLive } from '../../ui/grid/live-reads.ts'
import type { LiveEvent } from './event-stream.ts'
import { follows, followsAny } from './followers.ts'

/** Reads follow events at most so often, however many come. */
const PAUSE_MS = 1_000
/** For how long at most a read that hangs holds up the next ones, or a write under way all of them. */
const MAX_WAIT_MS = 5_000
const WRITE_LOOK_MS = 100

/** Makes the reads of one organization again that follow events. */
export interface Refresher {
  follow: (event: LiveEvent) => void
  /** Something may have been missed: every read that follows events. */
  followAll: () => void
}

/** What is not on the page is read again when it is shown the next time. */
export const createRefresher = (cache: QueryClient, organizationId: string, signal: AbortSignal): Refresher => {
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
        predicate: ({ queryKey }: { queryKey: QueryKey }) => (stale ? stale.some((event) => follows(queryKey, event)) : followsAny(queryKey)),
      }
      const hashes = cache
        .getQueryCache()
        .findAll(which)
        .map(({ queryHash }) => queryHash)
      const reads = markLive(hashes, () => cache.invalidateQueries(which))
      await Promise.all([sleep(PAUSE_MS), Promise.race([reads, sleep(MAX_WAIT_MS)])])
    }
    isRunning = false
  }
  return {
    follow: (event) => {
      events.set(`${event.type} ${event.engagementId}`, event)
      void run()
    },
    followAll: () => {
      isAllStale = true
      void run()
    },
  }
}

/** A read in the middle of a write would show for a moment what was there before it. */
const writesEnded = async (cache: QueryClient): Promise<void> => {
  for (let waited = 0; cache.isMutating() > 0 && waited < MAX_WAIT_MS; waited += WRITE_LOOK_MS) await sleep(WRITE_LOOK_MS)
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
