import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { startDeviceLogin } from '../features/device-logins/device-logins.service.ts'
import { redeemDeviceCode, type TokenError } from '../features/device-logins/redeem.service.ts'
import type { Platform } from '../platform/context.ts'
import type { RequestLimits } from '../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../platform/http/routes/steps/call.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** A client names itself in ordinary characters; nothing is registered. */
const CLIENT_ID = /^[\x21-\x7e][\x20-\x7e]{0,99}$/
const BODY_LIMIT_BYTES = 16_384

type OAuthError = TokenError | 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type'

/**
 * `GET /.well-known/oauth-authorization-server` (RFC 8414), `POST /api/oauth/device` and `POST /api/oauth/token` (RFC
 * 8628). Open to all, counted per client address. Bodies are forms, and errors have the shape of RFC 6749.
 */
export const mountOAuth = (app: FastifyInstance, platform: Platform, limits: RequestLimits): void => {
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => limits.anonymous(reply, request.ip)
  const addressOf = (path: string) => new URL(path, platform.config.FRONTEND_URL).href

  app.route({
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    onRequest,
    handler: async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send({
        issuer: new URL(platform.config.FRONTEND_URL).origin,
        device_authorization_endpoint: addressOf('/api/oauth/device'),
        token_endpoint: addressOf('/api/oauth/token'),
        grant_types_supported: [DEVICE_GRANT],
        response_types_supported: [],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: SCOPE_NAMES,
      }),
  })

  app.route({
    method: 'POST',
    url: '/api/oauth/device',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest,
    handler: async (request, reply) => {
      const form = readForm(request)
      const client = form?.get('client_id') ?? ''
      if (!form || !CLIENT_ID.test(client))
        return refuse(reply, 'invalid_request', 'Send client_id, and optionally scope, as a form.')
      const names = [...new Set((form.get('scope') ?? '').split(' ').filter((name) => name !== ''))]
      const unknown = names.find((name) => !SCOPE_NAMES.some((scope) => scope === name))
      if (unknown !== undefined) return refuse(reply, 'invalid_scope', `The scopes are: ${SCOPE_NAMES.join(' ')}.`)
      const answer = await startDeviceLogin(platform, {
        client,
        scopes: names as Scope[],
        address: request.ip,
        userAgent: userAgentOf(request),
      })
      return reply.header('cache-control', 'no-store').send(answer)
    },
  })

  app.route({
    method: 'POST',
    url: '/api/oauth/token',
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest,
    handler: async (request, reply) => {
      const form = readForm(request)
      if (!form) return refuse(reply, 'invalid_request', 'Send a form, with each parameter once.')
      if (form.get('grant_type') !== DEVICE_GRANT)
        return refuse(reply, 'unsupported_grant_type', `The grant types are: ${DEVICE_GRANT}.`)
      const [deviceCode, client] = [form.get('device_code'), form.get('client_id')]
      if (!deviceCode || !client) return refuse(reply, 'invalid_request', 'Send device_code and client_id.')
      const answer = await redeemDeviceCode(platform, { deviceCode, client, address: request.ip })
      if ('error' in answer) return refuse(reply, answer.error, answer.description)
      const { value, scopes, expiresAt } = answer
      return reply.header('cache-control', 'no-store').send({
        access_token: value,
        token_type: 'Bearer',
        scope: scopes.join(' '),
        ...(expiresAt !== null && {
          expires_in: Math.floor((Date.parse(expiresAt) - platform.clock.now()) / 1000),
        }),
      })
    },
  })
}

const refuse = (reply: FastifyReply, error: OAuthError, description: string): FastifyReply =>
  reply.code(400).header('cache-control', 'no-store').send({ error, error_description: description })

const FORM = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i

/** Undefined unless the body is a form that has each parameter once (RFC 6749, section 3.2). */
const readForm = ({ headers, body }: FastifyRequest): URLSearchParams | undefined => {
  if (!FORM.test(headers['content-type'] ?? '')) return undefined
  const form = new URLSearchParams((body as Buffer | undefined)?.toString('utf8') ?? '')
  const names = [...form.keys()]
  return new Set(names).size === names.length ? form : undefined
}
