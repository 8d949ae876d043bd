import { sql } from 'kysely'
import type { Database } from '../../../platform/database/open.ts'
import { prefixQuery } from '../../../platform/search/conditions.ts'
import { type Found, MAX_RANKED } from '../../../platform/search/part.ts'

/**
 * Pages with all these words, those with all of them in the title first, then the newest. `find_pages` reads the words past
 * row-level security, and holds itself to organization and viewer of the transaction; the pages are read within it.
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
    with best as (
      select f.page_id, f.is_in_title
      from find_pages(${organizationId}, ${viewer}, ${prefixQuery(words)}, ${engagementId ?? null}, ${MAX_RANKED}) f
      order by f.is_in_title desc, f.page_id desc limit ${limit}
    )
    select p.id, p.engagement_id, p.title, r.body
    from best join wiki_pages p on p.organization_id = ${organizationId} and p.id = best.page_id and p.trashed_at is null
    join wiki_revisions r on r.organization_id = ${organizationId} and r.page_id = p.id and r.revision = p.revision
    order by best.is_in_title desc, p.id desc`.execute(db)
  return rows.map(({ id, engagement_id, title, body }) => ({ id, engagementId: engagement_id, title, text: body }))
}
