import type { Role } from '@sortie/contract/core/scopes.ts'
import { CompiledQuery, type Insertable } from 'kysely'
import type { SignInMethod } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { PreparedReader, Statement } from '../../../platform/database/connection/prepared.ts'
import { countDeleted, hasRow } from '../../../platform/database/rows.ts'
import { RIGHTS, withSharedFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Sessions } from '../../../platform/database/types.gen.ts'
import { SESSION_COLUMNS, sessionJoins } from './session-columns.ts'

/** How a session was started. */
export interface SessionOrigin {
  method: SignInMethod
  /** Needed to sign out at the identity provider, sealed with `sealProviderSession`; null without one. */
  providerSession: Buffer | null
  /** When the provider last made the user sign in again. */
  confirmedAt: string | null
}

export interface SessionRow {
  id: string
  user_id: string
  name: string
  email: string
  is_instance_admin: boolean
  last_seen_at: string
  expires_at: string
  role: Role | null
  method: SignInMethod
  confirmed_at: string | null
  /** The organization accepts only sessions of the identity provider. */
  sso_enabled: boolean
  /** The organization requires a second factor, and this user has none. */
  lacks_second_factor: boolean
}

/** A named statement: every request with a session runs it. */
const FIND_SESSIONS: Statement<SessionRow & { position: number }> = {
  name: 'find_sessions',
  text: `select k.position, ${SESSION_COLUMNS}
    from unnest($1::bytea[], $2::text[]) with ordinality as k (token_hash, organization_id, position)
    join sessions s on s.token_hash = k.token_hash
    ${sessionJoins('k.organization_id')}`,
}

const FIND_SESSION_BY_ID = `select ${SESSION_COLUMNS} from sessions s ${sessionJoins('$2')} where s.id = $1`

/** Identifies the session of a request. */
export interface SessionKey {
  tokenHash: Buffer
  /** The organization of the request. */
  organizationId: string | undefined
}

/** Finds the session of each token, with the user's role in the request's organization, if any. */
export const findSessions = async (
  prepared: PreparedReader,
  keys: readonly SessionKey[],
): Promise<(SessionRow | undefined)[]> => {
  const rows = await prepared.query(FIND_SESSIONS, [
    keys.map(({ tokenHash }) => tokenHash),
    keys.map(({ organizationId }) => organizationId ?? null),
  ])
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return keys.map((_, index) => byPosition.get(index + 1))
}

/** Finds a session by id, within a transaction. @param named the organization, if any */
export const findSessionById = async (
  tx: Transaction,
  sessionId: string,
  named: string | null,
): Promise<SessionRow | undefined> =>
  (await tx.executeQuery<SessionRow>(CompiledQuery.raw(FIND_SESSION_BY_ID, [sessionId, named]))).rows[0]

/**
 * Locks what permits a user's change until the transaction ends: the account, the organization's rules, the session and
 * the membership. Revoking one of them waits. Any number of transactions can hold these locks at the same time.
 *
 * @returns true if all of them exist
 */
export const lockSessionForShare = (
  tx: Transaction,
  sessionId: string,
  userId: string,
  organizationId: string | undefined,
): Promise<boolean> => {
  const organizationRights =
    organizationId === undefined ? [] : [RIGHTS.rules(organizationId), RIGHTS.member(organizationId, userId)]
  const session = withSharedFairLocks(tx, RIGHTS.account(userId), ...organizationRights)
    .selectFrom(['fair_locks', 'users as u'])
    .innerJoin('sessions as s', 's.user_id', 'u.id')
    .select('s.id')
    .where('s.id', '=', sessionId)
  if (organizationId === undefined) return hasRow(session.forKeyShare(['u', 's']))
  const membership = session
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .where('m.organization_id', '=', organizationId)
  return hasRow(membership.forKeyShare(['u', 's', 'm']))
}

export const insertSession = async (tx: Transaction, session: Insertable<Sessions>): Promise<void> => {
  await tx.insertInto('sessions').values(session).execute()
}

/** Locks the row. @returns undefined once the session has ended */
export const lockSessionOrigin = async (tx: Transaction, sessionId: string): Promise<SessionOrigin | undefined> => {
  const row = await tx
    .selectFrom('sessions')
    .select(['method', 'provider_session', 'confirmed_at'])
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  return row && { method: row.method, providerSession: row.provider_session, confirmedAt: row.confirmed_at }
}

/** Keeps the user's newest sessions and ends the rest. */
export const deleteOldestSessions = async (tx: Transaction, userId: string, keep: number): Promise<void> => {
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .execute()
}

export const deleteSession = async (tx: Transaction, sessionId: string): Promise<void> => {
  await tx.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** @returns how many were ended */
export const deleteSessionsOfUser = (tx: Transaction, userId: string, exceptId?: string): Promise<number> => {
  const all = tx.deleteFrom('sessions').where('user_id', '=', userId)
  return countDeleted(exceptId ? all.where('id', '<>', exceptId) : all)
}

/** @returns true if the user had such a session */
export const deleteOwnSession = (tx: Transaction, userId: string, sessionId: string): Promise<boolean> =>
  hasRow(tx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', sessionId).returning('id'))

/** The user's sessions that have not ended by time, last used first. */
export const listSessions = (db: Database, userId: string, now: string, idleSince: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export const deleteEndedSessions = async (db: Database, now: string, idleSince: string): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', idleSince)]))
    .execute()
}

/** @returns how many were ended */
export const deleteEverySession = (tx: Transaction): Promise<number> => countDeleted(tx.deleteFrom('sessions'))
