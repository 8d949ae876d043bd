import type { Role } from '@sortie/contract/scopes.ts'
import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { PreparedReader, Statement } from '../../platform/database/prepared.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Sessions } from '../../platform/database/types.gen.ts'
import type { SignInMethod } from './after-sign-in.ts'
import type { Made } from './sessions.service.ts'

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
  /** The named organization is opened through the identity provider alone. */
  sso_enabled: boolean
  /** The named organization demands a second factor, and this person has none. */
  lacks_second_factor: boolean
}

const FIND_SESSION: Statement<SessionRow> = {
  name: 'find_session',
  text: `select s.id, s.user_id, u.name, u.email, u.is_instance_admin, s.last_seen_at, s.expires_at, s.method, s.confirmed_at, m.role,
      coalesce(o.sso_enabled, false) as sso_enabled,
      case when o.require_two_factor and f.user_id is null then not exists (select 1 from passkeys p where p.user_id = s.user_id) else false end
        as lacks_second_factor
    from sessions s
    join users u on u.id = s.user_id
    left join memberships m on m.organization_id = $2 and m.user_id = s.user_id
    left join organizations o on o.id = m.organization_id
    left join second_factors f on f.user_id = s.user_id and f.confirmed_at is not null
    where s.token_hash = $1`,
}

/** The session of a token, with the person's role in the named organization, if any. */
export const findSession = async (prepared: PreparedReader, tokenHash: Buffer, organizationId: string | null): Promise<SessionRow | undefined> =>
  (await prepared.query(FIND_SESSION, [tokenHash, organizationId]))[0]

export const insertSession = async (tx: Transaction, session: Insertable<Sessions>): Promise<void> => {
  await tx.insertInto('sessions').values(session).execute()
}

export const findMade = async (tx: Transaction, sessionId: string): Promise<Made | undefined> => {
  const row = await tx.selectFrom('sessions').select(['method', 'provider_session', 'confirmed_at']).where('id', '=', sessionId).executeTakeFirst()
  return row && { method: row.method as SignInMethod, providerSession: row.provider_session, confirmedAt: row.confirmed_at }
}

/** Keeps the newest sessions of a person and ends the rest. */
export const deleteOldestSessions = async (tx: Transaction, userId: string, keep: number): Promise<void> => {
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', (select) =>
      select.selectFrom('sessions').select('id').where('user_id', '=', userId).orderBy('created_at', 'desc').orderBy('id', 'desc').offset(keep),
    )
    .execute()
}

export const deleteSession = async (db: Database, sessionId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** @returns how many were ended */
export const deleteSessionsOfUser = async (db: Database, userId: string, exceptId?: string): Promise<number> => {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptId) query = query.where('id', '<>', exceptId)
  const rows = await query.returning('id').execute()
  return rows.length
}

/** @returns whether the person had such a session */
export const deleteOwnSession = async (db: Database, userId: string, sessionId: string): Promise<boolean> => {
  const row = await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', sessionId).returning('id').executeTakeFirst()
  return row !== undefined
}

/** The sessions of a person that have not ended by time, the one used last first. */
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
export const deleteEverySession = async (tx: Transaction): Promise<number> => {
  const result = await tx.deleteFrom('sessions').executeTakeFirst()
  return Number(result.numDeletedRows)
}
