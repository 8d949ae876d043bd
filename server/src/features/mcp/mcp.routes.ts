import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/auth/actor.ts'
import { requirementOf } from '../../platform/auth/guard.ts'
import type { Platform } from '../../platform/context.ts'
import { translateFailure } from '../../platform/database/connection/failures.ts'
import { ApiError, forbidden, internalError } from '../../platform/errors.ts'
import type { Dispatcher } from '../../platform/http/routes/dispatch.ts'
import { type AuthGate, isOwnOrigin } from '../../platform/http/routes/doors.ts'
import { labelOf } from '../../platform/http/routes/request-label.ts'
import { parseJson } from '../../platform/text/json.ts'
import type { McpCaller } from './caller.ts'
import { MCP_METADATA_PATH, MCP_PATH } from './paths.ts'
import { serverFor } from './protocol.ts'
import { type Arguments, partsFor } from './tools/input.ts'
import type { Reply } from './tools/tool.ts'

/** Largest message, in bytes: a file of 6 MiB in Base64 fits. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024
/** A request with the most keys that any tool takes, and the message around it. */
const MAX_KEYS = 10_200

/** Every key may speak the protocol; each tool has its own permission. */
const ANY_KEY = 'any'

/**
 * `POST /api/mcp`: the Model Context Protocol over streamable HTTP. Each request is answered by itself, at the door of
 * the API keys: `Host`, `Origin`, key, rate limit, in this order and before the body is read. There is no stream to
 * open and no session to end, so other methods get 405.
 */
export const mountMcp = (app: FastifyInstance, platform: Platform, gate: AuthGate, dispatcher: Dispatcher): void => {
  const access = { requirement: requirementOf(ANY_KEY, platform.config), about: 'either' as const }
  app.decorateRequest('tool', undefined)
  const metadata = new URL(MCP_METADATA_PATH, platform.config.FRONTEND_URL).href
  /** RFC 9728, section 5.1; RFC 6750, section 3. */
  const challenge = async <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const hasKey = request.headers.authorization !== undefined
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED')
        reply.header(
          'www-authenticate',
          `Bearer ${hasKey ? 'error="invalid_token", ' : ''}resource_metadata="${metadata}"`,
        )
      throw error
    }
  }
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller = await challenge(request, reply, () => gate.admit(request, reply, access))
    request.bodyWasPending = !request.raw.complete
    if (!isOwnOrigin(request, platform.config))
      throw forbidden('Origin: must be that of this server, or be left out by programs.')
  }
  app.route({
    method: 'POST',
    url: MCP_PATH,
    bodyLimit: BODY_LIMIT_BYTES,
    config: { mayTakeLong: true },
    onRequest: admit,
    handler: async (request, reply) => {
      if (request.bodyWasPending)
        request.caller = await challenge(request, reply, () => gate.readmit(request, reply, access))
      const { actor } = request.caller
      if (!actor) throw new Error('the door admits keys only')
      const message = readMessage(request.body as Buffer | undefined)
      if ('refusal' in message) return send(reply, Response.json(message.refusal, { status: 400 }))
      const caller = callerOf(platform, dispatcher, request, reply, actor)
      return send(reply, await answer(request, caller, new URL(MCP_PATH, platform.config.FRONTEND_URL), message.value))
    },
  })
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    onRequest: admit,
    handler: async (_request, reply) =>
      send(
        reply,
        Response.json(rpcError(-32_000, 'Method not allowed: send each message with POST.'), {
          status: 405,
          headers: { allow: 'POST' },
        }),
      ),
  })
}

/** The caller of an admitted request; `actor` is that of its key. */
const callerOf = (
  { log }: Pick<Platform, 'log'>,
  dispatcher: Dispatcher,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
): McpCaller => ({
  actor,
  permits: (endpoint) => dispatcher.permits(actor, endpoint),
  call: async (endpoint, args: Arguments, file) =>
    (await dispatcher.call(request, reply, endpoint, partsFor(endpoint, args, file))) as Reply,
  noteTool: (name) => {
    request.tool = name
  },
  toError: (thrown) => {
    const failure = translateFailure(thrown, request.method)
    const error = failure instanceof ApiError ? failure : internalError(failure)
    if (error.status >= 500 && error.overloadReason === undefined)
      log.error({ ...labelOf(request), err: error.cause ?? error }, error.message)
    return error
  },
})

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })

/** One message: a batch would make many calls of one request. */
const readMessage = (bytes: Buffer | undefined): { value: Record<string, unknown> } | { refusal: object } => {
  try {
    const value = parseJson(bytes ?? Buffer.alloc(0), MAX_KEYS)
    if (Array.isArray(value)) return { refusal: rpcError(-32_600, 'Send one message per request, not a batch.') }
    return { value }
  } catch (error) {
    if (error instanceof ApiError) return { refusal: rpcError(-32_700, error.message) }
    throw error
  }
}

/** Never given to the library: it needs none of them, and they are secrets. */
const SECRET_HEADERS = new Set(['authorization', 'cookie'])

const answer = async (
  request: FastifyRequest,
  caller: McpCaller,
  url: URL,
  message: Record<string, unknown>,
): Promise<Response> => {
  const sdk = await import('@modelcontextprotocol/server')
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !SECRET_HEADERS.has(name)) headers.set(name, value)
  const asked = new Request(url, { method: 'POST', headers, body: JSON.stringify(message) })
  const onerror = (error: Error) => request.log.debug({ reqId: request.id, err: error }, 'a message was refused')
  if (await sdk.isLegacyRequest(asked, message)) {
    const server = serverFor(sdk, caller)
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(asked, { parsedBody: message })
    } finally {
      await server.close()
    }
  }
  // Streams of changes stay open; there are none here.
  const handler = sdk.createMcpHandler(() => serverFor(sdk, caller), { legacy: 'reject', onerror })
  try {
    return await handler.fetch(asked, { parsedBody: message })
  } finally {
    await handler.close()
  }
}

/** Answers are whole before they are sent. */
const send = async (reply: FastifyReply, response: Response): Promise<FastifyReply> => {
  const text = await response.text()
  reply.code(response.status)
  for (const name of ['content-type', 'allow', 'mcp-protocol-version']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  return reply.send(text)
}
