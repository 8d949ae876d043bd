import type { Database } from '../../../platform/database/open.ts'

/** The texts of some pages, by page. */
export const listTexts = async (db: Database, organizationId: string, pageIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('wiki_pages as p')
    .innerJoin('wiki_revisions as r', (join) =>
      join.onRef('r.organization_id', '=', 'p.organization_id').onRef('r.page_id', '=', 'p.id').onRef('r.revision', '=', 'p.revision'),
    )
    .select(['p.id', 'r.body'])
    .where('p.organization_id', '=', organizationId)
    .where('p.id', 'in', pageIds)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Links of some pages that name a page. */
export const listTargets = (db: Database, organizationId: string, pageIds: readonly string[]) =>
  db
    .selectFrom('wiki_links')
    .select(['page_id', 'reference', 'target_id'])
    .where('organization_id', '=', organizationId)
    .where('page_id', 'in', pageIds)
    .where('target_id', 'is not', null)
    .$narrowType<{ target_id: string }>()
    .execute()
