import { scopesOfRole } from '@sortie/contract/scopes.ts'
import type { Person } from '../../../platform/auth/actor.ts'
import { isDelegated } from '../../../platform/auth/sign-in-method.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { decrypt, encrypt, type Keys, randomToken, sha256, sign, verifySignature } from '../../../platform/crypto.ts'
import { batched, type PreparedReader } from '../../../platform/database/prepared.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { Session } from '../../../platform/http/doors.ts'
import { newId } from '../../../platform/ids.ts'
import { type LockedAccount, lockAccount } from '../accounts/accounts.queries.ts'
import type { LastSeen } from './last-seen.ts'
import type { Device, SessionOrigin } from './session-types.ts'
import * as query from './sessions.queries.ts'
import { deleteTicketsOfUser } from './tickets.queries.ts'

/** ASVS 7.3: an unused session ends after this, any session after the other. */
export const SESSION_IDLE_MS = 60 * 60 * 1000
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000
const MAX_SESSIONS_PER_USER = 10

const SECOND_FACTOR_DEMANDED = 'This organization demands a second factor. Set one up in your account, then come back.'

const PROVIDER_DEMANDED = 'This organization is opened through the identity provider alone. Sign out, then sign in through it.'

const BY_PASSWORD: SessionOrigin = { method: 'password', providerSession: null, confirmedAt: null }

/** What signing out at the provider needs is as secret as a session: an id token names a person. */
export const sealProviderSession = (keys: Keys, userId: string, hint: string): Buffer => encrypt(keys.encryption, hint, providerSessionContext(userId))

/** @returns undefined where there is none, or when it was sealed under another `SESSION_SECRET` */
export const findProviderSession = async (tx: Transaction, keys: Keys, person: { sessionId: string; userId: string }): Promise<string | undefined> => {
  const sealed = (await query.lockSessionOrigin(tx, person.sessionId))?.providerSession
  try {
    return sealed ? decrypt(keys.encryption, sealed, providerSessionContext(person.userId)) : undefined
  } catch {
    return undefined
  }
}

const providerSessionContext = (userId: string) => `sessions/provider_session/${userId}`

/**
 * Starts a session. The token is for the cookie and is stored nowhere; it carries a signature of `SESSION_SECRET`.
 *
 * @param account locked, and compared under that lock with what was proven: no session outlives a change that was
 *   made while its sign-in was under way (abuse case S18)
 */
export const startSession = async (
  tx: Transaction,
  keys: Keys,
  clock: Clock,
  account: LockedAccount,
  device: Device,
  origin: SessionOrigin = BY_PASSWORD,
): Promise<string> => {
  const secret = randomToken()
  const token = `${secret}.${sign(keys.session, secret)}`
  const now = clock.now()
  await query.insertSession(tx, {
    id: newId('ses', now),
    token_hash: sha256(token),
    user_id: account.id,
    user_agent: device.userAgent.slice(0, 400),
    address: device.address,
    created_at: isoTime(now),
    last_seen_at: isoTime(now),
    expires_at: isoTime(now + SESSION_LIFETIME_MS),
    method: origin.method,
    provider_session: origin.providerSession,
    confirmed_at: origin.confirmedAt,
  })
  await query.deleteOldestSessions(tx, account.id, MAX_SESSIONS_PER_USER)
  return token
}

/**
 * Ends every session of a person and starts a new one, made as the asking one was: what follows a change of password or
 * second factor, or a new identity (abuse case S1).
 *
 * @throws ApiError UNAUTHORIZED when the asking session has ended meanwhile: nothing of the transaction holds then
 */
export const replaceSessions = async (
  tx: Transaction,
  keys: Keys,
  clock: Clock,
  person: { userId: string; sessionId: string },
  device: Device,
): Promise<{ token: string; ended: number }> => {
  const account = await lockAccount(tx, person.userId)
  const origin = await lockLivingSession(tx, person.sessionId)
  const ended = await endSessions(tx, person.userId)
  return { token: await startSession(tx, keys, clock, account, device, origin), ended }
}

/**
 * Puts a new session in the place of the asking one; the others go on (abuse case S1).
 *
 * @returns its token
 * @throws ApiError UNAUTHORIZED as above
 */
export const renewSession = async (
  tx: Transaction,
  keys: Keys,
  clock: Clock,
  person: { userId: string; sessionId: string },
  device: Device,
  change: Partial<SessionOrigin>,
): Promise<string> => {
  const account = await lockAccount(tx, person.userId)
  const origin = await lockLivingSession(tx, person.sessionId)
  await query.deleteSession(tx, person.sessionId)
  return startSession(tx, keys, clock, account, device, { ...origin, ...change })
}

const lockLivingSession = async (tx: Transaction, sessionId: string): Promise<SessionOrigin> => {
  const origin = await query.lockSessionOrigin(tx, sessionId)
  if (!origin) throw unauthorized('Your session has ended meanwhile. Sign in, then start again.')
  return origin
}

/**
 * Ends every session of a person, and every sign-in that waits for its second factor. One that is being completed is
 * waited for, and ends too.
 *
 * @returns how many sessions
 */
export const endSessions = async (tx: Transaction, userId: string): Promise<number> => {
  await lockAccount(tx, userId)
  await deleteTicketsOfUser(tx, userId)
  return query.deleteSessionsOfUser(tx, userId)
}

/** Whether a cookie's value was made here: anything else costs no query. */
const isGenuine = (keys: Keys, token: string): boolean => {
  const dot = token.indexOf('.')
  return dot > 0 && token.length < 200 && verifySignature(keys.session, token.slice(0, dot), token.slice(dot + 1))
}

/** Resolves cookies into sessions; what it reads is as fresh as the request. */
export const sessionAuthenticator = (prepared: PreparedReader, keys: Keys, clock: Clock, lastSeen: LastSeen) => {
  const find = batched((sessions: readonly query.SessionKey[]) => query.findSessions(prepared, sessions))
  return async (token: string, organizationId: string | undefined, address: string): Promise<Session | undefined> => {
    if (!isGenuine(keys, token)) return undefined
    const row = await find({ tokenHash: sha256(token), organizationId })
    const now = clock.now()
    if (!row || hasEnded(row, now)) return undefined
    lastSeen.note(row.id, row.role ? organizationId : undefined, row.user_id, now)
    return toSession(row, organizationId, address)
  }
}

/** The same within a change: what the session rests on stays until the transaction ends. */
export const sessionLock =
  (clock: Clock) =>
  async (tx: Transaction, person: Person, organizationId: string | undefined): Promise<Session | undefined> => {
    const isComplete = await query.shareSession(tx, person.sessionId, person.userId, organizationId)
    if (!isComplete && organizationId === undefined) return undefined
    // Read by a statement of its own: what the first one waited for is seen.
    const row = await query.findSessionById(tx, person.sessionId, (isComplete && organizationId) || null)
    return row && !hasEnded(row, clock.now()) ? toSession(row, organizationId, person.address) : undefined
  }

const hasEnded = (row: query.SessionRow, nowMs: number): boolean =>
  Date.parse(row.expires_at) <= nowMs || Date.parse(row.last_seen_at) + SESSION_IDLE_MS <= nowMs

const toSession = (row: query.SessionRow, organizationId: string | undefined, address: string): Session => {
  const person = {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    sessionId: row.id,
    isInstanceAdmin: row.is_instance_admin,
    address,
    method: row.method,
    confirmedAt: row.confirmed_at,
  }
  if (!row.role || !organizationId) return { person, actor: undefined }
  return {
    person,
    refusal: refusalOf(row),
    actor: { kind: 'user', id: row.user_id, name: row.name, organizationId, scopes: new Set(scopesOfRole(row.role)), role: row.role, address },
  }
}

/** Every door is held to the same rules of the organization, at each request (abuse case S9). */
const refusalOf = (row: query.SessionRow): string | undefined => {
  if (row.sso_enabled && !isDelegated(row.method)) return PROVIDER_DEMANDED
  return row.lacks_second_factor ? SECOND_FACTOR_DEMANDED : undefined
}
