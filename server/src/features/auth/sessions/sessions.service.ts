import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import { newSessionToken } from '../../../platform/auth/session-token.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { decrypt, encrypt, type Keys, sha256 } from '../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { forbidden, unauthorized } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { type LockedAccount, lockAccount, lockAccountForRevocation } from '../accounts/accounts.queries.ts'
import { endEveryTicket, endTickets } from '../pending-sign-ins/pending-sign-ins.service.ts'
import type { SessionOrigin } from './sessions.queries.ts'
import * as query from './sessions.queries.ts'

/** ASVS 7.3: an unused session ends after the first limit, any session after the second. */
export const SESSION_IDLE_MS = 60 * 60 * 1000
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000
const MAX_SESSIONS_PER_USER = 10

const DISABLED = 'This account is disabled. Ask the operator of this server to enable it.'

const BY_PASSWORD: SessionOrigin = { method: 'password', providerSession: null, confirmedAt: null }

/** Data for signing out at the provider is as secret as a session: an id token names a user. */
export const sealProviderSession = (keys: Keys, userId: string, hint: string): Buffer =>
  encrypt(keys.encryption, hint, providerSessionContext(userId))

/** @returns undefined if there is none, or if it was encrypted under another `SESSION_SECRET` */
export const findProviderSession = async (
  tx: Transaction,
  keys: Keys,
  person: { sessionId: string; userId: string },
): Promise<string | undefined> => {
  const sealed = (await query.lockSessionOrigin(tx, person.sessionId))?.providerSession
  try {
    return sealed ? decrypt(keys.encryption, sealed, providerSessionContext(person.userId)) : undefined
  } catch {
    return undefined
  }
}

const providerSessionContext = (userId: string) => `sessions/provider_session/${userId}`

/**
 * Starts a session. The token is only in the cookie and is not stored; it carries a signature made with
 * `SESSION_SECRET`.
 *
 * @param account locked, and compared under that lock with what was proved: no session outlives a change that was made
 *   during its sign-in (abuse case S18)
 * @throws ApiError FORBIDDEN for a disabled account
 */
export const startSession = async (
  tx: Transaction,
  keys: Keys,
  clock: Clock,
  account: LockedAccount,
  device: Device,
  origin: SessionOrigin = BY_PASSWORD,
): Promise<string> => {
  if (account.disabled_at !== null) throw forbidden(DISABLED)
  const token = newSessionToken(keys)
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
 * Ends every session of a user and starts a new one with the same origin as the current one: called after a change of
 * password or second factor, or a new identity (abuse case S1).
 *
 * @throws ApiError UNAUTHORIZED when the current session has ended; the transaction is then rolled back
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
 * Replaces the current session with a new one; the user's other sessions continue (abuse case S1).
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
  if (!origin) throw unauthorized('Your session has ended. Sign in, then start again.')
  return origin
}

/**
 * Ends every session of a user, and every sign-in that waits for its second factor. Waits for a sign-in that is being
 * completed, and ends its session too.
 *
 * @returns how many sessions
 */
export const endSessions = async (tx: Transaction, userId: string): Promise<number> => {
  await lockAccount(tx, userId)
  await endTickets(tx, userId)
  return query.deleteSessionsOfUser(tx, userId)
}

/**
 * Ends the current session, after the changes that it is making. A session that has already ended counts as signed out.
 *
 * @returns the data for signing out at the identity provider, if there is any
 */
export const signOut = ({ db, clock, keys }: Platform, person: Person): Promise<string | undefined> =>
  transaction(db, async (tx) => {
    await lockAccountForRevocation(tx, person.userId)
    const providerSession = await findProviderSession(tx, keys, person)
    if (!(await query.deleteOwnSession(tx, person.userId, person.sessionId))) return undefined
    await recordAudit(tx, { person }, clock, {
      action: 'session.ended',
      object: { type: 'session', id: person.sessionId },
      after: { signedOut: true },
    })
    return providerSession
  })

export const endSession = (tx: Transaction, sessionId: string): Promise<void> => query.deleteSession(tx, sessionId)

/** Ends every session of all users. @returns how many sessions there were */
export const endEverySession = async (tx: Transaction): Promise<number> => {
  await endEveryTicket(tx)
  return query.deleteEverySession(tx)
}
