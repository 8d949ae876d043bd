/** Time, injected so that expiry can be tested to the millisecond. */
export interface Clock {
  /** Wall clock: milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds from a fixed moment, never backwards: for durations. */
  monotonic(): number
}

export const systemClock: Clock = { now: Date.now, monotonic: performance.now.bind(performance) }

/** `YYYY-MM-DDTHH:mm:ss.sssZ` (specification, section 2). */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()
