import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Outside } from '../../concurrency/outside.ts'
import type { Config } from '../../config.ts'
import type { Keys } from '../../crypto.ts'
import { type OverloadReason, overloaded } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { SignedInReads } from '../signed-in-reads.ts'
import { watchPressure } from './pressure.ts'
import type { RequestLimits } from './rate-limit.ts'

/** After this long without a refusal, the log reports the end of the overload. */
const CALM_MS = 5_000

export interface OverloadOptions {
  config: Pick<Config, 'OVERLOAD_MAX_REQUESTS' | 'OVERLOAD_DELAY_MS' | 'OVERLOAD_HEAP_MB' | 'FRONTEND_URL'>
  /** Of the signatures of session cookies. */
  keys: Keys
  limits: RequestLimits
  log: Logger
  onRefused(reason: OverloadReason): void
  /** Reports whether a request without a route gets the page of the web interface. */
  isForPage(request: FastifyRequest): boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    signedInReads: SignedInReads
  }
  interface FastifyRequest {
    /** Counts toward the requests in progress. */
    isUnderWay: boolean
    /** Its answer is made: it does not count again. */
    isAnswered: boolean
    /** Set where the request was let through as a read of a signed-in person: called once its answer is made. */
    endSignedInRead: (() => void) | undefined
    /**
     * Waits for an external server, such as an identity provider; the request does not count during the wait (finding
     * S33). The caller bounds how many wait.
     */
    outside: Outside
  }
}

/**
 * Refuses requests with 503 and `Retry-After` while the process works on `OVERLOAD_MAX_REQUESTS`, its event loop is
 * late, or its heap is nearly full. A request counts from its headers until its answer is made, except while its body
 * arrives and while its handler waits for the outside: slow clients and silent servers of others keep no one out. Reads
 * of signed-in people are refused only while the heap is nearly full (finding D3); the page of the web interface and
 * its files, which are in memory, never are. See docs/decisions/0016.
 *
 * @returns a function that records a refusal in the log and the metrics
 */
export const limitLoad = (app: FastifyInstance, options: OverloadOptions): ((reason: OverloadReason) => void) => {
  const { OVERLOAD_MAX_REQUESTS: maxRequests, OVERLOAD_DELAY_MS: delayMs, OVERLOAD_HEAP_MB: heapMb } = options.config
  const noteRefusal = refusalNotes(options)
  const { status, body, retryAfterSeconds } = overloaded('requests under way')
  const fixedHeaders = { 'retry-after': String(retryAfterSeconds), 'content-type': 'application/json; charset=utf-8' }
  let underWay = 0
  app.decorateRequest('isUnderWay', false)
  app.decorateRequest('isAnswered', false)
  app.decorateRequest('endSignedInRead')
  const reads = new SignedInReads(options.config, options.keys)
  app.decorate('signedInReads', reads)
  const pressure = watchPressure({ delayMs, heapMb })
  app.addHook('onClose', async () => pressure.stop())
  const reasonToRefuse = (): OverloadReason | undefined =>
    underWay >= maxRequests ? 'requests under way' : pressure.reason()
  const count = (request: { isUnderWay: boolean }, isUnderWay: boolean) => {
    if (request.isUnderWay === isUnderWay) return
    request.isUnderWay = isUnderWay
    underWay += isUnderWay ? 1 : -1
  }
  app.decorateRequest('outside', async function outside<T>(this: FastifyRequest, work: () => Promise<T>): Promise<T> {
    // A request that does not count now, such as an upload, does not count after the wait either.
    if (!this.isUnderWay) return work()
    count(this, false)
    try {
      return await work()
    } finally {
      if (!this.isAnswered) count(this, true)
    }
  })
  const servesUnderLoad = (request: FastifyRequest): boolean =>
    request.routeOptions.config.servesUnderLoad ?? (request.is404 && options.isForPage(request))
  app.addHook('onRequest', (request, reply, done) => {
    if (servesUnderLoad(request)) return done()
    const reason = reasonToRefuse()
    if (reason !== undefined && reason !== 'memory') request.endSignedInRead = reads.admit(request)
    if (reason === undefined || request.endSignedInRead) {
      count(request, true)
      return done()
    }
    noteRefusal(reason)
    // Not thrown: creating an error costs as much as the rest of a refusal.
    reply
      .code(status)
      .headers({ ...fixedHeaders, ...options.limits.knownHeaders(request.ip) })
      .send(JSON.stringify(body))
  })
  const stopCounting = (request: { isUnderWay: boolean }, _reply: unknown, _payload: unknown, done: () => void) => {
    count(request, false)
    done()
  }
  app.addHook('preParsing', stopCounting)
  app.addHook('preValidation', (request, _reply, done) => {
    if (!servesUnderLoad(request) && !request.routeOptions.config.isUpload) count(request, true)
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.isAnswered = true
    count(request, false)
    request.endSignedInRead?.()
    request.endSignedInRead = undefined
    done()
  })
  return noteRefusal
}

/** Counts each refusal; the log reports when refusals start and end. */
const refusalNotes = ({ log, onRefused }: OverloadOptions) => {
  let refused = 0
  let calm: NodeJS.Timeout | undefined
  const endOverload = () => {
    log.info({ refused }, 'no longer too many requests')
    refused = 0
    calm = undefined
  }
  return (reason: OverloadReason) => {
    onRefused(reason)
    if (refused++ === 0) log.warn({ reason }, 'too many requests at once: some are refused with 503')
    calm ??= setTimeout(endOverload, CALM_MS).unref()
    calm.refresh()
  }
}
