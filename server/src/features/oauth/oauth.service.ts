import type { Scope } from '@sortie/contract/core/scopes.ts'
import type { Selectable } from 'kysely'
import type { Actor, Person } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Outside } from '../../platform/concurrency/outside.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import { type Keys, sha256, sign } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { DeviceAuthorizations } from '../../platform/database/types.gen.ts'
import { invalid, notFound, rateLimited } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { mayCreateFor } from '../agents/agents.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { consume } from '../auth/throttle/throttle.service.ts'
import { findOwnAuthorization } from '../device-logins/device-logins.queries.ts'
import {
  addAuthorization,
  AUTHORIZATION_CODE_SECONDS,
  CODE_SECONDS,
  isConfirmed,
  requireWithinRights,
} from '../device-logins/device-logins.service.ts'
import { isLocal, readRequest, redirectWith } from './authorization-request.ts'
import type { ReadClientDocument } from './client-documents.ts'

const WINDOW_MS = 15 * 60 * 1000
/** Requests of clients that one person may read or answer in a quarter of an hour. */
const MAX_TRIES = 60

/** The code of an approval: as long as the approval waits, it is nowhere. */
const codeOf = (keys: Keys, id: string): string => sign(keys.authorizationCode, id)

export const hashAuthorizationCode = (code: string): Buffer => sha256(code)

/** What the person sees of a client: the name that it gives itself, and the host that vouches for it. */
const shownClient = ({ name, host }: { name: string; host: string }): string => `${name} (${host})`

const requireTry = async ({ db, clock }: Pick<Platform, 'db' | 'clock'>, person: Person): Promise<void> => {
  const wait = await consume(db, clock, `oauth-requests:${person.userId}`, MAX_TRIES, WINDOW_MS)
  if (wait !== undefined)
    throw rateLimited('Too many requests of clients. Wait a while, then try again.', Math.ceil(wait / 1000))
}

/** @throws ApiError VALIDATION_ERROR for a client or redirect URI that is not valid, RATE_LIMITED, CONFLICT in safe mode */
export const readAuthorizationRequest = async (
  { db, clock, config, outside }: Platform & { outside: Outside },
  readDocument: ReadClientDocument,
  person: Person,
  encoded: string,
) => {
  await requireTry({ db, clock }, person)
  const request = await outside(() => readRequest(config, readDocument, encoded))
  const { client, redirectUri, scopes, problem } = request
  return {
    client: { id: client.id, name: client.name, host: client.host },
    redirect: { host: new URL(redirectUri).host, isLocal: isLocal(redirectUri) },
    scopes: [...scopes],
    refusal: problem
      ? {
          ...problem,
          redirectTo: redirectWith(config, request, { error: problem.error, error_description: problem.description }),
        }
      : null,
  }
}

export interface Approval {
  name?: string
  scopes?: readonly Scope[]
  engagementIds?: readonly string[]
  expiresAt?: string
}

interface Answer {
  id: string | null
  state: 'waiting' | 'approved' | 'denied'
  redirectTo: string | null
}

/**
 * A person answers a client. Approved, the client exchanges a code for the key of an agent that belongs to the person.
 *
 * @param everywhere the database of all organizations: the approval is read without one when its code is used
 * @throws ApiError VALIDATION_ERROR, RATE_LIMITED, CONFLICT in safe mode
 */
export const answerAuthorizationRequest = async (
  writer: Writer & { outside: Outside; userAgent: string; address: string },
  everywhere: Database,
  readDocument: ReadClientDocument,
  { actor, person }: { actor: Actor; person: Person },
  { request: encoded, approve, ...wanted }: Approval & { request: string; approve: boolean },
): Promise<Answer> => {
  const { change, clock, config, keys, outside, userAgent, address } = writer
  await requireTry({ db: everywhere, clock }, person)
  const request = await outside(() => readRequest(config, readDocument, encoded))
  const client = shownClient(request.client)
  if (!approve) {
    await change((tx) =>
      recordAudit(tx, actor, clock, {
        action: 'device-login.denied',
        object: { type: 'device-login', id: newId('dva', clock.now()) },
        before: { name: client, client: request.client.id },
      }),
    )
    return { id: null, state: 'denied', redirectTo: denial(config, request) }
  }
  if (request.problem) throw invalid(`request: ${request.problem.description}`)
  const { name = request.client.name, ...limits } = wanted
  const { scopes, engagementIds, expiresAt } = requireLimits(limits)
  const beyond = scopes.findIndex((scope) => !request.scopes.includes(scope))
  if (beyond >= 0) throw invalid(`scopes.${beyond}: must be a scope that the client asked for`)
  await requireWithinRights(writer, actor, { scopes, engagementIds, expiresAt })
  return change(
    async (tx) => {
      const now = clock.now()
      const id = newId('dva', now)
      const code = codeOf(keys, id)
      const mayMake = await mayCreateFor(tx, actor, engagementIds)
      await addAuthorization(tx, {
        id,
        device_code_hash: hashAuthorizationCode(code),
        client,
        wanted_scopes: [...request.scopes],
        user_agent: userAgent,
        address,
        created_at: isoTime(now),
        expires_at: isoTime(now + (mayMake ? AUTHORIZATION_CODE_SECONDS : CODE_SECONDS) * 1000),
        state: 'approved',
        organization_id: actor.organizationId,
        approved_by: actor.id,
        // A lead confirms for the engagements that the lead leads: still, when the code is used.
        confirmed_by: mayMake ? actor.id : null,
        key_name: name,
        scopes: [...scopes],
        engagement_access: 'listed',
        engagement_ids: [...engagementIds],
        key_expires_at: expiresAt,
        client_id: request.client.id,
        redirect_uri: request.redirectUri,
        code_challenge: request.codeChallenge,
        resource: request.resource,
        client_state: request.state ?? null,
      })
      await recordAudit(tx, actor, clock, {
        action: 'device-login.approved',
        object: { type: 'device-login', id },
        after: { name, client, clientId: request.client.id, scopes, engagementIds, expiresAt },
      })
      return {
        id,
        state: mayMake ? ('approved' as const) : ('waiting' as const),
        redirectTo: mayMake ? redirectWith(config, request, { code }) : null,
      }
    },
    { db: everywhere },
  )
}

const requireLimits = ({ scopes, engagementIds, expiresAt }: Omit<Approval, 'name'>) => {
  if (!scopes) throw invalid('scopes: must be given')
  if (!engagementIds) throw invalid('engagementIds: must be given')
  if (expiresAt === undefined) throw invalid('expiresAt: must be given')
  return { scopes, engagementIds, expiresAt }
}

const denial = (config: Platform['config'], request: { redirectUri: string; state: string | undefined }): string =>
  redirectWith(config, request, { error: 'access_denied', error_description: 'The person refused.' })

/** The approval of the caller, with the code once it can be used. @throws ApiError NOT_FOUND, also for an expired one */
export const readAuthorization = async (
  { db, clock, config, keys }: Pick<Platform, 'db' | 'clock' | 'config' | 'keys'>,
  actor: Actor,
  id: string,
) => {
  const row = await findOwnAuthorization(db, actor.organizationId, actor.id, id, isoTime(clock.now()))
  if (!row || row.redirect_uri === null || row.state === 'pending') throw notFound()
  const request = { redirectUri: row.redirect_uri, state: row.client_state ?? undefined }
  const state = row.state === 'approved' && !isReady(row, actor) ? ('waiting' as const) : row.state
  return {
    id,
    state,
    expiresAt: row.expires_at,
    redirectTo:
      state === 'approved'
        ? redirectWith(config, request, { code: codeOf(keys, id) })
        : state === 'denied'
          ? denial(config, request)
          : null,
  }
}

const isReady = (row: Selectable<DeviceAuthorizations>, { role }: Actor): boolean =>
  role !== undefined && isConfirmed(row, role)
