import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError, badRequest } from '../errors.ts'
import type { RequestLimits } from './rate-limit.ts'

/** Notifications are small; what is larger is refused before it is read whole. */
export const WEBHOOK_BODY_LIMIT_BYTES = 262_144

/** A door for one sender outside, who proves itself by a signature over the bytes of the body. */
export interface Webhook {
  url: string
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
 * cheap, and genuine notifications are counted for themselves. All else counts as any request without a key.
 */
export const mountWebhook = (app: FastifyInstance, limits: RequestLimits, webhook: Webhook): void => {
  app.route({
    method: 'POST',
    url: webhook.url,
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    // oxlint-disable-next-line typescript/no-misused-promises -- Fastify waits for an error handler
    errorHandler: async (error, request, reply) => {
      // A genuine one was counted already, below.
      if (!reply.hasHeader('x-ratelimit-limit')) await limits.anonymous(reply, request.ip)
      if (error instanceof ApiError && error.status === 400) {
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
