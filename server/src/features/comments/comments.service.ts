import type { Section } from '@sortie/contract/findings/finding-fields.ts'
import type { Insertable } from 'kysely'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Comments } from '../../platform/database/types.gen.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { notify } from '../notifications/notifications.service.ts'
import { lockMembersWithAccess } from '../tasks/people.queries.ts'
import { lockParent, lockWritableComment, parentOf } from './comment-locks.service.ts'
import * as query from './comments.queries.ts'
import { mentionsIn } from './mentions.ts'
import { recordComment } from './record-comment.service.ts'

const MAX_COMMENTS = 10_000

interface NewReportComment {
  body: string
  /** Without words: the whole section. */
  anchor?: { section: string; quote: string } | undefined
  suggestion?: string | undefined
}

export interface NewComment {
  body: string
  anchor?: { section: Section; quote: string } | undefined
  suggestion?: string | undefined
}

/**
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a suggestion without a quote and an empty text without a suggestion,
 *   CONFLICT for an archived engagement and beyond the limit
 */
export const createComment = (
  writer: Writer,
  actor: Actor,
  parent: query.CommentParent,
  { body, anchor, suggestion }: NewComment,
): Promise<query.CommentRow> =>
  writer.change((tx) =>
    addComment(
      tx,
      writer,
      actor,
      parent,
      { body, anchor, suggestion },
      {
        anchor_section: anchor?.section ?? null,
        anchor_quote: anchor?.quote ?? null,
      },
    ),
  )

/**
 * Comments on a report or one of its sections.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a section of another report, a suggestion without words to replace
 *   and an empty text without a suggestion, CONFLICT for an archived engagement and beyond the limit
 */
export const createReportComment = (
  writer: Writer,
  actor: Actor,
  reportId: string,
  comment: NewReportComment,
): Promise<query.CommentRow> =>
  writer.change((tx) => {
    const { anchor } = comment
    return addComment(tx, writer, actor, { type: 'report', id: reportId }, comment, {
      anchor_section_id: anchor?.section ?? null,
      anchor_quote: anchor?.quote ?? null,
    })
  })

const addComment = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  parent: query.CommentParent,
  { body, anchor, suggestion }: NewReportComment,
  place: Pick<Insertable<Comments>, 'anchor_section' | 'anchor_section_id' | 'anchor_quote'>,
): Promise<query.CommentRow> => {
  const { clock } = writer
  const { organizationId } = actor
  const engagementId = await lockParent(tx, actor, parent)
  if (suggestion !== undefined && !anchor?.quote) throw invalid('suggestion: needs an anchor')
  if (suggestion === undefined) requireBody(body)
  if (parent.type === 'report' && anchor && !(await query.hasSection(tx, organizationId, parent.id, anchor.section)))
    throw invalid('anchor.section: is not a section of this report')
  if ((await query.countComments(tx, organizationId, parent, MAX_COMMENTS)) >= MAX_COMMENTS) {
    throw conflict(`A task, result, finding or report can have at most ${MAX_COMMENTS} comments.`)
  }
  const mentions = await resolveMentions(tx, organizationId, engagementId, body)
  const participants = await query.listParticipants(tx, organizationId, parent)
  const now = clock.now()
  const id = newId('cmt', now)
  await query.insertComment(tx, {
    id,
    organization_id: organizationId,
    engagement_id: engagementId,
    [`${parent.type}_id`]: parent.id,
    body,
    ...place,
    suggestion: suggestion ?? null,
    author_id: authorOf(actor),
    written_by: actor.id,
    mentions,
    created_at: isoTime(now),
    updated_at: isoTime(now),
  })
  const after = { body, ...(anchor && { anchor }), ...(suggestion !== undefined && { suggestion }) }
  await recordComment(tx, actor, clock, { verb: 'created', commentId: id, engagementId, parent, after })
  const about = { engagementId, object: parent, commentId: id }
  await notify(tx, writer, actor, mentions, { kind: 'mention', ...about })
  const seers = await lockMembersWithAccess(tx, organizationId, engagementId, participants)
  await notify(tx, writer, actor, [...seers], { kind: 'comment', ...about })
  return requireComment(tx, organizationId, id)
}

/**
 * Notifies only users who are newly mentioned.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for another's, VALIDATION_ERROR for an empty text without a suggestion,
 *   CONFLICT for a stale change
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
    const before = await lockWritableComment(tx, actor, commentId)
    if (before.written_by !== actor.id) throw forbidden('Only its author may change a comment.')
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this comment in the meantime. Reload it, then repeat the change.')
    }
    if (before.suggestion === null) requireBody(body)
    if (body === before.body) return before
    const { engagement_id: engagementId } = before
    const parent = parentOf(before)
    const mentions = await resolveMentions(tx, organizationId, engagementId, body)
    const at = nextTime(writer, before)
    await query.updateComment(tx, organizationId, commentId, { body, mentions, edited_at: at, updated_at: at })
    await recordComment(tx, actor, clock, {
      verb: 'changed',
      commentId,
      engagementId,
      parent,
      before: { body: before.body },
      after: { body },
    })
    await notify(tx, writer, actor, mentions, { kind: 'mention', engagementId, object: parent, commentId })
    return requireComment(tx, organizationId, commentId)
  })

/** @throws ApiError NOT_FOUND, FORBIDDEN for another's, unless the caller is the owner or an admin */
export const deleteComment = ({ change, clock }: Writer, actor: Actor, commentId: string): Promise<void> =>
  change(async (tx) => {
    const comment = await lockWritableComment(tx, actor, commentId)
    const { body, written_by, engagement_id: engagementId } = comment
    const isAdmin = actor.role === 'owner' || actor.role === 'admin'
    if (written_by !== actor.id && !isAdmin)
      throw forbidden('Only its author, the owner and admins may delete a comment.')
    await query.deleteComment(tx, actor.organizationId, commentId)
    await recordComment(tx, actor, clock, {
      verb: 'deleted',
      commentId,
      engagementId,
      parent: parentOf(comment),
      before: { body },
    })
  })

/**
 * Closes a comment, or opens it again. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement and a finding in
 * the trash
 */
export const setResolved = (
  writer: Writer,
  actor: Actor,
  commentId: string,
  isResolved: boolean,
): Promise<query.CommentRow> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const before = await lockWritableComment(tx, actor, commentId)
    if ((before.resolved_at !== null) === isResolved) return before
    const at = nextTime(writer, before)
    await query.updateComment(tx, organizationId, commentId, {
      resolved_by: isResolved ? authorOf(actor) : null,
      resolved_at: isResolved ? at : null,
      updated_at: at,
    })
    const { engagement_id: engagementId } = before
    const verb = isResolved ? 'resolved' : 'reopened'
    await recordComment(tx, actor, writer.clock, { verb, commentId, engagementId, parent: parentOf(before), after: {} })
    return requireComment(tx, organizationId, commentId)
  })

/** Only a suggestion speaks for itself. */
const requireBody = (body: string): void => {
  if (body === '') throw invalid('body: must not be empty')
}

/** Later than the last change. */
const nextTime = ({ clock }: Pick<Writer, 'clock'>, { updated_at }: query.CommentRow): string =>
  isoTime(Math.max(clock.now(), Date.parse(updated_at) + 1))

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
