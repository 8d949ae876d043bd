import { Readable } from 'node:stream'
import { DOOR_PATHS, type Door, type Endpoint } from '@sortie/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requirementOf } from '../auth/guard.ts'
import type { Database } from '../database/open.ts'
import { badRequest } from '../errors.ts'
import { parseJsonObject } from '../json.ts'
import type { Platform, RequestContext, Route } from './context.ts'
import { requestCookies } from './cookies.ts'
import type { Caller, DoorKeeper } from './doors.ts'
import { requestParser } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** Opens a route at every door that its endpoint names. The order of steps is the same for all (open point 13). */
export const mountRoute = (app: FastifyInstance, platform: Platform, keepers: Record<Door, DoorKeeper>, { endpoint, handle }: Route): void => {
  const requirement = requirementOf(endpoint.scope, platform.config)
  const parser = requestParser(endpoint)
  for (const door of endpoint.doors) {
    const keeper = keepers[door]
    app.route({
      method: endpoint.method,
      url: DOOR_PATHS[door] + endpoint.path,
      ...(endpoint.produces === undefined && { schema: { response: { [endpoint.status]: endpoint.reply } } }),
      onRequest: async (request, reply) => {
        request.caller = await keeper(request, reply, requirement)
      },
      handler: async (request, reply) => {
        const rawBody = readBody(request, endpoint)
        const query = parser.query(queryStringOf(request))
        const body = parser.body(rawBody)
        const params = parser.params(request.params as Record<string, string>)
        const { actor } = request.caller
        const caller = {
          actor,
          person: request.caller.person,
          params,
          query,
          body,
          address: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
          cookies: requestCookies(request, reply, platform.config),
        }
        const context = Object.assign(actor ? within(platform, actor.organizationId) : { ...platform }, caller) as unknown as RequestContext<Endpoint>
        const result = await handle(context)
        reply.code(endpoint.status)
        return endpoint.produces ? sendFile(reply, endpoint.produces, result) : result
      },
    })
  }
}

/** The platform for a handler that acts in an organization: the database shows it no other's rows, whatever it asks for. */
const within = (platform: Platform, organizationId: string): Platform => {
  let db: Database | undefined
  return Object.defineProperty({ ...platform, prepared: platform.prepared.ofOrganization(organizationId) }, 'db', {
    enumerable: true,
    get: () => (db ??= platform.ofOrganization(organizationId)),
  })
}

const queryStringOf = (request: FastifyRequest): string => {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Real ones are short; the pattern takes time in the square of a long run of spaces. */
const MAX_CONTENT_TYPE_LENGTH = 100
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?[ \t]*$/i

/** The body as an object; undefined where there is none and none is wanted. */
const readBody = (request: FastifyRequest, endpoint: Endpoint): Record<string, unknown> | undefined => {
  const bytes = request.body as Buffer | undefined
  const empty = !bytes || bytes.length === 0
  if (empty && !endpoint.body) return undefined
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH || !JSON_TYPE.test(contentType)) throw badRequest('Content-Type must be application/json, in UTF-8.')
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw badRequest('Content-Encoding is not supported: send the body as it is.')
  if (empty) throw badRequest('The body is empty: send a JSON object.')
  return parseJsonObject(bytes)
}

/** A file is streamed as it is made: a long one does not have to fit into memory. */
const sendFile = (reply: FastifyReply, produces: NonNullable<Endpoint['produces']>, content: unknown) => {
  reply.type(produces.type).header('content-disposition', `attachment; filename="${produces.fileName}"`)
  return reply.send(typeof content === 'string' ? content : Readable.from(content as AsyncIterable<string>))
}
