import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce } from '../../platform/events/announce.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import type { CommentParent } from './comments.queries.ts'

interface Recorded {
  verb: 'created' | 'changed' | 'deleted' | 'resolved' | 'reopened' | 'accepted'
  commentId: string
  engagementId: string
  parent: CommentParent
  before?: object
  after?: object
}

const NOUNS = {
  task: 'comment',
  result: 'result-comment',
  finding: 'finding-comment',
  report: 'report-comment',
} as const

/** Records a change of a comment in the audit log, and announces its parent: readers load comments with it. */
export const recordComment = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  recorded: Recorded,
): Promise<void> => {
  const { verb, commentId, engagementId, parent, before, after } = recorded
  const about = { [`${parent.type}Id`]: parent.id }
  await recordAudit(tx, by, clock, {
    action: `${NOUNS[parent.type]}.${verb}`,
    object: { type: 'comment', id: commentId },
    engagementId,
    ...(before && { before: { ...about, ...before } }),
    ...(after && { after: { ...about, ...after } }),
  })
  await announce(tx, { type: parent.type, engagementId, ids: [parent.id], change: 'updated' })
}
