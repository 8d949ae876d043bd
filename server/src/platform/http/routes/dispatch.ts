import { Readable } from 'node:stream'
import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../auth/actor.ts'
import { isPermitted, isWithinReach, requirementOf } from '../../auth/guard.ts'
import type { Platform } from '../../context.ts'
import { tooLarge } from '../../errors.ts'
import { parseJsonObject } from '../../text/json.ts'
import type { CostGate } from '../limits/costs.ts'
import { briefReplyOf, isAnsweredBriefly } from './brief-replies.ts'
import { type AuthGate, requireAccess } from './doors.ts'
import type { Route } from './route.ts'
import { admitCost } from './steps/admit.ts'
import { replySerializer } from './steps/answer.ts'
import { call, extendTimeout } from './steps/call.ts'
import type { Mounting } from './steps/mounting.ts'
import { bodyLimitOf, type Input } from './steps/parse.ts'
import { requestParser } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The tool that the request calls, for its line in the log. */
    tool: string | undefined
  }
}

/** The raw parts of a request to an endpoint, before they are validated. */
export interface Parts {
  params: Record<string, string>
  /** A query string, encoded. */
  query: string
  body?: Record<string, unknown>
  /** The body of an endpoint that takes bytes. */
  file?: Buffer
}

/** Calls endpoints on behalf of a request that another route of the key door has admitted. */
export interface Dispatcher {
  /** Reports whether the door would let this caller through. */
  permits(actor: Actor, endpoint: Endpoint): boolean
  /**
   * Does what a request to the endpoint with the same key does after it is counted: permission, limits of the body,
   * validation, cost, handler, and the filter of the reply.
   *
   * @returns the JSON value of the reply
   * @throws ApiError as the endpoint
   */
  call(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint, parts: Parts): Promise<unknown>
}

/** @param routes all of the server; those that the key door does not open are not called */
export const createDispatcher = (
  platform: Platform,
  gate: AuthGate,
  costs: CostGate,
  routes: readonly Route[],
): Dispatcher => {
  const { config } = platform
  const mountings = new Map<Endpoint, Mounting>()
  for (const { endpoint, handle } of routes) {
    if (!endpoint.doors.includes('key')) continue
    mountings.set(endpoint, {
      endpoint,
      handle,
      platform,
      door: 'key',
      gate,
      access: { requirement: requirementOf(endpoint.scope, config), about: endpoint.about },
      costs,
      parser: requestParser(endpoint),
      bodyLimit: bodyLimitOf(endpoint, 'key', config),
    })
  }
  const mountingOf = (endpoint: Endpoint): Mounting => {
    const mounting = mountings.get(endpoint)
    if (!mounting) throw new Error(`the key door does not open ${endpoint.id}`)
    return mounting
  }
  return {
    permits: (actor, endpoint) => {
      const { requirement, about } = mountingOf(endpoint).access
      return isPermitted(actor, requirement) && isWithinReach(actor, about)
    },
    call: async (request, reply, endpoint, parts) => {
      const mounting = mountingOf(endpoint)
      const { actor } = request.caller
      if (!actor) throw new Error('a request without a key calls no endpoint')
      requireAccess(actor, mounting.access)
      const input = parse(mounting, parts)
      await admitCost(mounting, request, reply, input.query)
      extendTimeout(mounting, request, reply, input.query)
      const result = await call(mounting, request, reply, input)
      const brief = briefReplyOf(endpoint, config)
      const serialize = isAnsweredBriefly(brief, actor) ? brief.serialize : replySerializer(endpoint)
      return JSON.parse(serialize(result))
    },
  }
}

/** Refuses in the order of open point 13, as `parseJson` and `parseUpload` do. */
const parse = ({ endpoint, parser, bodyLimit }: Mounting, { params, query, body, file }: Parts): Input => {
  const raw = endpoint.consumes === 'bytes' ? undefined : readBody(endpoint, bodyLimit, body)
  const parsedQuery = parser.query(query) as Input['query']
  if (endpoint.consumes !== 'bytes')
    return { query: parsedQuery, body: parser.body(raw), params: parser.params(params) }
  const bytes = file ?? Buffer.alloc(0)
  if (bytes.length > bodyLimit) throw tooLarge(bodyLimit)
  return { query: parsedQuery, body: Readable.from([bytes]), params: parser.params(params) }
}

/** Holds the body to the limits of the endpoint, which can be lower than those of the request that carries it. */
const readBody = (endpoint: Endpoint, bodyLimit: number, body: Record<string, unknown> | undefined) => {
  if (!endpoint.body) return undefined
  const bytes = Buffer.from(JSON.stringify(body ?? {}))
  if (bytes.length > bodyLimit) throw tooLarge(bodyLimit)
  return parseJsonObject(bytes, endpoint.bodyLimits?.keys)
}
