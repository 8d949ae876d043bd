import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { rateLimited } from '../errors.ts'
import { addressBucket } from './address.ts'

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

/** A bucket's window after counting: requests so far, Unix seconds at which it resets, milliseconds until then. */
export type CountedWindow = readonly [used: number, resetSeconds: number, leftMs: number]

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

/** All keys of one organization together may use this many times the limit of one: a new key does not buy a new budget. */
const ORGANIZATION_FACTOR = 5
/** Least requests per window and signed-in person: pages ask for much at once, and a low limit for keys must not lock people out. */
const SESSION_MIN = 1_200

/** Genuine notifications of one sender, for all organizations, as many times the limit of one key. */
const WEBHOOK_FACTOR = 10

/** Counts requests, puts the three headers on their answers and refuses what is too much (specification, section 8). */
export interface RequestLimits {
  /** A request with a valid key. @throws ApiError RATE_LIMITED */
  key(reply: FastifyReply, keyId: string, organizationId: string): Promise<void>
  /** A request with a valid session. @throws ApiError RATE_LIMITED */
  session(reply: FastifyReply, userId: string): Promise<void>
  /** A request without one. @throws ApiError RATE_LIMITED */
  anonymous(reply: FastifyReply, address: string): Promise<void>
  /** Whether the next request of this address without a key or session is refused. Does not count. */
  isUsedUp(address: string): Promise<boolean>
  /** A notification whose signature is genuine, by the address that it was sent to. @throws ApiError RATE_LIMITED */
  webhook(reply: FastifyReply, url: string): Promise<void>
  /** A request that is not counted: headers only. */
  uncounted(reply: FastifyReply, address: string): Promise<void>
  /** The headers as far as this process knows them without asking: for answers that must cost nothing. */
  knownHeaders(address: string): Record<string, string>
  /** The headers for an answer that is written to the socket itself. */
  rawHeaders(address: string): Promise<Record<string, string>>
}

export const requestLimits = (limiter: RateLimiter, config: Config): RequestLimits => {
  const { RATE_LIMIT_MAX: max, RATE_LIMIT_ANONYMOUS_MAX: anonymousMax } = config
  const admit = (reply: FastifyReply, window: Window) => {
    reply.headers(headersOf(window))
    if (window.exceeded) {
      throw rateLimited(`Too many requests: the limit is ${window.limit} per ${config.RATE_LIMIT_WINDOW_SECONDS} seconds.`, window.retryAfterSeconds)
    }
  }
  return {
    key: async (reply, keyId, organizationId) => {
      const own = limiter.consume(`k:${keyId}`, max)
      const shared = limiter.consume(`o:${organizationId}`, max * ORGANIZATION_FACTOR)
      const [ownWindow, sharedWindow] = own instanceof Promise ? await Promise.all([own, shared]) : [own, shared as Window]
      admit(reply, sharedWindow.exceeded && !ownWindow.exceeded ? sharedWindow : ownWindow)
    },
    session: async (reply, userId) => admit(reply, await limiter.consume(`u:${userId}`, Math.max(SESSION_MIN, max))),
    anonymous: async (reply, address) => admit(reply, await limiter.consume(`a:${addressBucket(address)}`, anonymousMax)),
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
