import { sql } from 'kysely'
import { isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/open.ts'

/** Collects who was seen when, and writes it once in a while for all together: no write per request (open point 34). */
export interface LastSeen {
  note(sessionId: string, organizationId: string | undefined, userId: string, nowMs: number): void
  flush(): Promise<void>
}

interface SeenMember {
  organizationId: string
  userId: string
  at: number
}

/** A row is not written again for less (open point 34). */
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
        // Kept for the next flush; what was noted meanwhile is newer.
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
