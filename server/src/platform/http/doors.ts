import type { Door } from '@sortie/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Person } from '../auth/actor.ts'
import { type Requirement, requirePermission } from '../auth/guard.ts'
import type { Config } from '../config.ts'
import { badRequest, forbidden, notFound, unauthorized } from '../errors.ts'
import { isId } from '../ids.ts'
import { cookieName } from './cookies.ts'
import { countHeader } from './headers.ts'
import type { RequestLimits } from './limits.ts'

export interface Session {
  person: Person
  /** The membership in the organization that the request names; absent when there is none. */
  actor: Actor | undefined
  /** Why this person may do nothing in that organization now, as a sentence for the person. */
  refusal?: string | undefined
}

/** Who knows keys and sessions: the features do, and hand these to the doors. */
export interface Authenticators {
  /** The actor of a well-formed, existing key. */
  key(value: string, address: string): Promise<Actor | undefined>
  session(token: string, organizationId: string | undefined, address: string): Promise<Session | undefined>
}

export interface Caller {
  actor: Actor | undefined
  person: Person | undefined
}

/** Lets a request through to its handler, or throws: authenticate, then rate limit, then permission (open point 13). */
export type DoorKeeper = (request: FastifyRequest, reply: FastifyReply, requirement: Requirement) => Promise<Caller>

export const doorKeepers = (authenticate: Authenticators, limits: RequestLimits, config: Config): Record<Door, DoorKeeper> => {
  const sessionKeeper = sessionDoor(authenticate, limits, config)
  return { key: keyDoor(authenticate, limits), web: sessionKeeper, auth: sessionKeeper }
}

/** Reads `Authorization: Bearer` and nothing else: a cookie changes nothing here. */
const keyDoor =
  (authenticate: Authenticators, limits: RequestLimits): DoorKeeper =>
  async (request, reply, requirement) => {
    const value = bearerOf(request)
    const actor = value === undefined ? undefined : await authenticate.key(value, request.ip)
    if (!actor) {
      await limits.anonymous(reply, request.ip)
      reply.header('www-authenticate', 'Bearer')
      throw unauthorized(
        value === undefined
          ? 'Send an API key: Authorization: Bearer <API_KEY>.'
          : 'This API key is not valid. It may have been deleted; keys are made in the organization settings.',
      )
    }
    await limits.key(reply, actor.id, actor.organizationId)
    requirePermission(actor, requirement)
    return { actor, person: undefined }
  }

/** The text after `Bearer` when there is exactly one Authorization header of that scheme. */
export const bearerOf = (request: FastifyRequest): string | undefined => {
  const { authorization } = request.headers
  if (!authorization || countHeader(request.raw.rawHeaders, 'authorization') !== 1) return undefined
  return /^bearer +([^\s,]+)$/i.exec(authorization)?.[1]
}

/** Reads the session cookie and nothing else; the organization is named by `X-Organization`; writes need the same origin. */
const sessionDoor = (authenticate: Authenticators, limits: RequestLimits, config: Config): DoorKeeper => {
  const sessionCookie = cookieName('sid', config)
  return async (request, reply, requirement) => {
    const token = request.cookies[sessionCookie]
    const organizationId = headerText(request, 'x-organization')
    const named = organizationId !== undefined && isId('org', organizationId) ? organizationId : undefined
    const session = token ? await authenticate.session(token, named, request.ip) : undefined
    if (session) await limits.session(reply, session.person.userId)
    else await limits.anonymous(reply, request.ip)
    if (!session && requirement !== 'public') throw unauthorized('Sign in first.')
    if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, config)
    if (!session || requirement === 'public' || requirement === 'session') return { actor: undefined, person: session?.person }
    if (requirement === 'instance-admin') {
      if (!session.person.isInstanceAdmin) throw forbidden('Only an instance administrator may do this.')
      return { actor: undefined, person: session.person }
    }
    if (organizationId === undefined) throw badRequest('X-Organization: name the organization by its id in this header.')
    if (!session.actor) throw notFound('There is no such organization, or you are not a member of it.')
    if (session.refusal !== undefined) throw forbidden(session.refusal)
    requirePermission(session.actor, requirement)
    return { actor: session.actor, person: session.person }
  }
}

const headerText = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Refuses a write that another site makes a browser send. Browsers put `Origin` on every write and `Sec-Fetch-Site` on
 * every request; programs that send neither hold the cookie themselves.
 */
const requireSameOrigin = (request: FastifyRequest, config: Config): void => {
  const site = headerText(request, 'sec-fetch-site')
  const origin = headerText(request, 'origin')
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const allowedOrigin = origin === undefined || origin === new URL(config.FRONTEND_URL).origin || isOwnHost(origin, request.headers.host)
  if (!allowedOrigin || (foreignSite && origin !== new URL(config.FRONTEND_URL).origin)) {
    throw forbidden('Writes must come from the same origin as this server.')
  }
}

const isOwnHost = (origin: string, host: string | undefined): boolean => URL.canParse(origin) && new URL(origin).host === host
