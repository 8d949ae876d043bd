import type { EngagementRow } from './engagements.queries.ts'

/** An engagement as the API shows it. */
export const toEngagement = (row: EngagementRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
