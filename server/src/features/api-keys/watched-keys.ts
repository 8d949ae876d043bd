import type { PreparedReader, Statement } from '../../platform/database/connection/prepared.ts'
import type { Rights, RightsQuestion } from '../../platform/events/audience.ts'

interface WatchedKey {
  position: number
  engagement_access: string
  visible_engagements: string[]
}

/**
 * Named: it runs about once a second while a key listens. What a key sees is the rule of its engagements (migration
 * 0004), asked for single ones.
 */
const FIND_WATCHED_KEYS: Statement<WatchedKey> = {
  name: 'find_watched_keys',
  text: `select k.position, a.engagement_access, array(
      select e.id from engagements e
      where e.organization_id = k.organization_id and e.id = any(string_to_array(k.engagement_ids, ' '))
        and (a.engagement_access <> 'listed' or exists (
          select from api_key_engagements l
          where l.organization_id = e.organization_id and l.api_key_id = a.id and l.engagement_id = e.id))
        and not exists (
          select from engagement_restrictions r
          where r.organization_id = e.organization_id and r.engagement_id = e.id
            and (r.deleting_at is not null or r.team_only and a.engagement_access = 'open'))) as visible_engagements
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (key_id, organization_id, engagement_ids, position)
    join api_keys a on a.id = k.key_id and a.organization_id = k.organization_id`,
}

/** Checks keys again, as the door would, without counting it as a use. */
export const watchedKeys =
  (prepared: PreparedReader) =>
  async (questions: readonly RightsQuestion[]): Promise<(Rights | undefined)[]> => {
    const rows = await prepared.query(FIND_WATCHED_KEYS, [
      questions.map(({ id }) => id),
      questions.map(({ organizationId }) => organizationId),
      questions.map(({ engagementIds }) => engagementIds.join(' ')),
    ])
    const byPosition = new Map(rows.map((row) => [Number(row.position), row]))
    return questions.map((_, index) => {
      const row = byPosition.get(index + 1)
      return row && { visible: new Set(row.visible_engagements), seesAll: row.engagement_access === 'all' }
    })
  }
