import type { TitleSource } from '../../../platform/text/titles.ts'
import { listRequestTitles } from './requests.queries.ts'

/** Titles of saved requests, for links to them. */
export const requestTitles: TitleSource = {
  type: 'request',
  scope: 'api-requests:read',
  find: async (db, organizationId, ids) => {
    const rows = ids.length === 0 ? [] : await listRequestTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, name, engagement_id: engagementId }) => [id, { title: name, engagementId }]))
  },
}
