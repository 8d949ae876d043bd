import { type Role, type Scope, SCOPE_NAMES, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import type { Insertable, Selectable } from 'kysely'
import type { Actor, Person } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import { plainChange } from '../../platform/database/change.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { DeviceAuthorizations } from '../../platform/database/types.gen.ts'
import { conflict, invalid, notFound, rateLimited, unavailable } from '../../platform/errors.ts'
import { addressBucket } from '../../platform/http/server/address.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { consume } from '../auth/throttle/throttle.service.ts'
import { hashesOfUserCode, hashUserCode, newDeviceCode, hashDeviceCode, newUserCode, shownUserCode } from './codes.ts'
import * as query from './device-logins.queries.ts'

/** RFC 8628: how long the codes work. */
export const CODE_SECONDS = 600
/** How long an authorization code works once it can be used (RFC 6749, section 4.1.2: 600 at most). */
export const AUTHORIZATION_CODE_SECONDS = 300
/** Seconds that a terminal waits between two requests. */
export const POLL_SECONDS = 5
const MAX_KEY_DAYS = 366
const DAY_MS = 24 * 60 * 60 * 1000
const WINDOW_MS = 15 * 60 * 1000
/** Codes that one network address may ask for in a quarter of an hour. */
const MAX_CODES = 30
/** Codes that one person may try in a quarter of an hour: of 26 billion. */
const MAX_TRIES = 30
/** Codes that work at the same time, so that outsiders cannot fill the table. */
const MAX_LIVING = 10_000
const ANSWERED = 'This code was answered already.'

export interface DeviceRequest {
  client: string
  /** Empty for any. */
  scopes: readonly Scope[]
  address: string
  userAgent: string
}

/** Starts a login: a terminal asks for a code. @throws ApiError RATE_LIMITED, 503 while too many codes work */
export const startDeviceLogin = async (
  { db, clock, keys, config }: Platform,
  { client, scopes, address, userAgent }: DeviceRequest,
) => {
  const wait = await consume(db, clock, `device-codes:${addressBucket(address)}`, MAX_CODES, WINDOW_MS)
  if (wait !== undefined) throw rateLimited('Too many codes for this address.', Math.ceil(wait / 1000))
  const deviceCode = newDeviceCode()
  const userCode = newUserCode()
  const now = clock.now()
  await plainChange(db)(async (tx) => {
    if ((await query.countLiving(tx, isoTime(now))) >= MAX_LIVING) throw unavailable('Too many terminals sign in now.')
    await query.insertAuthorization(tx, {
      id: newId('dva', now),
      device_code_hash: hashDeviceCode(deviceCode),
      user_code_hash: hashUserCode(keys, userCode),
      client,
      wanted_scopes: [...scopes],
      user_agent: userAgent,
      address,
      created_at: isoTime(now),
      expires_at: isoTime(now + CODE_SECONDS * 1000),
      poll_interval: POLL_SECONDS,
    })
  })
  const page = new URL('/device', config.FRONTEND_URL).href
  const shown = shownUserCode(userCode)
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${shown}`,
    expires_in: CODE_SECONDS,
    interval: POLL_SECONDS,
  }
}

type Authorization = Selectable<DeviceAuthorizations>

/** @throws ApiError NOT_FOUND for an unknown or expired code, RATE_LIMITED for a person who guesses */
export const readDeviceLogin = async (
  { db, clock, keys }: Pick<Platform, 'db' | 'clock' | 'keys'>,
  person: Person,
  userCode: string,
): Promise<Authorization> => {
  await requireTry(db, clock, person)
  const row = await query.findByUserCode(db, hashesOfUserCode(keys, userCode), isoTime(clock.now()))
  if (!row) throw unknownCode()
  return row
}

/** Adds the answer of a person to a client that opened a browser: it needs no code that the person enters. */
export const addAuthorization = (
  tx: Transaction,
  row: Omit<Insertable<DeviceAuthorizations>, 'user_code_hash' | 'poll_interval'>,
): Promise<void> => query.insertAuthorization(tx, { ...row, user_code_hash: null, poll_interval: POLL_SECONDS })

/** Notes that the code of an approval made this key. */
export const noteUse = (tx: Transaction, id: string, keyId: string): Promise<void> =>
  query.updateAuthorization(tx, id, { state: 'used', key_id: keyId })

const requireTry = async (db: Database, clock: Platform['clock'], person: Person): Promise<void> => {
  const wait = await consume(db, clock, `device-tries:${person.userId}`, MAX_TRIES, WINDOW_MS)
  if (wait !== undefined) throw rateLimited('Too many codes. Wait a while, then try again.', Math.ceil(wait / 1000))
}

const unknownCode = () => notFound('There is no such code. It may have expired: start again in the terminal.')

export interface Approval {
  name: string
  scopes: readonly Scope[]
  /** Undefined: what the person sees. */
  engagementIds?: 'open' | readonly string[]
  expiresAt: string
}

/**
 * A person gives the terminal a key that acts within the person's rights, narrowed to what the person has now.
 *
 * @param everywhere the database of all organizations: a code belongs to none before this
 * @throws ApiError NOT_FOUND, CONFLICT, VALIDATION_ERROR
 */
export const approveDeviceLogin = async (
  { db, change, clock, keys }: Writer,
  everywhere: Database,
  { actor, person }: { actor: Actor; person: Person },
  userCode: string,
  wanted: Approval,
): Promise<{ id: string; state: 'waiting' | 'approved' }> => {
  await requireTry(everywhere, clock, person)
  const listed = Array.isArray(wanted.engagementIds) ? (wanted.engagementIds as string[]) : []
  await requireWithinRights({ db, clock }, actor, { ...wanted, engagementIds: listed })
  return change(
    async (tx) => {
      const row = await query.lockByUserCode(tx, hashesOfUserCode(keys, userCode), isoTime(clock.now()))
      if (!row) throw unknownCode()
      if (row.state !== 'pending') throw conflict(ANSWERED)
      const beyond = wanted.scopes.findIndex((scope) => !isWanted(row, scope))
      if (beyond >= 0) throw invalid(`scopes.${beyond}: must be a scope that the terminal asked for`)
      await query.updateAuthorization(tx, row.id, {
        state: 'approved',
        organization_id: actor.organizationId,
        approved_by: actor.id,
        key_name: wanted.name,
        scopes: [...wanted.scopes],
        engagement_access:
          wanted.engagementIds === undefined ? 'all' : wanted.engagementIds === 'open' ? 'open' : 'listed',
        engagement_ids: listed,
        key_expires_at: wanted.expiresAt,
      })
      await recordAudit(tx, actor, clock, {
        action: 'device-login.approved',
        object: { type: 'device-login', id: row.id },
        after: { name: wanted.name, client: row.client, scopes: wanted.scopes, expiresAt: wanted.expiresAt },
      })
      return { id: row.id, state: actor.role === 'member' ? ('waiting' as const) : ('approved' as const) }
    },
    { db: everywhere },
  )
}

/** @throws ApiError VALIDATION_ERROR for an approval of more than the person has, or for too long */
export const requireWithinRights = async (
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  actor: Actor,
  wanted: { scopes: readonly Scope[]; engagementIds: readonly string[]; expiresAt: string },
): Promise<void> => {
  const ends = Date.parse(wanted.expiresAt)
  if (ends <= clock.now()) throw invalid('expiresAt: must be in the future')
  if (ends > clock.now() + MAX_KEY_DAYS * DAY_MS) throw invalid(`expiresAt: must be within ${MAX_KEY_DAYS} days`)
  const excess = wanted.scopes.findIndex((scope) => !actor.scopes.has(scope))
  if (excess >= 0) throw invalid(`scopes.${excess}: must be a scope that you have yourself`)
  const visible = new Set(await query.listVisible(db, actor.organizationId, wanted.engagementIds))
  const unseen = wanted.engagementIds.findIndex((id) => !visible.has(id))
  if (unseen >= 0) throw invalid(`engagementIds.${unseen}: must be an engagement of this organization`)
}

const isWanted = ({ wanted_scopes: wanted }: Authorization, scope: Scope): boolean =>
  wanted.length === 0 || wanted.includes(scope)

/** @throws ApiError NOT_FOUND, CONFLICT */
export const denyDeviceLogin = async (
  { db, change, clock, keys }: Writer,
  person: Person,
  userCode: string,
): Promise<{ id: string; state: 'denied' }> => {
  await requireTry(db, clock, person)
  return change(async (tx) => {
    const row = await query.lockByUserCode(tx, hashesOfUserCode(keys, userCode), isoTime(clock.now()))
    if (!row) throw unknownCode()
    if (row.state !== 'pending') throw conflict(ANSWERED)
    await query.updateAuthorization(tx, row.id, { state: 'denied' })
    await recordAudit(tx, { person }, clock, {
      action: 'device-login.denied',
      object: { type: 'device-login', id: row.id },
      before: { name: row.client },
    })
    return { id: row.id, state: 'denied' as const }
  })
}

/** An owner or admin answers the approval of a member. @throws ApiError NOT_FOUND unless it waits */
export const answerDeviceLogin = (
  { change, clock }: Writer,
  actor: Actor,
  id: string,
  isConfirmed: boolean,
): Promise<{ id: string; state: 'approved' | 'denied' }> =>
  change(async (tx) => {
    const waiting = await query.lockWaiting(tx, actor.organizationId, id, isoTime(clock.now()))
    if (!waiting) throw notFound()
    const isCode = waiting.client_id !== null
    const now = clock.now()
    await query.updateAuthorization(
      tx,
      id,
      isConfirmed
        ? { confirmed_by: actor.id, ...(isCode && { expires_at: isoTime(now + AUTHORIZATION_CODE_SECONDS * 1000) }) }
        : { state: 'denied' },
    )
    await recordAudit(tx, actor, clock, {
      action: isConfirmed ? 'device-login.confirmed' : 'device-login.refused',
      object: { type: 'device-login', id },
      after: { name: waiting.key_name, scopes: waiting.scopes, approvedBy: waiting.approved_by },
    })
    return { id, state: isConfirmed ? ('approved' as const) : ('denied' as const) }
  })

/** Scopes that the page offers: what the terminal asked for. */
export const wantedScopes = (row: Authorization): Scope[] => SCOPE_NAMES.filter((scope) => isWanted(row, scope))

/** Whether the approver makes keys, or someone who does has confirmed it. */
export const isConfirmed = (row: Authorization, role: Role): boolean => role !== 'member' || row.confirmed_by !== null

/** Narrowed to what the role grants when the key is made. */
export const grantedScopes = (row: Authorization, role: Role): Scope[] =>
  scopesOfRole(role).filter((scope) => row.scopes?.includes(scope))
