import type { IncomingMessage } from 'node:http'
import {
  answersJson,
  closedObject,
  DOOR_PATHS,
  type Door,
  documentsOf,
  type Endpoint,
  Id,
} from '@sortie/contract/core/endpoint.ts'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import Type from 'typebox'
import { requirementOf } from '../../auth/guard.ts'
import type { Platform } from '../../context.ts'
import { type EventStream, sendEvents } from '../../events/event-stream.ts'
import { type Download, sendDownload } from '../answers/downloads.ts'
import type { CostGate } from '../limits/costs.ts'
import { briefReplyOf, isAnsweredBriefly } from './brief-replies.ts'
import type { AuthGate } from './doors.ts'
import { keyedRequest, takesIdempotencyKey } from './idempotency.ts'
import type { Route } from './route.ts'
import { admit, admitCost, readmit } from './steps/admit.ts'
import { replySerializer, sendDocument, sendJson } from './steps/answer.ts'
import { call, extendTimeout } from './steps/call.ts'
import type { Mounting } from './steps/mounting.ts'
import { bodyLimitOf, parseJson, parseUpload } from './steps/parse.ts'
import { requestParser } from './validate.ts'

/**
 * Opens a route at every door that its endpoint names. Every request passes the same steps in this order: admit, parse,
 * call.
 */
export const mountRoute = (
  app: FastifyInstance,
  platform: Platform,
  gates: Record<Door, AuthGate>,
  costs: CostGate,
  { endpoint, handle }: Route,
): void => {
  const access = { requirement: requirementOf(endpoint.scope, platform.config), about: endpoint.about }
  for (const door of endpoint.doors) {
    const parser = requestParser(
      isOpenedByAddress(endpoint, door) ? { ...endpoint, query: withOrganization(endpoint.query) } : endpoint,
    )
    const bodyLimit = bodyLimitOf(endpoint, door, platform.config)
    const mounting = { endpoint, handle, platform, door, gate: gates[door], access, costs, parser, bodyLimit }
    if (endpoint.consumes === 'bytes') mountUnparsed(app, uploadRoute(mounting))
    else if (endpoint.produces === 'file') app.route(fileRoute(mounting))
    else if (endpoint.produces === 'events') app.route(eventRoute(mounting))
    else app.route(jsonRoute(mounting))
  }
}

/** The body is JSON, if there is one; so is the answer, unless the endpoint generates a document. */
const jsonRoute = (mounting: Mounting): RouteOptions => {
  const { endpoint, platform, door } = mounting
  const documents = documentsOf(endpoint.produces)
  const brief = briefReplyOf(endpoint, platform.config)
  const takesKey = takesIdempotencyKey(endpoint, door)
  const mayTakeLong =
    endpoint.externalEffect !== undefined ||
    endpoint.responseTimeout !== undefined ||
    'wait' in endpoint.query.properties
  return routeOf(mounting, { isDownload: endpoint.produces !== undefined, mayTakeLong }, async (request, reply) => {
    await readmit(mounting, request, reply)
    const keyed = takesKey ? keyedRequest(platform, request, endpoint.externalEffect !== undefined) : undefined
    const input = parseJson(mounting, request)
    await admitCost(mounting, request, reply, input.query)
    extendTimeout(mounting, request, reply, input.query)
    const serialize = isAnsweredBriefly(brief, request.caller.actor) ? brief.serialize : undefined
    if (keyed) return keyed.answer(reply, () => call(mounting, request, reply, input, keyed), serialize)
    const result = await call(mounting, request, reply, input)
    const document = documents[input.query.format ?? 'only']
    if (endpoint.status === 204) return reply.send()
    return document ? sendDocument(reply, document, result) : sendJson(reply, result, serialize)
  })
}

/**
 * The body is a file, which the handler reads as it arrives. The change that stores it checks the caller again, after
 * the last byte.
 */
const uploadRoute = (mounting: Mounting): RouteOptions => {
  const brief = briefReplyOf(mounting.endpoint, mounting.platform.config)
  return routeOf(mounting, { isUpload: true, mayTakeLong: true }, async (request, reply) => {
    const input = parseUpload(mounting, request)
    await admitCost(mounting, request, reply, input.query)
    input.body.once('end', () => extendTimeout(mounting, request, reply, input.query))
    const result = await call(mounting, request, reply, input)
    return sendJson(reply, result, isAnsweredBriefly(brief, request.caller.actor) ? brief.serialize : undefined)
  })
}

/** The answer is a stored file. */
const fileRoute = (mounting: Mounting): RouteOptions =>
  routeOf(mounting, { isDownload: true, mayTakeLong: true }, async (request, reply) => {
    await readmit(mounting, request, reply)
    const input = parseJson(mounting, request)
    await admitCost(mounting, request, reply, input.query)
    extendTimeout(mounting, request, reply, input.query)
    request.server.openFiles.admit(reply)
    return sendDownload(reply, (await call(mounting, request, reply, input)) as Download)
  })

/** The answer is a stream of events that stays open. */
const eventRoute = (mounting: Mounting): RouteOptions =>
  routeOf(mounting, { isEndless: true, mayTakeLong: true }, async (request, reply) => {
    await readmit(mounting, request, reply)
    const input = parseJson(mounting, request)
    await admitCost(mounting, request, reply, input.query)
    return sendEvents(reply, (await call(mounting, request, reply, input)) as EventStream)
  })

const routeOf = (mounting: Mounting, config: FastifyContextConfig, handler: RouteHandlerMethod): RouteOptions => {
  const { endpoint, door, bodyLimit } = mounting
  return {
    method: endpoint.method,
    url: DOOR_PATHS[door] + endpoint.path,
    bodyLimit,
    config: { isOfSession: door !== 'key', isOpenedByAddress: isOpenedByAddress(endpoint, door), ...config },
    ...(answersJson(endpoint) && {
      schema: { response: { [endpoint.status]: endpoint.reply } },
      serializerCompiler: () => replySerializer(endpoint),
    }),
    onRequest: (request, reply) => admit(mounting, request, reply),
    handler,
  }
}

/** Reports whether browsers open it by its address, which cannot carry a header with the organization. */
const isOpenedByAddress = ({ method, produces }: Endpoint, door: Door): boolean =>
  door === 'web' && method === 'GET' && produces !== undefined

/** Adds the parameters that name the organization. A list may have a filter `organization`, which keeps its meaning. */
const withOrganization = (query: Endpoint['query']): Endpoint['query'] =>
  closedObject({
    organization: Type.Optional(Id('org')),
    ...query.properties,
    organizationId: Type.Optional(Id('org')),
  })

/** Mounts a route whose body Fastify leaves unread. */
const mountUnparsed = (app: FastifyInstance, route: RouteOptions): void => {
  void app.register(async (unparsed) => {
    unparsed.removeAllContentTypeParsers()
    unparsed.addContentTypeParser('*', leaveUnread)
    unparsed.route(route)
  })
}

const leaveUnread = (_request: FastifyRequest, _body: IncomingMessage, done: (error: null) => void): void => done(null)
