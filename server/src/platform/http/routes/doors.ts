import type { Door } from '@sortie/contract/core/endpoint.ts'
import type { About } from '@sortie/contract/core/scopes.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Person } from '../../auth/actor.ts'
import { type Requirement, requirePermission, requireReach } from '../../auth/guard.ts'
import type { Config } from '../../config.ts'
import { enterView, type Transaction } from '../../database/transaction.ts'
import { badRequest, forbidden, notFound, unauthorized } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { cookieName } from '../answers/cookies.ts'
import { countHeader } from '../answers/headers.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'

export interface Session {
  person: Person
  /** The membership in the organization that the request names, if any. */
  actor: Actor | undefined
  /** Why this person may do nothing in that organization now, as a sentence for the person. */
  refusal?: string | undefined
}

/** Finds keys and sessions; the features implement it and hand it to the doors. */
export interface Authenticators {
  /** The actor of a well-formed, existing key. */
  key(value: string, address: string): Promise<Actor | undefined>
  session(token: string, organizationId: string | undefined, address: string): Promise<Session | undefined>
  /** The key as it is now, locked against deletion until the transaction ends. */
  lockKey(tx: Transaction, key: Actor): Promise<Actor | undefined>
  /**
   * The session as it is now. Until the transaction ends, neither the session nor the membership or right behind it can
   * end.
   */
  lockSession(tx: Transaction, person: Person, organizationId: string | undefined): Promise<Session | undefined>
}

export interface Caller {
  actor: Actor | undefined
  person: Person | undefined
}

/** An endpoint's declaration of its permitted callers. */
export interface Access {
  requirement: Requirement
  about: About
}

/** Decides who may pass, up to three times per request, each time by the data stored at that moment. */
export interface AuthGate {
  /**
   * Runs once the headers are there: authenticate, then rate limit, then permission (open point 13). @throws ApiError
   */
  admit(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<Caller>
  /**
   * Checks again after a body that was still arriving at the first check. Does not count again. @throws ApiError as
   * `admit`
   */
  readmit(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<Caller>
  /** Checks again within a change and locks the right until the change ends. @throws ApiError as `admit` */
  recheck(tx: Transaction, caller: Caller, reply: FastifyReply, access: Access): Promise<void>
}

export const authGates = (
  authenticate: Authenticators,
  limits: RequestLimits,
  config: Config,
): Record<Door, AuthGate> => {
  const session = sessionGate(authenticate, limits, config)
  return { key: keyGate(authenticate, limits), web: session, auth: session }
}

/** Reads `Authorization: Bearer` only: a cookie has no effect. */
const keyGate = (authenticate: Authenticators, limits: RequestLimits): AuthGate => {
  const find = async (request: FastifyRequest) => {
    const value = bearerOf(request)
    return value === undefined ? undefined : authenticate.key(value, request.ip)
  }
  const refuse = (reply: FastifyReply, isMissing = false) => {
    reply.header('www-authenticate', 'Bearer')
    return unauthorized(
      isMissing
        ? 'Send an API key: Authorization: Bearer <API_KEY>.'
        : 'This API key is not valid. It may have been deleted; create keys in the organization settings.',
    )
  }
  return {
    admit: async (request, reply, access) => {
      const actor = await find(request)
      if (!actor) {
        await limits.anonymous(reply, request.ip)
        throw refuse(reply, bearerOf(request) === undefined)
      }
      await limits.key(reply, actor.id, actor.organizationId)
      requireAccess(actor, access)
      return { actor, person: undefined }
    },
    readmit: async (request, reply, access) => {
      const actor = await find(request)
      if (!actor) throw refuse(reply)
      requireAccess(actor, access)
      return { actor, person: undefined }
    },
    recheck: async (tx, { actor }, reply, access) => {
      const now = actor && (await authenticate.lockKey(tx, actor))
      if (!now) throw refuse(reply)
      requireAccess(now, access)
    },
  }
}

/** @throws ApiError FORBIDDEN */
export const requireAccess = (actor: Actor, { requirement, about }: Access): void => {
  requirePermission(actor, requirement)
  requireReach(actor, about)
}

/** The text after `Bearer` if there is exactly one Authorization header of that scheme. */
export const bearerOf = ({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined => {
  const { authorization } = raw.headers
  if (!authorization || countHeader(raw.rawHeaders, 'authorization') !== 1) return undefined
  return /^bearer +([^\s,]+)$/i.exec(authorization)?.[1]
}

/**
 * Reads the session cookie only. `X-Organization` names the organization; for files, so may the query. Writes need the
 * same origin.
 */
const sessionGate = (authenticate: Authenticators, limits: RequestLimits, config: Config): AuthGate => {
  const sessionCookie = cookieName('sid', config)
  const find = async (request: FastifyRequest) => {
    const token = request.cookies[sessionCookie]
    const organizationId = organizationNamed(request)
    const named = organizationId !== undefined && isId('org', organizationId) ? organizationId : undefined
    return token ? authenticate.session(token, named, request.ip) : undefined
  }
  const noteSession = ({ cookies, server }: FastifyRequest, session: Session | undefined) => {
    const token = cookies[sessionCookie]
    if (token && session) server.signedInReads.remember(token, session.person.userId)
    else if (token) server.signedInReads.forget(token)
  }
  return {
    admit: async (request, reply, { requirement }) => {
      const session = await find(request)
      noteSession(request, session)
      if (session) await limits.session(reply, session.person.userId)
      else await limits.anonymous(reply, request.ip)
      requireSession(session, requirement)
      if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, config)
      return callerOf(session, requirement, organizationNamed(request))
    },
    readmit: async (request, _reply, { requirement }) => {
      const session = await find(request)
      requireSession(session, requirement)
      return callerOf(session, requirement, organizationNamed(request))
    },
    recheck: async (tx, { actor, person }, _reply, { requirement }) => {
      // The caller is not signed in and does not have to be.
      if (!person) return
      const session = await authenticate.lockSession(tx, person, actor?.organizationId)
      // Also on public endpoints: an action in a person's name needs the person.
      if (!session) throw signInFirst()
      const now = callerOf(session, requirement, actor?.organizationId).actor
      if (now && now.viewer !== actor?.viewer) await enterView(tx, now.viewer)
    },
  }
}

const signInFirst = () => unauthorized('Sign in first.')

/** @throws ApiError UNAUTHORIZED */
const requireSession = (session: Session | undefined, requirement: Requirement): void => {
  if (!session && requirement !== 'public') throw signInFirst()
}

/**
 * The caller that a session makes on a route. @throws ApiError FORBIDDEN, NOT_FOUND, or BAD_REQUEST if no organization
 * is named
 */
const callerOf = (
  session: Session | undefined,
  requirement: Requirement,
  organizationId: string | undefined,
): Caller => {
  if (!session || requirement === 'public' || requirement === 'session')
    return { actor: undefined, person: session?.person }
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

/**
 * Browsers send no custom header with an image or a download that they open by its address. Those GETs may name the
 * organization in the query, as `organizationId` or `organization`, if the browser reports that this server's own page,
 * or no page, made the request. Only `organizationId` works where a list has a filter `organization`.
 */
const organizationNamed = (request: FastifyRequest): string | undefined => {
  const named = headerText(request, 'x-organization')
  if (named !== undefined || !request.routeOptions.config.isOpenedByAddress) return named
  const site = headerText(request, 'sec-fetch-site')
  if (site !== 'same-origin' && site !== 'none') return undefined
  const query = new URLSearchParams(request.raw.url?.split('?')[1])
  return query.get('organizationId') ?? query.get('organization') ?? undefined
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
  if (!isOwnOrigin(request, config) || (foreignSite && origin !== new URL(config.FRONTEND_URL).origin)) {
    throw forbidden('Writes must come from the same origin as this server.')
  }
}

/** Reports whether a request comes from a page of this server, or from a program that names no page. */
export const isOwnOrigin = ({ headers }: FastifyRequest, config: Pick<Config, 'FRONTEND_URL'>): boolean => {
  const { origin, host } = headers
  return origin === undefined || origin === new URL(config.FRONTEND_URL).origin || isOwnHost(origin, host)
}

/** The Host was checked before: it is one of this server's. */
const isOwnHost = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host
