import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import * as people from './people.queries.ts'
import { findEngagementOfTask, lockTask, type TaskRow } from './tasks.queries.ts'

/**
 * Locks the engagement of a task in share mode. @returns its id
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived engagement
 */
export const lockEngagementOfTaskForShare = async (tx: Transaction, actor: Actor, taskId: string): Promise<string> => {
  const engagementId = await findEngagementOfTask(tx, actor.organizationId, taskId)
  if (engagementId === undefined) throw notFound()
  await lockWritableEngagementForShare(tx, actor, engagementId)
  return engagementId
}

/** Locks a task for a change of itself. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const lockWritableTask = async (tx: Transaction, actor: Actor, taskId: string): Promise<TaskRow> => {
  await lockEngagementOfTaskForShare(tx, actor, taskId)
  const task = await lockTask(tx, actor.organizationId, taskId)
  if (!task) throw notFound()
  return task
}

/** @throws ApiError VALIDATION_ERROR for a person or an agent without access to the engagement */
export const requireAssignee = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  assigneeId: string,
): Promise<void> => {
  const assignees = await people.lockAssignees(tx, actor.organizationId, engagementId, [assigneeId])
  if (!assignees.has(assigneeId))
    throw invalid('assigneeId: must be a member with access to this engagement, or an agent of it')
}
