import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import {
  answersJson,
  closedObject,
  DOOR_PATHS,
  type Document,
  type Door,
  documentsOf,
  type Endpoint,
  Id,
} from '@sortie/contract/core/endpoint.ts'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import Type from 'typebox'
import { requirementOf } from '../../auth/guard.ts'
import type { Config } from '../../config.ts'
import { type RunChange, recheckedChange } from '../../database/change.ts'
import type { Database } from '../../database/connection/open.ts'
import type { Transaction } from '../../database/transaction.ts'
import { badRequest, overloaded, tooLarge } from '../../errors.ts'
import { type EventStream, sendEvents } from '../../events/event-stream.ts'
import { parseJsonObject } from '../../text/json.ts'
import { requestCookies } from '../answers/cookies.ts'
import { type Download, sendDownload } from '../answers/downloads.ts'
import type { CostGate } from '../limits/costs.ts'
import { briefReplyOf, isAnsweredBriefly } from './brief-replies.ts'
import type { Platform, RequestContext, Route, Writer } from './context.ts'
import type { AuthGate, Caller } from './doors.ts'
import { keyedRequest, takesIdempotencyKey } from './idempotency.ts'
import { firstUse, requestParser } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** The body was still arriving when the door decided: the caller may have lost the right since then. */
    bodyWasPending: boolean
  }
}

/** Opens a route at every door that its endpoint names. The order of steps is identical for all (open point 13). */
export const mountRoute = (
  app: FastifyInstance,
  platform: Platform,
  gates: Record<Door, AuthGate>,
  admit: CostGate,
  { endpoint, handle }: Route,
): void => {
  const access = { requirement: requirementOf(endpoint.scope, platform.config), about: endpoint.about }
  const isUpload = endpoint.takes === 'bytes'
  const documents = documentsOf(endpoint.produces)
  const brief = briefReplyOf(endpoint, platform.config)
  for (const door of endpoint.doors) {
    const gate = gates[door]
    const takesKey = takesIdempotencyKey(endpoint, door)
    const isOpenedByAddress = door === 'web' && endpoint.method === 'GET' && endpoint.produces !== undefined
    const parser = requestParser(
      isOpenedByAddress ? { ...endpoint, query: withOrganization(endpoint.query) } : endpoint,
    )
    const bodyLimit = bodyLimitOf(endpoint, door, platform.config)
    const mounted: RouteOptions = {
      method: endpoint.method,
      url: DOOR_PATHS[door] + endpoint.path,
      bodyLimit,
      config: {
        isUpload,
        isOpenedByAddress,
        isOfSession: door !== 'key',
        isDownload: endpoint.produces !== undefined,
        isEndless: endpoint.produces === 'events',
        mayTakeLong: mayTakeLong(endpoint),
      },
      ...(answersJson(endpoint) && {
        schema: { response: { [endpoint.status]: endpoint.reply } },
        serializerCompiler: () => replySerializer(endpoint),
      }),
      onRequest: async (request, reply) => {
        request.caller = await gate.admit(request, reply, access)
        request.bodyWasPending = !request.raw.complete
      },
      handler: async (request, reply) => {
        // For a file, the change that stores it checks again, after the last byte.
        if (request.bodyWasPending && !isUpload) request.caller = await gate.readmit(request, reply, access)
        const keyed = takesKey ? keyedRequest(platform, request, endpoint.actsOutside !== undefined) : undefined
        const rawBody = isUpload ? undefined : readBody(request, endpoint)
        const query = parser.query(queryStringOf(request))
        const body = isUpload ? openUpload(request, bodyLimit) : parser.body(rawBody)
        const params = parser.params(request.params as Record<string, string>)
        waitForAnswer(request, reply, endpoint.actsOutside?.seconds ?? (query as { wait?: number }).wait ?? 0)
        const { worksFor } = endpoint
        if (worksFor && isUpload) request.raw.once('end', () => waitForAnswer(request, reply, worksFor.seconds))
        else if (worksFor) waitForAnswer(request, reply, worksFor.seconds)
        if (endpoint.cost) await admit(endpoint, request.caller, query as object, reply)
        const recheck = (tx: Transaction) => gate.recheck(tx, request.caller, reply, access)
        const changeOf = (db: Database) =>
          keyed?.change(db, recheck) ?? recheckedChange(db, recheck, platform.waitForTurn)
        const holdUpload = (bytes: number) => {
          if (!app.uploadBudget.hold(request, reply, bytes)) throw overloaded('request bodies')
        }
        const context = contextOf(platform, request, reply, { params, query, body, holdUpload }, changeOf)
        reply.code(endpoint.status)
        // Nothing is sent during the wait: the idle timeout must not end it.
        if (endpoint.actsOutside) request.raw.socket.setTimeout(endpoint.actsOutside.seconds * 1000)
        const serialize = isAnsweredBriefly(brief, request.caller.actor) ? brief.serialize : undefined
        if (keyed) return keyed.answer(reply, () => handle(context), serialize)
        if (endpoint.produces === 'file') app.openFiles.admit(reply)
        const result = await handle(context)
        if (serialize) return reply.type(JSON_ANSWER).send(serialize(result))
        if (endpoint.produces === 'file') return sendDownload(reply, result as Download)
        if (endpoint.produces === 'events') return sendEvents(reply, result as EventStream)
        const document = documents[(query as { format?: string }).format ?? 'only']
        return document ? sendDocument(reply, document, result) : result
      },
    }
    if (!isUpload) app.route(mounted)
    else
      void app.register(async (unparsed) => {
        unparsed.removeAllContentTypeParsers()
        unparsed.addContentTypeParser('*', passOn)
        unparsed.route(mounted)
      })
  }
}

/** Reports whether it moves files, waits for other servers, or waits on request. */
const mayTakeLong = ({ takes, produces, actsOutside, worksFor, query }: Endpoint): boolean =>
  takes === 'bytes' ||
  produces === 'events' ||
  produces === 'file' ||
  actsOutside !== undefined ||
  worksFor !== undefined ||
  'wait' in query.properties

/** The serializer of an endpoint's reply, one for all doors. Compiled on first use: compiling all takes a second. */
const replySerializer = (endpoint: Endpoint): ((reply: unknown) => string) => {
  const known = SERIALIZERS.get(endpoint)
  if (known) return known
  // Formats apply to input only.
  const serializer = firstUse<unknown, string>(() =>
    fastJson(endpoint.reply as Schema, { ajv: { validateFormats: false } }),
  )
  SERIALIZERS.set(endpoint, serializer)
  return serializer
}

const SERIALIZERS = new WeakMap<Endpoint, (reply: unknown) => string>()

/** Leaves the body unread: the handler reads it as it arrives. */
const passOn = (_request: FastifyRequest, _body: IncomingMessage, done: (error: null) => void): void => done(null)

/** Adds the parameters that name the organization. A list may have a filter `organization`, which keeps its meaning. */
const withOrganization = (query: Endpoint['query']): Endpoint['query'] =>
  closedObject({
    organization: Type.Optional(Id('org')),
    ...query.properties,
    organizationId: Type.Optional(Id('org')),
  })

/** Extends the socket timeout for requests that wait on purpose (`?wait=`). */
const waitForAnswer = (request: FastifyRequest, reply: FastifyReply, seconds: number): void => {
  if (seconds === 0) return
  const { socket } = request.raw
  const { timeout = 0 } = socket
  socket.setTimeout(timeout + seconds * 1000)
  reply.raw.once('close', () => socket.setTimeout(timeout))
}

/** Real user agents are shorter. It is scanned and stored. */
const MAX_USER_AGENT_LENGTH = 400

interface Parsed {
  params: unknown
  query: unknown
  body: unknown
  holdUpload(bytes: number): void
}

/**
 * The platform and the request as a handler sees them. If it acts in an organization, the database shows only that organization's
 * rows.
 */
const contextOf = (
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: Parsed,
  changeOf: (db: Database) => RunChange,
) => {
  const { actor, person } = request.caller
  const db = actor ? platform.scopedTo(actor.organizationId, actor.viewer) : platform.db
  const context = {
    ...platform,
    ...parsed,
    db,
    actor,
    person,
    address: request.ip,
    headers: request.headers,
    outside: (work: () => Promise<unknown>) => request.outside(work),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    // Created only for handlers that use it.
    get change() {
      return changeOf(db)
    },
    get cookies() {
      return requestCookies(request, reply, platform.config)
    },
  } satisfies Writer & Record<string, unknown>
  return context as unknown as RequestContext<Endpoint>
}

const queryStringOf = (request: FastifyRequest): string => {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

const JSON_ANSWER = 'application/json; charset=utf-8'
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?utf-8"?[ \t]*(?:;[ \t]*)?)?)?$/i

/** The body as an object; undefined if the endpoint needs none and none was sent. */
const readBody = (request: FastifyRequest, endpoint: Endpoint): Record<string, unknown> | undefined => {
  const bytes = request.body as Buffer | undefined
  const empty = !bytes || bytes.length === 0
  if (empty && !endpoint.body) return undefined
  if (empty && endpoint.bodyIsOptional) return {}
  const contentType = request.headers['content-type'] ?? ''
  if (!JSON_TYPE.test(contentType)) throw badRequest('Content-Type must be application/json, in UTF-8.')
  refuseEncoding(request.headers)
  if (empty) throw badRequest('The body is empty: send a JSON object.')
  return parseJsonObject(bytes, endpoint.bodyLimits?.keys)
}

const refuseEncoding = ({ 'content-encoding': encoding }: IncomingHttpHeaders): void => {
  if (encoding && encoding !== 'identity')
    throw badRequest('Content-Encoding is not supported: send the body as it is.')
}

/** @throws ApiError BAD_REQUEST before reading anything, if its announced length is too large */
const openUpload = ({ raw }: FastifyRequest, maxBytes: number): IncomingMessage => {
  refuseEncoding(raw.headers)
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return raw
}

/** Streams a document while it is made: a long one does not have to fit into memory. */
const sendDocument = (reply: FastifyReply, { type, fileName }: Document, content: unknown) => {
  reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`)
  return reply.send(
    typeof content === 'string' ? content : Readable.from(content as AsyncIterable<string | Uint8Array>),
  )
}

/** Fits the longest passkey response, with its field names. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384

/**
 * Largest body of an endpoint at a door, in bytes; a larger one gets 400 without being read. Files have their own limit, and
 * endpoints can have one. Without authentication (guard `public`, and the sign-in door) it is 16 KiB at most (abuse case I15).
 */
export const bodyLimitOf = (
  { scope, takes, bodyLimits }: Pick<Endpoint, 'scope' | 'takes' | 'bodyLimits'>,
  door: Door,
  { BODY_LIMIT_BYTES, UPLOAD_LIMIT_BYTES }: Pick<Config, 'BODY_LIMIT_BYTES' | 'UPLOAD_LIMIT_BYTES'>,
): number => {
  if (takes === 'bytes') return UPLOAD_LIMIT_BYTES
  const limit = bodyLimits?.bytes ?? BODY_LIMIT_BYTES
  return scope === 'public' || door === 'auth' ? Math.min(PUBLIC_BODY_LIMIT_BYTES, limit) : limit
}
