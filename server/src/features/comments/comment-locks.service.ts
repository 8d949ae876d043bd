import type { Scope } from '@sortie/contract/core/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import * as query from './comments.queries.ts'

export const parentOf = ({
  task_id,
  result_id,
  finding_id,
  report_id,
}: Pick<query.CommentRow, 'task_id' | 'result_id' | 'finding_id' | 'report_id'>): query.CommentParent => {
  if (report_id !== null) return { type: 'report', id: report_id }
  if (finding_id !== null) return { type: 'finding', id: finding_id }
  return result_id === null ? { type: 'task', id: task_id as string } : { type: 'result', id: result_id }
}

/** Scopes that read and write the comments of a parent. */
const SCOPES: Record<query.CommentParent['type'], { read: Scope; write: Scope }> = {
  task: { read: 'tasks:read', write: 'tasks:write' },
  result: { read: 'targets:read', write: 'targets:write' },
  finding: { read: 'reports:read', write: 'reports:write' },
  report: { read: 'reports:read', write: 'reports:write' },
}

/**
 * Locks the engagement of a parent in share mode. @returns its id
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived engagement and a finding in the trash
 */
export const lockParent = async (tx: Transaction, actor: Actor, parent: query.CommentParent): Promise<string> => {
  const found = await query.findParent(tx, actor.organizationId, parent)
  if (!found) throw notFound()
  await lockWritableEngagementForShare(tx, actor, found.engagement_id)
  // Read again: it may have been moved to the trash, or deleted, before the engagement was locked.
  const locked = await query.findParent(tx, actor.organizationId, parent)
  if (!locked) throw notFound()
  if (locked.is_trashed) throw conflict('This finding is in the trash: restore it first.')
  return found.engagement_id
}

/**
 * Locks a comment for a change.
 *
 * @throws ApiError NOT_FOUND, also for a caller who may not read comments on its parent, FORBIDDEN for one who may not
 *   write them, CONFLICT for an archived engagement and a finding in the trash
 */
export const lockWritableComment = async (
  tx: Transaction,
  actor: Actor,
  commentId: string,
): Promise<query.CommentRow> => {
  const seen = await query.findComment(tx, actor.organizationId, commentId)
  const parent = seen && parentOf(seen)
  if (!parent) throw notFound()
  const { read, write } = SCOPES[parent.type]
  if (!actor.scopes.has(read) && !actor.scopes.has(write)) throw notFound()
  if (!actor.scopes.has(write)) throw forbidden(`This needs the scope ${write}.`)
  await lockParent(tx, actor, parent)
  const comment = await query.lockComment(tx, actor.organizationId, commentId)
  if (!comment) throw notFound()
  return comment
}
