import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Writer } from '../../../platform/http/routes/context.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { notify } from '../../notifications/notifications.service.ts'
import { lockMembersWithAccess } from '../people.queries.ts'
import { lockEngagementOfTaskForShare } from '../task-locks.service.ts'
import * as query from './comments.queries.ts'
import { mentionsIn } from './mentions.ts'

const MAX_COMMENTS = 10_000

/** @throws ApiError NOT_FOUND, CONFLICT for an archived engagement or a task with too many comments */
export const createComment = (writer: Writer, actor: Actor, taskId: string, body: string): Promise<query.CommentRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const engagementId = await lockEngagementOfTaskForShare(tx, actor, taskId)
    if ((await query.countComments(tx, organizationId, taskId, MAX_COMMENTS)) >= MAX_COMMENTS) {
      throw conflict(`A task can have at most ${MAX_COMMENTS} comments.`)
    }
    const mentions = await resolveMentions(tx, organizationId, engagementId, body)
    const now = clock.now()
    const id = newId('cmt', now)
    await query.insertComment(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      task_id: taskId,
      body,
      author_id: actor.kind === 'user' ? actor.id : null,
      written_by: actor.id,
      mentions,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'comment.created',
      object: { type: 'comment', id },
      engagementId,
      after: { taskId, body },
    })
    await announceTask(tx, engagementId, taskId)
    await notify(tx, writer, actor, mentions, { kind: 'mention', engagementId, taskId, commentId: id })
    return requireComment(tx, organizationId, id)
  })

/**
 * Notifies only users who are newly mentioned. @throws ApiError NOT_FOUND, FORBIDDEN for another's, CONFLICT for a stale change
 */
export const updateComment = (
  writer: Writer,
  actor: Actor,
  commentId: string,
  { body, ifUpdatedAt }: { body: string; ifUpdatedAt?: string | undefined },
): Promise<query.CommentRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const before = await lockComment(tx, actor, commentId)
    if (before.written_by !== actor.id) throw forbidden('Only its author may change a comment.')
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this comment in the meantime. Reload it, then repeat the change.')
    }
    if (body === before.body) return before
    const { engagement_id: engagementId, task_id: taskId } = before
    const mentions = await resolveMentions(tx, organizationId, engagementId, body)
    const now = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
    await query.updateComment(tx, organizationId, commentId, { body, mentions, updated_at: now })
    const object = { type: 'comment', id: commentId }
    await recordAudit(tx, actor, clock, {
      action: 'comment.changed',
      object,
      engagementId,
      before: { taskId, body: before.body },
      after: { taskId, body },
    })
    await announceTask(tx, engagementId, taskId)
    await notify(tx, writer, actor, mentions, { kind: 'mention', engagementId, taskId, commentId })
    return requireComment(tx, organizationId, commentId)
  })

/** @throws ApiError NOT_FOUND, FORBIDDEN for another's, unless the caller is the owner or an admin */
export const deleteComment = ({ change, clock }: Writer, actor: Actor, commentId: string): Promise<void> =>
  change(async (tx) => {
    const { body, written_by, task_id: taskId, engagement_id: engagementId } = await lockComment(tx, actor, commentId)
    const isAdmin = actor.role === 'owner' || actor.role === 'admin'
    if (written_by !== actor.id && !isAdmin)
      throw forbidden('Only its author, the owner and admins may delete a comment.')
    await query.deleteComment(tx, actor.organizationId, commentId)
    await recordAudit(tx, actor, clock, {
      action: 'comment.deleted',
      object: { type: 'comment', id: commentId },
      engagementId,
      before: { taskId, body },
    })
    await announceTask(tx, engagementId, taskId)
  })

/** Announces the task, because readers load comments with it. */
const announceTask = (tx: Transaction, engagementId: string, taskId: string) =>
  announce(tx, { type: 'task', engagementId, ids: [taskId], change: 'updated' })

const lockComment = async (tx: Transaction, actor: Actor, commentId: string): Promise<query.CommentRow> => {
  const seen = await requireComment(tx, actor.organizationId, commentId)
  await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  const comment = await query.lockComment(tx, actor.organizationId, commentId)
  if (!comment) throw notFound()
  return comment
}

const requireComment = async (
  tx: Transaction,
  organizationId: string,
  commentId: string,
): Promise<query.CommentRow> => {
  const comment = await query.findComment(tx, organizationId, commentId)
  if (!comment) throw notFound()
  return comment
}

/** The mentioned users who see the engagement, in the order of the text. */
const resolveMentions = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  body: string,
): Promise<string[]> => {
  const named = mentionsIn(body)
  const seers = await lockMembersWithAccess(tx, organizationId, engagementId, named)
  return named.filter((id) => seers.has(id))
}
