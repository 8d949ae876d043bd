import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { rateLimited } from '../../errors.ts'
import { addressBucket } from '../server/address.ts'

/** A fixed window that its first request opens (open point 18). */
export interface Window {
  limit: number
  remaining: number
  /** Unix seconds at which the window resets; identical for every request of the window. */
  resetSeconds: number
  exceeded: boolean
  /** Seconds until the reset, at least 1. */
  retryAfterSeconds: number
}

/** A bucket's window after counting: requests so far, Unix seconds at which it resets, milliseconds until then. */
export type CountedWindow = readonly [used: number, resetSeconds: number, leftMs: number]

export interface RateLimiter {
  /** Counts one request against a bucket. */
  consume(bucket: string, limit: number): Window | Promise<Window>
  /** Reads the bucket without counting. */
  peek(bucket: string, limit: number): Window | Promise<Window>
  /** The bucket as far as this process has counted it. */
  known(bucket: string, limit: number): Window
  /** Counts for this process only, because the shared counters are not available. */
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

/** Counters of this process. Bounded: when full, it drops the oldest windows first. */
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

  /** Adds requests to a bucket; 0 only reads. */
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

  /** Windows end on whole seconds, so that the header is exact. */
  #resetSeconds(): number {
    return Math.ceil((this.#clock.now() + this.#windowMs) / 1000)
  }

  /** Insertion order is the order of opening: the first entries have ended, or end first. */
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

/**
 * All keys of one organization together may use this many times the limit of one: a new key does not add a new budget.
 */
const ORGANIZATION_FACTOR = 5
/**
 * Minimum of requests per window and signed-in person: pages make many requests at once, and a low limit for keys must
 * not lock people out.
 */
const SESSION_MIN = 1_200

/** Authentic notifications of one sender, for all organizations, as a multiple of the limit of one key. */
const WEBHOOK_FACTOR = 10

/**
 * Counts requests, sets the three headers on their answers and refuses requests beyond the limit (specification,
 * section 8).
 */
export interface RequestLimits {
  /** Counts a request with a valid key. @throws ApiError RATE_LIMITED */
  key(reply: FastifyReply, keyId: string, organizationId: string): Promise<void>
  /** Counts a request with a valid session. @throws ApiError RATE_LIMITED */
  session(reply: FastifyReply, userId: string): Promise<void>
  /** Counts a request without a key or session. @throws ApiError RATE_LIMITED */
  anonymous(reply: FastifyReply, address: string): Promise<void>
  /** Reports whether the next request of this address without a key or session would be refused. Does not count. */
  isUsedUp(address: string): Promise<boolean>
  /**
   * Counts a notification with an authentic signature, by the URL that it was sent to. @throws ApiError RATE_LIMITED
   */
  webhook(reply: FastifyReply, url: string): Promise<void>
  /** Sets the headers for a request that is not counted. */
  uncounted(reply: FastifyReply, address: string): Promise<void>
  /** Returns the headers that this process knows without a lookup: for answers that must cost nothing. */
  knownHeaders(address: string): Record<string, string>
  /** Returns the headers for an answer that is written directly to the socket. */
  rawHeaders(address: string): Promise<Record<string, string>>
}

export const requestLimits = (limiter: RateLimiter, config: Config): RequestLimits => {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_ANONYMOUS_MAX: anonymousMax } = config
  const admit = (reply: FastifyReply, window: Window) => {
    reply.headers(headersOf(window))
    if (window.exceeded) {
      throw rateLimited(
        `Too many requests: the limit is ${window.limit} per ${config.RATE_LIMIT_WINDOW_SECONDS} seconds.`,
        window.retryAfterSeconds,
      )
    }
  }
  return {
    key: async (reply, keyId, organizationId) => {
      const own = limiter.consume(`k:${keyId}`, max)
      const shared = limiter.consume(`o:${organizationId}`, max * ORGANIZATION_FACTOR)
      const [ownWindow, sharedWindow] =
        own instanceof Promise ? await Promise.all([own, shared]) : [own, shared as Window]
      admit(reply, sharedWindow.exceeded && !ownWindow.exceeded ? sharedWindow : ownWindow)
    },
    session: async (reply, userId) => admit(reply, await limiter.consume(`u:${userId}`, Math.max(SESSION_MIN, max))),
    anonymous: async (reply, address) =>
      admit(reply, await limiter.consume(`a:${addressBucket(address)}`, anonymousMax)),
    isUsedUp: async (address) => (await limiter.peek(`a:${addressBucket(address)}`, anonymousMax)).remaining === 0,
    webhook: async (reply, url) => admit(reply, await limiter.consume(`w:${url}`, max * WEBHOOK_FACTOR)),
    uncounted: async (reply, address) => {
      reply.headers(headersOf(await limiter.peek(`a:${addressBucket(address)}`, anonymousMax)))
    },
    knownHeaders: (address) => headersOf(limiter.known(`a:${addressBucket(address)}`, anonymousMax)),
    rawHeaders: async (address) => headersOf(await limiter.consume(`a:${addressBucket(address)}`, anonymousMax)),
  }
}

const headersOf = (window: Window): Record<string, string> => ({
  'x-ratelimit-limit': String(window.limit),
  'x-ratelimit-remaining': String(window.remaining),
  'x-ratelimit-reset': String(window.resetSeconds),
})
