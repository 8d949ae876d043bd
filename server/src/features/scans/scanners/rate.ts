import { setTimeout as sleep } from 'node:timers/promises'

/** Precision of timers, in milliseconds: a burst of this length passes at once. */
const BURST_MS = 10

/**
 * Limits the rate evenly. Unused capacity is not saved.
 *
 * @param perSecond Infinity for no limit
 */
export const createRate = (perSecond: number, now: () => number = performance.now.bind(performance)) => {
  const gapMs = 1_000 / perSecond
  let next = now()
  return {
    /** Waits until the next slot. @throws if the signal is aborted */
    turn: async (signal: AbortSignal): Promise<void> => {
      const at = Math.max(next, now() - BURST_MS)
      next = at + gapMs
      const waitMs = at - now()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    },
  }
}
