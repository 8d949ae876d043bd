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
      select p.id, p.engagement_id, p.title, p.revision, f.is_in_title
      from find_pages(${organizationId}, ${viewer}, ${prefixQuery(words)}, ${engagementId ?? null}, ${MAX_RANKED}) f
      join wiki_pages p on p.id = f.page_id
      where p.organization_id = ${organizationId} and p.trashed_at is null
      order by f.is_in_title desc, p.id desc limit ${limit}
    )
    select best.id, best.engagement_id, best.title, r.body
    from best join wiki_revisions r on r.organization_id = ${organizationId} and r.page_id = best.id and r.revision = best.revision
    order by best.is_in_title desc, best.id desc`.execute(db)
  return rows.map(({ id, engagement_id, title, body }) => ({ id, engagementId: engagement_id, title, text: body }))
}
