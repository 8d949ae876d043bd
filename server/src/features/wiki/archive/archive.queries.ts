import type { Database } from '../../../platform/database/connection/open.ts'

/** Links of these pages that name a page. */
export const listTargets = (db: Database, organizationId: string, pageIds: readonly string[]) =>
  db
    .selectFrom('wiki_links')
    .select(['page_id', 'reference', 'target_id'])
    .where('organization_id', '=', organizationId)
    .where('page_id', 'in', pageIds)
    .where('target_id', 'is not', null)
    .$narrowType<{ target_id: string }>()
    .execute()
