import type { TitleSource } from '../../../../platform/text/titles.ts'
import { listPageTitles } from '../../links/links.queries.ts'

/** Titles of pages, for links to them. */
export const pageTitles: TitleSource = {
  type: 'page',
  scope: 'wiki:read',
  find: async (db, organizationId, ids) => {
    const rows = ids.length === 0 ? [] : await listPageTitles(db, organizationId, ids)
    const kept = rows.filter(({ trashed_at }) => trashed_at === null)
    return new Map(kept.map(({ id, title, engagement_id }) => [id, { title, engagementId: engagement_id }]))
  },
}
