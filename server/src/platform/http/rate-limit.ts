import type { Clock } from '../clock.ts'
import type { CountedWindow } from './window-batch.ts'

/** A fixed window that its first request opens (open point 18). */
export interface Window {
  limit: number
  remaining: number
  /** Unix seconds at which the window resets; the same for every request of the window. */
  resetSeconds: number
  exceeded: boolean
  /** Seconds until then, at least 1. */
  retryAfterSeconds: number
}

export interface RateLimiter {
  /** Counts one request against a bucket. */
  consume(bucket: string, limit: number): Window | Promise<Window>
  /** The bucket as it stands, without counting. */
  peek(bucket: string, limit: number): Window | Promise<Window>
  /** The bucket as far as this process has counted it. */
  known(bucket: string, limit: number): Window
  /** Counts for this process alone, although the counters should be shared. */
  readonly isDegraded: boolean
  close(): Promise<void>
}

interface Counter {
  used: number
  /** On the monotonic clock. */
  endsAt: number
  resetSeconds: number
}

const MAX_COUNTERS = 200_000

/** Counters of this process. Bounded: when full, the oldest windows are forgotten first. */
export class LocalRateLimiter implements RateLimiter {
  readonly isDegraded = false
  readonly #clock: Clock
  readonly #windowMs: number
  readonly #counters = new Map<string, Counter>()

  constructor(clock: Clock, windowSeconds: number) {
    this.#clock = clock
    this.#windowMs = windowSeconds * 1000
  }

  consume(bucket: string, limit: number): Window {
    return windowOf(limit, ...this.#count(bucket, 1))
  }

  peek(bucket: string, limit: number): Window {
    return windowOf(limit, ...this.#count(bucket, 0))
  }

  known(bucket: string, limit: number): Window {
    return this.peek(bucket, limit)
  }

  async close(): Promise<void> {
    this.#counters.clear()
  }

  /** Adds requests to a bucket; 0 looks. */
  #count(bucket: string, add: 0 | 1): CountedWindow {
    const now = this.#clock.monotonic()
    let counter = this.#counters.get(bucket)
    if (!counter || counter.endsAt <= now) {
      if (add === 0) return [0, this.#resetSeconds(), this.#windowMs]
      counter = this.#open(bucket, now)
    }
    counter.used += add
    return [counter.used, counter.resetSeconds, counter.endsAt - now]
  }

  #open(bucket: string, now: number): Counter {
    this.#counters.delete(bucket)
    if (this.#counters.size >= MAX_COUNTERS) this.#forgetOldest(now)
    const resetSeconds = this.#resetSeconds()
    const counter = { used: 0, endsAt: now + resetSeconds * 1000 - this.#clock.now(), resetSeconds }
    this.#counters.set(bucket, counter)
    return counter
  }

  /** Windows end on whole seconds, so that the header says exactly when. */
  #resetSeconds(): number {
    return Math.ceil((this.#clock.now() + this.#windowMs) / 1000)
  }

  /** Insertion order is the order of opening: the front holds what ended, or ends first. */
  #forgetOldest(now: number): void {
    let toFree = MAX_COUNTERS / 10
    for (const [bucket, counter] of this.#counters) {
      if (counter.endsAt > now && toFree-- <= 0) break
      this.#counters.delete(bucket)
    }
  }
}

export const windowOf = (limit: number, used: number, resetSeconds: number, leftMs: number): Window => ({
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds,
  exceeded: used > limit,
  retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
})
