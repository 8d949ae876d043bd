import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError, badRequest } from '../errors.ts'
import { perMinute } from '../per-minute.ts'
import type { RequestLimits } from './rate-limit.ts'

/** Notifications are small; what is larger is refused before it is read whole. */
export const WEBHOOK_BODY_LIMIT_BYTES = 262_144

/**
 * Notifications that are read at once from addresses that have used up their limit: genuine ones come from there as well,
 * where a stranger has the same address.
 */
const MAX_DOUBTFUL = 16

/** Lines a minute for each reason, of which there are a few. */
const MAX_REFUSALS_LOGGED = 10

/** A door for one sender outside, who proves itself by a signature over the bytes of the body. */
export interface Webhook {
  url: string
  /** The header of the signature, as its sender writes it. */
  signatureHeader: string
  /**
   * Runs before anything looks into the body.
   *
   * @param text the body, of which nothing was lost: equal texts are equal bytes
   * @throws ApiError BAD_REQUEST unless it was signed with a secret that is configured
   */
  verify(text: string, headers: IncomingHttpHeaders): Promise<void>
  /** Stores what a genuine notification says; once this returns, it is acknowledged. */
  receive(text: string, headers: IncomingHttpHeaders): Promise<void>
}

/**
 * Opens the door. Senders have no key, and share their addresses with anybody: so the signature is verified first, which is
 * cheap, and genuine notifications are counted for themselves. All else counts as any request without a key. Nothing of a
 * body is read where there is no signature, or where too many of an address that has used up its limit are read (S34).
 */
export const mountWebhook = (app: FastifyInstance, limits: RequestLimits, webhook: Webhook): void => {
  let doubtful = 0
  const mayLog = perMinute(MAX_REFUSALS_LOGGED, (refused) => app.log.warn({ url: webhook.url, refused }, 'more notifications were refused in the last minute'))
  app.route({
    method: 'POST',
    url: webhook.url,
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    onRequest: async (request, reply) => {
      if (headerOf(request.headers, webhook.signatureHeader.toLowerCase()) === undefined) throw badRequest(`${webhook.signatureHeader}: is missing.`)
      if (!(await limits.isUsedUp(request.ip))) return
      if (doubtful >= MAX_DOUBTFUL) await limits.anonymous(reply, request.ip)
      if (reply.raw.closed) return
      doubtful++
      reply.raw.once('close', () => doubtful--)
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for an error handler
    errorHandler: async (error, request, reply) => {
      // A genuine one was counted already, below.
      if (!reply.hasHeader('x-ratelimit-limit')) await limits.anonymous(reply, request.ip)
      if (error instanceof ApiError && error.status === 400) {
        if (mayLog(error.message)) request.log.warn({ reqId: request.id, url: webhook.url, reason: error.message }, 'a notification was refused')
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
