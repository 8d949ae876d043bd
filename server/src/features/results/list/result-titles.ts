import type { TitleSource } from '../../../platform/text/titles.ts'
import { listResultTitles } from '../results.queries.ts'

export const resultTitles: TitleSource = {
  type: 'result',
  scope: 'targets:read',
  find: async (db, organizationId, ids) => {
    const rows = await listResultTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}
