import { type Clock, isoTime } from '../../platform/clock.ts'
import type { PreparedReader, Statement } from '../../platform/database/connection/prepared.ts'
import type { Rights, RightsQuestion } from '../../platform/events/audience.ts'

interface WatchedKey {
  position: number
  engagement_access: string
  owner_id: string | null
  owner_role: string | null
  visible_engagements: string[]
}

/**
 * Named: it runs about once a second while a key listens. What a key sees is the rule of its engagements (migration 0006),
 * asked for single ones: at most what the person sees within whose rights it acts.
 */
const FIND_WATCHED_KEYS: Statement<WatchedKey> = {
  name: 'find_watched_keys',
  text: `select k.position, a.engagement_access, a.owner_id, m.role as owner_role, array(
      select e.id from engagements e
      where e.organization_id = k.organization_id and e.id = any(string_to_array(k.engagement_ids, ' '))
        and (a.engagement_access <> 'listed' or exists (
          select from api_key_engagements l
          where l.organization_id = e.organization_id and l.api_key_id = a.id and l.engagement_id = e.id))
        and not exists (
          select from engagement_restrictions r
          where r.organization_id = e.organization_id and r.engagement_id = e.id and (
            r.deleting_at is not null
            or r.team_only and (a.engagement_access = 'open' or a.owner_id is not null and m.role = 'member' and not exists (
              select from engagement_members p
              where p.organization_id = e.organization_id and p.engagement_id = e.id and p.user_id = a.owner_id))))
    ) as visible_engagements
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (key_id, organization_id, engagement_ids, position)
    join api_keys a on a.id = k.key_id and a.organization_id = k.organization_id and (a.expires_at is null or a.expires_at > $4)
      and a.stopped_at is null
    left join memberships m on m.organization_id = a.organization_id and m.user_id = a.owner_id
      and not exists (select from users u where u.id = m.user_id and u.disabled_at is not null)`,
}

/**
 * Checks keys again, as the door would, without counting it as a use. A stream ends when the role changes within whose
 * rights its key acts: the next one has other scopes.
 */
export const watchedKeys =
  (prepared: PreparedReader, clock: Clock) =>
  async (questions: readonly RightsQuestion[]): Promise<(Rights | undefined)[]> => {
    const rows = await prepared.query(FIND_WATCHED_KEYS, [
      questions.map(({ id }) => id),
      questions.map(({ organizationId }) => organizationId),
      questions.map(({ engagementIds }) => engagementIds.join(' ')),
      isoTime(clock.now()),
    ])
    const byPosition = new Map(rows.map((row) => [row.position, row]))
    return questions.map(({ ownerRole = null }, index) => {
      const row = byPosition.get(index + 1)
      if (!row || row.owner_role !== ownerRole || (row.owner_id !== null && row.owner_role === null)) return undefined
      return {
        visible: new Set(row.visible_engagements),
        seesAll: row.engagement_access === 'all' && row.owner_role !== 'member',
      }
    })
  }
