import { sql } from 'kysely'
import { isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/open.ts'

/** Collects who was seen when, and writes it once in a while for all together: no write per request (open point 34). */
export interface LastSeen {
  note(sessionId: string, organizationId: string | undefined, userId: string, nowMs: number): void
  flush(): Promise<void>
}

export const collectLastSeen = (db: Database): LastSeen => {
  let sessions = new Map<string, number>()
  let members = new Map<string, { organizationId: string; userId: string; at: number }>()
  return {
    note: (sessionId, organizationId, userId, nowMs) => {
      sessions.set(sessionId, nowMs)
      if (organizationId) members.set(`${organizationId} ${userId}`, { organizationId, userId, at: nowMs })
    },
    flush: async () => {
      const seenSessions = [...sessions]
      const seenMembers = [...members.values()]
      sessions = new Map()
      members = new Map()
      if (seenSessions.length > 0) {
        await sql`update sessions s set last_seen_at = greatest(s.last_seen_at, v.at)
          from unnest(${seenSessions.map(([id]) => id)}::text[], ${seenSessions.map(([, at]) => isoTime(at))}::timestamptz[]) as v (id, at)
          where s.id = v.id`.execute(db)
      }
      if (seenMembers.length > 0) {
        await sql`update memberships m set last_seen_at = greatest(m.last_seen_at, v.at)
          from unnest(${seenMembers.map((member) => member.organizationId)}::text[], ${seenMembers.map((member) => member.userId)}::text[],
            ${seenMembers.map((member) => isoTime(member.at))}::timestamptz[]) as v (organization_id, user_id, at)
          where m.organization_id = v.organization_id and m.user_id = v.user_id`.execute(db)
      }
    },
  }
}
