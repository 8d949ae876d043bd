import type { WikiPage, WikiPageSummary } from '@sortie/contract/wiki/wiki.ts'
import type { Static } from 'typebox'
import type { PageRow } from './pages.queries.ts'

export const toSummary = (row: PageRow): Static<typeof WikiPageSummary> => ({
  id: row.id,
  engagementId: row.engagement_id,
  parentId: row.parent_id,
  title: row.title,
  position: row.position,
  revision: row.revision,
  isTemplate: row.is_template,
  createdBy: row.created_by,
  updatedBy: row.updated_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  trashedAt: row.trashed_at,
})

export const toPage = (row: PageRow & { body: string }): Static<typeof WikiPage> => ({
  ...toSummary(row),
  body: row.body,
})
