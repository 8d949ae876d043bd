import { isDeepStrictEqual } from 'node:util'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/tasks/task-bulk.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { requireEachOnce, summarizeReverted } from '../../../platform/lists/undo.ts'
import { addAuditEntry } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { type FormerTask, insertBulkChanges } from '../bulk/bulk.queries.ts'
import { lockAssignees } from '../people.queries.ts'
import { taskList, weightOf } from '../tasks.queries.ts'
import { lockValues, type RevertedTask, writeValues } from './undo.queries.ts'

type Item = Body<typeof contract.revertTasks>['items'][number]

/**
 * Restores former values of tasks. Skips tasks that have changed since, and those whose former assignee lost access.
 *
 * @returns the numbers of those that were changed and of those that were found, but skipped; and the values before the
 *   revert
 * @throws ApiError VALIDATION_ERROR for a task that is named twice and for an outcome of a task without a check,
 *   CONFLICT if one of the engagements is archived
 */
export const revertTasks = (
  { change, clock }: Writer,
  actor: Actor,
  items: readonly Item[],
): Promise<{ updated: number; skipped: number; changed: FormerTask[] }> =>
  change(async (tx) => {
    const { organizationId } = actor
    requireEachOnce(items)
    const ids = await lockSelection(tx, actor, taskList, { ids: items.map(({ id }) => id) })
    const rows = new Map((await lockValues(tx, organizationId, ids)).map((row) => [row.id, row]))
    const fresh = items.flatMap((item) => {
      const row = rows.get(item.id)
      return row?.updated_at === item.ifUpdatedAt ? [{ item, row }] : []
    })
    let updated = 0
    const changed: FormerTask[] = []
    for (const [engagementId, some] of Map.groupBy(fresh, ({ row }) => row.engagement_id)) {
      const named = [...new Set(some.flatMap(({ item: { set } }) => set.assigneeId ?? []))]
      const assignees = await lockAssignees(tx, organizationId, engagementId, named)
      const wanted = some.filter(
        ({ item: { set } }) => typeof set.assigneeId !== 'string' || assignees.has(set.assigneeId),
      )
      updated += wanted.length
      const changes = wanted
        .map(({ item, row }) => ({ item, row, values: valuesOf(item, row) }))
        .filter(({ row, values }) => !isSame(row, values))
      if (changes.length === 0) continue
      const values = changes.map((each) => each.values)
      const times = await writeValues(tx, organizationId, values, isoTime(clock.now()))
      const changedIds = changes.map(({ row }) => row.id)
      const after = { tasks: changes.length, values: summarizeReverted(changes.map(({ item }) => item)) }
      const auditId = await addAuditEntry(tx, actor, clock, {
        action: 'tasks.reverted',
        object: { type: 'engagement', id: engagementId },
        after,
      })
      await insertBulkChanges(tx, organizationId, engagementId, changedIds, auditId)
      await announce(tx, { type: 'task', engagementId, ids: changedIds, change: 'updated' })
      changed.push(...changes.map(({ row }) => formerOf(row, times.get(row.id) ?? row.updated_at)))
    }
    return { updated, skipped: rows.size - updated, changed }
  })

const isSame = (row: RevertedTask, values: RevertedTask): boolean =>
  Object.entries(values).every(([column, value]) => isDeepStrictEqual(row[column as keyof RevertedTask], value))

const valuesOf = ({ set }: Item, row: RevertedTask): RevertedTask => {
  if (set.outcome !== undefined && row.outcome === null)
    throw invalid('items: one of these tasks checks no item of a methodology')
  return {
    id: row.id,
    status: set.status ?? row.status,
    priority: set.priority === undefined ? row.priority : weightOf(set.priority),
    assignee_id: set.assigneeId === undefined ? row.assignee_id : set.assigneeId,
    due_on: set.dueOn === undefined ? row.due_on : set.dueOn,
    labels: set.labels === undefined ? row.labels : [...new Set(set.labels)],
    outcome: set.outcome ?? row.outcome,
  }
}

const formerOf = (
  { id, status, priority, assignee_id, due_on, labels, outcome }: RevertedTask,
  updatedAt: string,
): FormerTask => ({
  id,
  updated_at: updatedAt,
  former: { status, priority, assignee_id, due_on, labels: [...labels], outcome },
})
