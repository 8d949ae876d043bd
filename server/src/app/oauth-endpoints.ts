import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { startDeviceLogin } from '../features/device-logins/device-logins.service.ts'
import { redeemDeviceCode, type TokenAnswer, type TokenError } from '../features/device-logins/redeem.service.ts'
import { MCP_METADATA_PATH } from '../features/mcp/paths.ts'
import { issuerOf, resourceOf } from '../features/oauth/authorization-request.ts'
import { redeemAuthorizationCode } from '../features/oauth/redeem-code.service.ts'
import type { Platform } from '../platform/context.ts'
import type { RequestLimits } from '../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../platform/http/routes/steps/call.ts'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CODE_GRANT = 'authorization_code'
const GRANTS = [CODE_GRANT, DEVICE_GRANT]
/** A client names itself in ordinary characters; nothing is registered. */
const CLIENT_ID = /^[\x21-\x7e][\x20-\x7e]{0,99}$/
const BODY_LIMIT_BYTES = 16_384
/** Longest query of an authorization request: in base64url, it fits into the address of the page. */
const MAX_QUERY_LENGTH = 3_000

type OAuthError = TokenError | 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type'
type Answer = TokenAnswer | { error: OAuthError; description: string }

/**
 * The endpoints of OAuth 2.1: metadata (RFC 8414, RFC 9728), `GET /api/oauth/authorize` (RFC 6749), `POST
 * /api/oauth/device` (RFC 8628) and `POST /api/oauth/token`. Open to all, counted per client address. Bodies are forms,
 * and errors have the shape of RFC 6749.
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
        issuer: issuerOf(platform.config),
        authorization_endpoint: addressOf('/api/oauth/authorize'),
        device_authorization_endpoint: addressOf('/api/oauth/device'),
        token_endpoint: addressOf('/api/oauth/token'),
        grant_types_supported: GRANTS,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        scopes_supported: SCOPE_NAMES,
        service_documentation: addressOf('/api/docs'),
      }),
  })

  app.route({
    method: 'GET',
    url: MCP_METADATA_PATH,
    onRequest,
    handler: async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send({
        resource: resourceOf(platform.config),
        resource_name: 'Sortie',
        authorization_servers: [issuerOf(platform.config)],
        bearer_methods_supported: ['header'],
        scopes_supported: SCOPE_NAMES,
      }),
  })

  // The page reads the query as it came: a router would read `state=1e5` as a number.
  app.route({
    method: 'GET',
    url: '/api/oauth/authorize',
    onRequest,
    handler: async (request, reply) => {
      const [, query = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
      if (query === '' || query.length > MAX_QUERY_LENGTH)
        return refuse(reply, 'invalid_request', `Send a query of at most ${MAX_QUERY_LENGTH} characters.`)
      const page = new URL('/oauth/authorize', platform.config.FRONTEND_URL)
      page.searchParams.set('request', Buffer.from(query).toString('base64url'))
      return reply.header('cache-control', 'no-store').redirect(page.href, 303)
    },
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
      const answer = await answerTo(platform, form, request.ip)
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

const answerTo = async (platform: Platform, form: URLSearchParams, address: string): Promise<Answer> => {
  const [grant, client] = [form.get('grant_type'), form.get('client_id')]
  if (grant === DEVICE_GRANT) {
    const deviceCode = form.get('device_code')
    if (!deviceCode || !client) return incomplete('Send device_code and client_id.')
    return redeemDeviceCode(platform, { deviceCode, client, address })
  }
  if (grant !== CODE_GRANT)
    return { error: 'unsupported_grant_type', description: `The grant types are: ${GRANTS.join(' ')}.` }
  const [code, redirectUri, verifier] = [form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]
  if (!code || !client || !redirectUri || !verifier)
    return incomplete('Send code, client_id, redirect_uri and code_verifier.')
  const resource = form.get('resource') ?? undefined
  return redeemAuthorizationCode(platform, { code, clientId: client, redirectUri, verifier, resource, address })
}

const incomplete = (description: string) => ({ error: 'invalid_request' as const, description })

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
