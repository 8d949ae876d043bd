import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError, badRequest } from '../errors.ts'
import type { RequestLimits } from './limits.ts'

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

/** Opens the door. Senders have no key: they are counted by address, as anybody else without one. */
export const mountWebhook = (app: FastifyInstance, limits: RequestLimits, webhook: Webhook): void => {
  app.route({
    method: 'POST',
    url: webhook.url,
    bodyLimit: WEBHOOK_BODY_LIMIT_BYTES,
    onRequest: (request, reply) => limits.anonymous(reply, request.ip),
    handler: async (request) => {
      try {
        const text = decode(request.body as Buffer | undefined)
        await webhook.verify(text, request.headers)
        await webhook.receive(text, request.headers)
      } catch (error) {
        if (error instanceof ApiError && error.status === 400)
          request.log.warn({ reqId: request.id, url: webhook.url, reason: error.message }, 'a notification was refused')
        throw error
      }
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
