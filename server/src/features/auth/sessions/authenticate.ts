import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { isDelegated, type Person, viewerOf } from '../../../platform/auth/actor.ts'
import { isGenuineSessionToken } from '../../../platform/auth/session-token.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { type Keys, sha256 } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { batched, type PreparedReader } from '../../../platform/database/connection/prepared.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Session } from '../../../platform/http/routes/doors.ts'
import * as query from './sessions.queries.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'

const SECOND_FACTOR_DEMANDED =
  'This organization requires two-factor authentication. Set it up in your account, then return.'

const PROVIDER_DEMANDED =
  'This organization requires sign-in through the identity provider. Sign out, then sign in through it.'

/** Resolves cookies into sessions; what it reads is as fresh as the request. */
export const sessionAuthenticator = (prepared: PreparedReader, keys: Keys, clock: Clock, lastSeen: LastSeen) => {
  const find = batched((sessions: readonly query.SessionKey[]) => query.findSessions(prepared, sessions))
  return async (token: string, organizationId: string | undefined, address: string): Promise<Session | undefined> => {
    if (!isGenuineSessionToken(keys, token)) return undefined
    const row = await find({ tokenHash: sha256(token), organizationId })
    const now = clock.now()
    if (!row || hasEnded(row, now)) return undefined
    lastSeen.note(row.id, row.role ? organizationId : undefined, row.user_id, now)
    return toSession(row, organizationId, address)
  }
}

/** Locks a session within a change: the rows that it depends on stay until the transaction ends. */
export const sessionLock =
  (clock: Clock) =>
  async (tx: Transaction, person: Person, organizationId: string | undefined): Promise<Session | undefined> => {
    const isComplete = await query.lockSessionForShare(tx, person.sessionId, person.userId, organizationId)
    if (!isComplete && organizationId === undefined) return undefined
    // A separate statement, so that it sees what the lock waited for.
    const row = await query.findSessionById(tx, person.sessionId, (isComplete && organizationId) || null)
    return row && !hasEnded(row, clock.now()) ? toSession(row, organizationId, person.address) : undefined
  }

/** By time, in use or not. */
export const hasEnded = (row: query.SessionRow, nowMs: number): boolean =>
  Date.parse(row.expires_at) <= nowMs || Date.parse(row.last_seen_at) + SESSION_IDLE_MS <= nowMs

export const toSession = (row: query.SessionRow, organizationId: string | undefined, address: string): Session => {
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
    actor: {
      kind: 'user',
      id: row.user_id,
      name: row.name,
      organizationId,
      viewer: viewerOf(row.role, row.user_id),
      scopes: new Set(scopesOfRole(row.role)),
      role: row.role,
      address,
    },
  }
}

/** Every door enforces the organization's rules, at each request (abuse case S9). */
const refusalOf = (row: query.SessionRow): string | undefined => {
  if (row.sso_enabled && !isDelegated(row.method)) return PROVIDER_DEMANDED
  return row.lacks_second_factor ? SECOND_FACTOR_DEMANDED : undefined
}

/** Buffers last-used times and flushes them in batches: no write per request (open point 34). */
export interface LastSeen {
  note(sessionId: string, organizationId: string | undefined, userId: string, nowMs: number): void
  flush(): Promise<void>
}

interface SeenMember {
  organizationId: string
  userId: string
  at: number
}

/** Smaller differences are not written (open point 34). */
const PRECISION = '30 seconds'

export const collectLastSeen = (db: Database): LastSeen => {
  let sessions = new Map<string, number>()
  let members = new Map<string, SeenMember>()
  return {
    note: (sessionId, organizationId, userId, nowMs) => {
      sessions.set(sessionId, nowMs)
      if (organizationId) members.set(`${organizationId} ${userId}`, { organizationId, userId, at: nowMs })
    },
    flush: async () => {
      const seenSessions = sessions
      const seenMembers = members
      sessions = new Map()
      members = new Map()
      try {
        await writeSessions(db, [...seenSessions])
        await writeMembers(db, [...seenMembers.values()])
      } catch (error) {
        // Kept for the next flush; entries added since are newer.
        sessions = new Map([...seenSessions, ...sessions])
        members = new Map([...seenMembers, ...members])
        throw error
      }
    },
  }
}

const writeSessions = async (db: Database, seen: [id: string, at: number][]): Promise<void> => {
  if (seen.length === 0) return
  await sql`update sessions s set last_seen_at = v.at
    from unnest(${seen.map(([id]) => id)}::text[], ${seen.map(([, at]) => isoTime(at))}::timestamptz[]) as v (id, at)
    where s.id = v.id and s.last_seen_at < v.at - ${PRECISION}::interval`.execute(db)
}

const writeMembers = async (db: Database, seen: SeenMember[]): Promise<void> => {
  if (seen.length === 0) return
  await sql`update memberships m set last_seen_at = v.at
    from unnest(${seen.map(({ organizationId }) => organizationId)}::text[], ${seen.map(({ userId }) => userId)}::text[],
      ${seen.map(({ at }) => isoTime(at))}::timestamptz[]) as v (organization_id, user_id, at)
    where m.organization_id = v.organization_id and m.user_id = v.user_id
      and (m.last_seen_at is null or m.last_seen_at < v.at - ${PRECISION}::interval)`.execute(db)
}
