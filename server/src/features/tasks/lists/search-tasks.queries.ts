import { sql } from 'kysely'
import { objectSearch } from '../../../platform/search/objects.ts'
import type { Found, SearchPart } from '../../../platform/search/part.ts'
import { parseShortId } from '../tasks.queries.ts'

const byWords = objectSearch({
  type: 'task',
  guard: 'tasks:read',
  table: 'tasks',
  title: sql`o.title`,
  text: sql`concat_ws(' ', array_to_string(o.labels, ' '), o.description)`,
})

/** Searches tasks by title, labels and description; by their short id (MF-12) first. */
export const taskSearch: SearchPart = {
  ...byWords,
  find: async (db, actor, wanted) => {
    const [prefix, number, ...others] = wanted.words
    const shortId = others.length === 0 ? parseShortId(`${prefix}-${number}`) : undefined
    const found = await byWords.find(db, actor, wanted)
    if (!shortId) return found
    const { rows: named } =
      await sql<Found>`select t.id, t.engagement_id as "engagementId", e.task_prefix || '-' || t.number || ' ' || t.title as title,
        concat_ws(' ', array_to_string(t.labels, ' '), t.description) as text
      from engagements e join tasks t on t.organization_id = e.organization_id and t.engagement_id = e.id and t.number = ${shortId.number}
      where e.organization_id = ${actor.organizationId} and e.task_prefix = ${shortId.prefix}
        and (${wanted.engagementId ?? null}::text is null or e.id = ${wanted.engagementId ?? null})
      order by t.id desc limit ${wanted.limit}`.execute(db)
    const ids = new Set(named.map(({ id }) => id))
    return [...named, ...found.filter(({ id }) => !ids.has(id))].slice(0, wanted.limit)
  },
}
