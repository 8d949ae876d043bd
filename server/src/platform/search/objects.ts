import type { Guard } from '@sortie/contract/core/scopes.ts'
import { type RawBuilder, sql } from 'kysely'
import { hasWords, isWords, prefixQuery } from './conditions.ts'
import { MAX_RANKED, type SearchPart } from './part.ts'

interface Objects {
  type: 'target' | 'result' | 'task' | 'request' | 'finding' | 'library_entry' | 'retest' | 'report'
  guard: Guard
  /** Has `id`, `organization_id` and `engagement_id`; triggers keep its words (migrations 0015 to 0018 and 0020). */
  table: string
  title: RawBuilder<string>
  /** The text for excerpts. */
  text: RawBuilder<string>
}

/**
 * Searches objects whose words are in `object_words`. `find_objects` bypasses row-level security to read those, and
 * limits itself to the organization and viewer of the transaction; the objects are read within row-level security.
 */
export const objectSearch = ({ type, guard, table, title, text }: Objects): SearchPart => ({
  type,
  guard,
  find: async (db, { organizationId, viewer }, { words, terms, engagementId, limit }) => {
    const folded = sql<string>`search_text(${title})`
    const order = sql`${isWords(folded, words)} desc, ${hasWords(folded, words)} desc, o.id desc`
    const { rows } = await sql<{ id: string; engagementId: string | null; title: string; text: string }>`
      with best as (
        select o.id from find_objects(${organizationId}, ${viewer}, ${type}, ${prefixQuery(terms)}, ${engagementId ?? null}, ${MAX_RANKED}) f
        join ${sql.table(table)} o on o.id = f.object_id
        where o.organization_id = ${organizationId}
        order by ${order} limit ${limit}
      )
      select o.id, o.engagement_id as "engagementId", ${title} as title, ${text} as text
      from best join ${sql.table(table)} o on o.organization_id = ${organizationId} and o.id = best.id
      order by ${order}`.execute(db)
    return rows
  },
})
