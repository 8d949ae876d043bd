import type { TaskStatus } from '@sortie/contract/tasks/tasks.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { type ShownTask, showTask } from '../lists/show-tasks.ts'
import { recordTask } from '../record-task.service.ts'
import { lockEngagementOfTaskForShare } from '../task-locks.service.ts'
import * as query from '../tasks.queries.ts'
import { completedAt, laterThan, requireTask } from '../tasks.service.ts'
import { taskOrder } from './task-order.ts'

interface Move {
  status?: TaskStatus | undefined
  beforeId?: string | undefined
  afterId?: string | undefined
}

/**
 * Moves a task next to another, into another status, or both; writes only its row. Moves in one engagement wait for
 * each other, so that they result in one order.
 *
 * @throws ApiError VALIDATION_ERROR for an empty change, or if the other task is itself or not of the engagement
 */
export const moveTask = (
  { change, clock }: Writer,
  sources: TitleSources,
  actor: Actor,
  taskId: string,
  { status, beforeId, afterId }: Move,
): Promise<ShownTask> =>
  change(async (tx) => {
    const { organizationId } = actor
    const engagementId = await lockEngagementOfTaskForShare(tx, actor, taskId)
    if (beforeId !== undefined && afterId !== undefined)
      throw invalid('beforeId: only one of beforeId and afterId can be given')
    const otherId = beforeId ?? afterId
    if (otherId === undefined && status === undefined)
      throw invalid('status: one of status, beforeId and afterId is needed')
    if (otherId === taskId) throw invalid(`${beforeId ? 'beforeId' : 'afterId'}: is the task itself`)
    if (otherId !== undefined) await taskOrder.lock(tx, { organizationId, engagementId })
    const task = await query.lockTask(tx, organizationId, taskId)
    if (!task) throw notFound()
    const side = beforeId === undefined ? 'after' : 'before'
    const position =
      otherId === undefined
        ? task.position
        : await taskOrder.positionNextTo(tx, { organizationId, engagementId }, task, side, otherId)
    const after = {
      ...(status !== undefined && status !== task.status && { status }),
      ...(position !== task.position && { [`${side}Id`]: otherId }),
    }
    if (Object.keys(after).length === 0) return showTask(tx, sources, actor, task)
    await query.updateTask(tx, organizationId, taskId, {
      position,
      ...(status !== undefined && { status, completed_at: completedAt(status, task, clock) }),
      updated_at: laterThan(task, clock),
    })
    const before = after.status === undefined ? {} : { status: task.status }
    await recordTask(tx, actor, clock, { action: 'task.moved', change: 'moved', taskId, engagementId, before, after })
    return showTask(tx, sources, actor, await requireTask(tx, organizationId, taskId))
  })
