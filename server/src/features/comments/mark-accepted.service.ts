import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { parentOf } from './comment-locks.service.ts'
import { type CommentRow, findComment, updateComment } from './comments.queries.ts'
import { recordComment } from './record-comment.service.ts'

/** Notes that the suggestion of a locked comment was applied, and closes the comment. */
export const markAccepted = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  actor: Actor,
  comment: CommentRow,
  now: string,
  values: { before: object; after: object },
): Promise<CommentRow> => {
  const { id: commentId, engagement_id: engagementId } = comment
  const by = authorOf(actor)
  await updateComment(tx, actor.organizationId, commentId, {
    accepted_by: by,
    accepted_at: now,
    ...(comment.resolved_at === null && { resolved_by: by, resolved_at: now }),
    updated_at: now,
  })
  await recordComment(tx, actor, clock, {
    verb: 'accepted',
    commentId,
    engagementId,
    parent: parentOf(comment),
    ...values,
  })
  const accepted = await findComment(tx, actor.organizationId, commentId)
  if (!accepted) throw notFound()
  return accepted
}
