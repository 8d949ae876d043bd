import type { Comment } from '@sortie/contract/tasks/comments.ts'
import type { Static } from 'typebox'
import type { CommentRow } from './comments.queries.ts'

export const toComment = (row: CommentRow): Static<typeof Comment> => ({
  id: row.id,
  taskId: row.task_id,
  resultId: row.result_id,
  findingId: row.finding_id,
  reportId: row.report_id,
  body: row.body,
  anchor: anchorOf(row),
  suggestion: row.suggestion,
  textChanged: row.text_changed,
  resolved: done(row.resolved_at, row.resolved_by, row.resolver_name),
  accepted: done(row.accepted_at, row.accepted_by, row.acceptor_name),
  author: person(row.author_id, row.author_name),
  mentions: row.mentions,
  editedAt: row.edited_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const anchorOf = ({ anchor_section: text, anchor_section_id: sectionId, anchor_quote: quote }: CommentRow) => {
  const section = text ?? sectionId
  return section === null || quote === null ? null : { section, quote }
}

const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name as string })

const done = (at: string | null, id: string | null, name: string | null) =>
  at === null ? null : { by: person(id, name), at }
