import type { Cost, Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock.ts'
import { rateLimited } from '../../errors.ts'
import type { Caller } from '../routes/doors.ts'

const HOUR_MS = 60 * 60 * 1000
/**
 * Maximum number of expensive answers at the same moment in one process, for all callers together: leaves capacity for
 * other requests.
 */
const MAX_AT_ONCE = 16
/** A guess: the end of a running answer is not known. */
const BUSY_RETRY_SECONDS = 5

/** Counts an event across all processes. @returns milliseconds to wait if the limit is exceeded */
export type CountEvent = (bucket: string, max: number, windowMs: number) => Promise<number | undefined>

/**
 * Admits a request of an endpoint that declares a cost, and holds a slot until the answer is sent or the client
 * disconnects.
 *
 * @throws ApiError RATE_LIMITED
 */
export type CostGate = (endpoint: Endpoint, caller: Caller, query: object, reply: FastifyReply) => Promise<void>

/** Creates the gate with the slots of one process. */
export const costGate = (count: CountEvent, clock: Clock): CostGate => {
  const taken = new Map<string, number>()
  let all = 0
  const take = (bucket: string, { atOnce }: Cost) => {
    const own = taken.get(bucket) ?? 0
    if (own >= atOnce)
      throw rateLimited(
        `Only ${atOnce} of these requests are processed at the same time. Try again when one has finished.`,
        BUSY_RETRY_SECONDS,
      )
    if (all >= MAX_AT_ONCE)
      throw rateLimited('Too many expensive requests are running. Try again shortly.', BUSY_RETRY_SECONDS)
    taken.set(bucket, own + 1)
    all++
    return () => {
      const left = (taken.get(bucket) ?? 1) - 1
      if (left > 0) taken.set(bucket, left)
      else taken.delete(bucket)
      all--
    }
  }
  return async (endpoint, { actor, person }, query, reply) => {
    const { cost } = endpoint
    if (!cost || (cost.onlyWith !== undefined && !(cost.onlyWith in query))) return
    const bucket = `cost:${endpoint.id}:${actor?.organizationId ?? person?.userId}`
    const free = take(bucket, cost)
    // Also when the answer is refused below, and when the client has already disconnected.
    if (reply.raw.closed || reply.raw.destroyed) free()
    else reply.raw.once('close', free)
    const waitMs = await count(bucket, cost.perHour, HOUR_MS)
    if (waitMs === undefined) return
    reply.headers({
      'x-ratelimit-limit': cost.perHour,
      'x-ratelimit-remaining': 0,
      'x-ratelimit-reset': Math.ceil((clock.now() + waitMs) / 1000),
    })
    throw rateLimited(`The limit is ${cost.perHour} of these requests per hour.`, Math.max(1, Math.ceil(waitMs / 1000)))
  }
}
