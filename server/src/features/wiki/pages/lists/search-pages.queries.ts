import { sql } from 'kysely'
import type { Database } from '../../../../platform/database/connection/open.ts'
import { isWords, prefixQuery } from '../../../../platform/search/conditions.ts'
import { type Found, MAX_RANKED } from '../../../../platform/search/part.ts'

/**
 * Pages with all these words: exact titles first, then those with all words in the title, then the newest. `find_pages`
 * reads the words outside row-level security, and filters by the transaction's organization and visibility itself; the
 * pages are read within row-level security.
 */
export const listPagesWithWords = async (
  db: Database,
  organizationId: string,
  viewer: string,
  words: readonly string[],
  engagementId: string | undefined,
  limit: number,
): Promise<Found[]> => {
  const { rows } = await sql<{ id: string; engagement_id: string | null; title: string; body: string }>`
    with found as materialized (
      select page_id, is_in_title from find_pages(${organizationId}, ${viewer}, ${prefixQuery(words)}, ${engagementId ?? null}, ${MAX_RANKED})
    ), titled as (
      select p.id, ${isWords(sql`search_text(p.title)`, words)} as is_title
      from found f join wiki_pages p on p.organization_id = ${organizationId} and p.id = f.page_id and p.trashed_at is null
      where f.is_in_title
      order by is_title desc, p.id desc limit ${limit}
    ), best as (
      select id, case when is_title then 2 else 1 end as rank from titled
      union all (select page_id, 0 from found where not is_in_title order by page_id desc limit ${limit})
      order by rank desc, id desc limit ${limit}
    )
    select p.id, p.engagement_id, p.title, r.body
    from best join wiki_pages p on p.organization_id = ${organizationId} and p.id = best.id and p.trashed_at is null
    join wiki_revisions r on r.organization_id = ${organizationId} and r.page_id = p.id and r.revision = p.revision
    order by best.rank desc, p.id desc`.execute(db)
  return rows.map(({ id, engagement_id, title, body }) => ({ id, engagementId: engagement_id, title, text: body }))
}
