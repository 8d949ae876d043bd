import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { perMinute } from '../../concurrency/per-minute.ts'
import { ApiError, badRequest } from '../../errors.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'

/** Notifications are small; a larger body is refused before it is read completely. */
export const WEBHOOK_BODY_LIMIT_BYTES = 262_144

/**
 * Notifications that are read at the same time from addresses that have used up their limit: authentic ones may come
 * from such an address, if an outsider shares it.
 */
const MAX_DOUBTFUL = 16

/** Lines a minute for each reason; there are few reasons. */
const MAX_REFUSALS_LOGGED = 10

/** A door for one external sender, which authenticates with a signature over the bytes of the body. */
export interface Webhook {
  url: string
  /** The header of the signature, as its sender spells it. */
  signatureHeader: string
  /**
   * Runs before anything parses the body.
   *
   * @param text the body, decoded without loss: equal texts are equal bytes
   * @throws ApiError BAD_REQUEST unless it was signed with a configured secret
   */
  verify(text: string, headers: IncomingHttpHeaders): Promise<void>
  /** Stores an authentic notification; it is acknowledged once this returns. */
  receive(text: string, headers: IncomingHttpHeaders): Promise<void>
}

/**
 * Opens the door. Senders have no key, and share their addresses with others: so the signature is verified first, which
 * is cheap, and authentic notifications have their own counter. All other requests count like any request without a
 * key. The body is not read without a signature, or while too many bodies from addresses that have used up their limit
 * are read (S34).
 */
export const mountWebhook = (app: FastifyInstance, limits: RequestLimits, webhook: Webhook): void => {
  let doubtful = 0
  const mayLog = perMinute(MAX_REFUSALS_LOGGED, (refused) =>
    app.log.warn({ url: webhook.url, refused }, 'more notifications were refused in the last minute'),
  )
  app.route({
    method: 'POST',
    url: webhook.url,
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    onRequest: async (request, reply) => {
      if (headerOf(request.headers, webhook.signatureHeader.toLowerCase()) === undefined)
        throw badRequest(`${webhook.signatureHeader}: is missing.`)
      if (!(await limits.isUsedUp(request.ip))) return
      if (doubtful >= MAX_DOUBTFUL) await limits.anonymous(reply, request.ip)
      if (reply.raw.closed) return
      doubtful++
      reply.raw.once('close', () => doubtful--)
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for an error handler
    errorHandler: async (error, request, reply) => {
      // An authentic one was counted already, below.
      if (!reply.hasHeader('x-ratelimit-limit')) await limits.anonymous(reply, request.ip)
      if (error instanceof ApiError && error.status === 400) {
        if (mayLog(error.message))
          request.log.warn({ reqId: request.id, url: webhook.url, reason: error.message }, 'a notification was refused')
      }
      throw error
    },
    handler: async (request, reply) => {
      const text = decode(request.body as Buffer | undefined)
      await webhook.verify(text, request.headers)
      await limits.webhook(reply, webhook.url)
      await webhook.receive(text, request.headers)
      return { received: true }
    },
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Buffer | undefined): string => {
  if (!bytes || bytes.length === 0) throw badRequest('The body is empty.')
  try {
    return decoder.decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8.')
  }
}

/** A header that is there once and has text. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
