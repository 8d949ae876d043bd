import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { rateLimited } from '../errors.ts'
import { addressBucket } from './address.ts'
import type { RateLimiter, Window } from './rate-limit.ts'

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
