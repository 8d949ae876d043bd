import type { TitleSource } from '../../../platform/text/titles.ts'
import { listTargetTitles } from '../targets.queries.ts'

export const targetTitles: TitleSource = {
  type: 'target',
  scope: 'targets:read',
  find: async (db, organizationId, ids) => {
    const rows = await listTargetTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, value: title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}
