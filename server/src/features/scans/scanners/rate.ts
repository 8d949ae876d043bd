import { setTimeout as sleep } from 'node:timers/promises'

/** Timers are exact to about so many milliseconds: as much as falls into that time is let through at once. */
const BURST_MS = 10

/**
 * Lets so many through in a second, evenly. Nothing is saved up: after a pause it goes on at the same rate.
 *
 * @param perSecond Infinity for no limit
 */
export const createRate = (perSecond: number, now: () => number = performance.now.bind(performance)) => {
  const gapMs = 1_000 / perSecond
  let next = now()
  return {
    /** Waits for its turn. @throws when the signal is aborted */
    turn: async (signal: AbortSignal): Promise<void> => {
      const at = Math.max(next, now() - BURST_MS)
      next = at + gapMs
      const waitMs = at - now()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    },
  }
}
