import { createFairQueue } from '../../../platform/concurrency/fair-queue.ts'
import { unavailable } from '../../../platform/errors.ts'

/** Reports that this process writes at the same time. */
const AT_ONCE = 2
const MAX_WAITING = 1_000
const MAX_WAIT_MS = 600_000
const RETRY_AFTER_SECONDS = 30

const busy = () => unavailable('Too many reports are being rendered: try again later.', undefined, RETRY_AFTER_SECONDS)

/**
 * Waits until a report of this organization may be written: if several organizations wait, each has a place as soon as
 * one is free.
 *
 * @returns gives the place back
 */
export const waitForTurn = createFairQueue(
  { places: AT_ONCE, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS },
  busy,
  busy,
)
