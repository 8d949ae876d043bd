import { ENGAGEMENT_ARCHIVED } from '@sortie/contract/core/values.ts'
import type { CheckOutcome, TaskPriority, TaskStatus } from '@sortie/contract/tasks/tasks.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { moveToTrash } from '../../../platform/lists/trash.ts'
import { addAuditEntry, recordAudit } from '../../audit/audit.service.ts'
import { listStatuses, lockEngagementsForShare } from '../../engagements/engagements.queries.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { notify } from '../../notifications/notifications.service.ts'
import { requireAssignee } from '../task-locks.service.ts'
import { taskList, weightOf } from '../tasks.queries.ts'
import * as query from './bulk.queries.ts'

/** New values for many tasks. */
export interface BulkSet {
  status?: TaskStatus | undefined
  priority?: TaskPriority | undefined
  assigneeId?: string | null | undefined
  dueOn?: string | null | undefined
  addLabels?: readonly string[] | undefined
  removeLabels?: readonly string[] | undefined
  outcome?: CheckOutcome | undefined
}

const MAX_LABELS = 20
/** Keeps each statement short, however many tasks there are. */
const AT_ONCE = 2_000

/**
 * Selects the tasks of a bulk change and locks them with their engagements.
 *
 * @returns ids by engagement
 * @throws ApiError VALIDATION_ERROR for an engagement that is hidden, CONFLICT if one of the engagements is archived
 */
const lockChosen = async (tx: Transaction, actor: Actor, selection: Selection): Promise<Map<string, string[]>> => {
  const { organizationId } = actor
  const engagementId = selection.filter?.['engagementId']
  if (selection.ids === undefined && engagementId !== undefined)
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId as string))
  const first = await taskList.choose(tx, actor, selection)
  const engagementIds = [...new Set(first.map((row) => row.engagementId as string))]
  await lockEngagementsForShare(tx, organizationId, engagementIds)
  const statuses = await listStatuses(tx, organizationId, engagementIds)
  if ([...statuses.values()].includes('archived')) throw conflict(ENGAGEMENT_ARCHIVED)
  await query.lockTasks(
    tx,
    organizationId,
    first.map(({ id }) => id),
  )
  // Selected again: tasks that changed before the locks were acquired may no longer match.
  const chosen = await taskList.choose(tx, actor, selection)
  const locked = new Set(first.map(({ id }) => id))
  const byEngagement = new Map<string, string[]>()
  for (const { id, engagementId: of } of chosen.filter((row) => locked.has(row.id))) {
    const ids = byEngagement.get(of as string)
    if (ids) ids.push(id)
    else byEngagement.set(of as string, [id])
  }
  return byEngagement
}

/**
 * @returns how many were found, and what changed. @throws ApiError VALIDATION_ERROR if the values are invalid for one
 *   of the tasks
 */
export const bulkUpdateTasks = (
  writer: Writer,
  actor: Actor,
  selection: Selection,
  set: BulkSet,
): Promise<{ updated: number; changed: query.FormerTask[] }> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const byEngagement = await lockChosen(tx, actor, selection)
    const ids = [...byEngagement.values()].flat()
    if (set.outcome !== undefined && (await query.countOthers(tx, organizationId, ids)) > 0) {
      throw invalid('set.outcome: one of these tasks checks no item of a methodology')
    }
    const { assigneeId } = set
    if (typeof assigneeId === 'string')
      for (const engagementId of byEngagement.keys()) await requireAssignee(tx, actor, engagementId, assigneeId)
    const assignments =
      typeof assigneeId === 'string' ? await query.listAssignments(tx, organizationId, ids, assigneeId) : []
    const values = {
      status: set.status,
      priority: set.priority && weightOf(set.priority),
      assigneeId,
      dueOn: set.dueOn,
      addLabels: set.addLabels ?? [],
      removeLabels: set.removeLabels ?? [],
      outcome: set.outcome,
    }
    const former: query.FormerTask[] = []
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const tasks = await query.updateAlike(
        tx,
        organizationId,
        ids.slice(from, from + AT_ONCE),
        values,
        isoTime(clock.now()),
      )
      former.push(...tasks)
      if (tasks.some(({ labels }) => labels > MAX_LABELS))
        throw invalid(`set.addLabels: one of these tasks would have more than ${MAX_LABELS} labels`)
    }
    const changed = new Set(former.map(({ id }) => id))
    for (const [engagementId, all] of byEngagement) {
      const own = all.filter((id) => changed.has(id))
      if (own.length === 0) continue
      const after = { tasks: own.length, ...set }
      const auditId = await addAuditEntry(tx, actor, clock, {
        action: 'tasks.changed',
        object: { type: 'engagement', id: engagementId },
        after,
      })
      await query.insertBulkChanges(tx, organizationId, engagementId, own, auditId)
      await announce(tx, { type: 'task', engagementId, ids: own, change: 'updated' })
    }
    for (const { engagement_id: engagementId, task_id: taskId, tasks } of assignments) {
      await notify(tx, writer, actor, [assigneeId as string], {
        kind: 'assignment',
        engagementId,
        object: { type: 'task', id: taskId },
        tasks,
      })
    }
    return { updated: ids.length, changed: former }
  })

/**
 * Moves tasks to the trash.
 *
 * @param ifUnchanged keeps tasks that someone has worked on
 * @returns the ids of those that were deleted
 */
export const bulkDeleteTasks = (
  { change, clock }: Writer,
  actor: Actor,
  selection: Selection,
  ifUnchanged = false,
): Promise<string[]> =>
  change(async (tx) => {
    const { organizationId } = actor
    const chosen = await lockChosen(tx, actor, selection)
    const unchanged = ifUnchanged && (await query.listUnchanged(tx, organizationId, [...chosen.values()].flat()))
    const byEngagement = new Map(
      [...chosen].map(([engagementId, all]) => [engagementId, unchanged ? all.filter((id) => unchanged.has(id)) : all]),
    )
    const ids = [...byEngagement.values()].flat()
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE)
      await moveToTrash(tx, 'tasks', organizationId, some, isoTime(clock.now()))
    }
    for (const [engagementId, own] of byEngagement) {
      if (own.length === 0) continue
      await recordAudit(tx, actor, clock, {
        action: 'tasks.deleted',
        object: { type: 'engagement', id: engagementId },
        before: { tasks: own.length },
      })
      await announce(tx, { type: 'task', engagementId, ids: own, change: 'deleted' })
    }
    return ids
  })
