import type { PreparedReader, Statement } from '../../../platform/database/connection/prepared.ts'
import { SESSION_COLUMNS, sessionJoins } from './session-columns.ts'
import type { SessionRow } from './sessions.queries.ts'

interface WatchedRow extends SessionRow {
  position: number
  visible_engagements: string[]
}

/**
 * Named: it runs about once a second while anyone watches. What a person sees is the rule of `hidden_engagements`
 * (migration 0006), asked for single engagements: that function lists all that are hidden from one viewer.
 */
const FIND_WATCHED_SESSIONS: Statement<WatchedRow> = {
  name: 'find_watched_sessions',
  text: `select k.position, ${SESSION_COLUMNS}, array(
      select e.id from engagements e
      where e.organization_id = k.organization_id and e.id = any(string_to_array(k.engagement_ids, ' ')) and not exists (
        select from engagement_restrictions r
        where r.organization_id = e.organization_id and r.engagement_id = e.id and (
          r.deleting_at is not null
          or r.team_only and m.role = 'member' and not exists (
            select from engagement_members p
            where p.organization_id = e.organization_id and p.engagement_id = e.id and p.user_id = s.user_id)))) as visible_engagements
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (session_id, organization_id, engagement_ids, position)
    join sessions s on s.id = k.session_id
    ${sessionJoins('k.organization_id')}`,
}

interface Watched {
  /** Of the session. */
  id: string
  organizationId: string
  engagementIds: readonly string[]
}

/** Finds each session with the user's role in its organization, and which of its engagements the user sees. */
export const findWatchedSessions = async (
  prepared: PreparedReader,
  watched: readonly Watched[],
): Promise<(WatchedRow | undefined)[]> => {
  const rows = await prepared.query(FIND_WATCHED_SESSIONS, [
    watched.map(({ id }) => id),
    watched.map(({ organizationId }) => organizationId),
    watched.map(({ engagementIds }) => engagementIds.join(' ')),
  ])
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return watched.map((_, index) => byPosition.get(index + 1))
}
