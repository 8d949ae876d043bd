import { createFairQueue } from '../../platform/concurrency/fair-queue.ts'
import { unavailable } from '../../platform/errors.ts'

/** Rows before a page from which it counts as far into its list. */
export const FAR_OFFSET = 1_000

const AT_ONCE = 2
const MAX_WAITING = 1_000
const MAX_WAIT_MS = 10_000

const busy = () => unavailable('Too many requests for pages far into a list: try again later.')

/**
 * Waits until an organization may read a page far into its list, for which Postgres examines every row before it. Each
 * organization reads one such page at a time: clients that page through a million rows would otherwise take all
 * processors from the others.
 *
 * @returns gives the place back
 * @throws ApiError 503 after 10 seconds
 */
export const waitForFarPage = createFairQueue(
  { places: AT_ONCE, placesOfParty: 1, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS },
  busy,
  busy,
)
