import type { TitleSource } from '../../platform/text/titles.ts'
import { listScanTitles } from './scans.queries.ts'

export const scanTitles: TitleSource = {
  type: 'scan',
  scope: 'targets:read',
  find: async (db, organizationId, ids) => {
    const rows = await listScanTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, name: title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}
