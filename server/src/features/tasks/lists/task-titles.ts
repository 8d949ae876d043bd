import type { TitleSource } from '../../../platform/text/titles.ts'
import { listTaskTitles } from '../tasks.queries.ts'

export const taskTitles: TitleSource = {
  type: 'task',
  scope: 'tasks:read',
  find: async (db, organizationId, ids) => {
    const rows = await listTaskTitles(db, organizationId, ids)
    return new Map(rows.map(({ id, title, engagement_id: engagementId }) => [id, { title, engagementId }]))
  },
}
