import type { Actor } from '../../../platform/auth/actor.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { hideTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { emptyTrash, ofTrash } from '../../../platform/lists/trash.ts'
import { addAuditEntry, recordAudit } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { insertBulkChanges } from '../bulk/bulk.queries.ts'
import { taskOrder } from '../order/task-order.ts'
import { deleteTasks, findTasks, taskList } from '../tasks.queries.ts'
import { requireTaskQuota } from '../tasks.service.ts'
import * as query from './undo.queries.ts'

/**
 * Restores tasks from the trash as they were, at their place in the order; last, if another task has the place.
 *
 * @returns the numbers of those that came back and of those that could not: a check that exists again stays in the
 *   trash
 * @throws ApiError VALIDATION_ERROR for an invalid selection, CONFLICT for an archived or full engagement
 */
export const restoreTasks = (
  writer: Writer,
  actor: Actor,
  selection: Selection,
): Promise<{ restored: number; skipped: number }> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    await showTrash(tx)
    const ids = await lockSelection(tx, actor, taskList, ofTrash(selection))
    const rows = (await findTasks(tx, organizationId, ids)).filter(({ trashed_at }) => trashed_at !== null)
    await hideTrash(tx)
    let restored = 0
    for (const [engagementId, tasks] of Map.groupBy(rows, ({ engagement_id }) => engagement_id)) {
      await taskOrder.lock(tx, { organizationId, engagementId })
      const wanted = tasks.map(({ id }) => id)
      await requireTaskQuota(writer, tx, organizationId, engagementId, wanted.length)
      await showTrash(tx)
      const own = await query.restoreTasks(tx, organizationId, engagementId, wanted)
      await hideTrash(tx)
      if (own.length === 0) continue
      await placeLast(
        tx,
        { organizationId, engagementId },
        await query.listMisplaced(tx, organizationId, engagementId, own),
      )
      const auditId = await addAuditEntry(tx, actor, clock, {
        action: 'tasks.restored',
        object: { type: 'engagement', id: engagementId },
        after: { tasks: own.length },
      })
      await insertBulkChanges(tx, organizationId, engagementId, own, auditId)
      await announce(tx, { type: 'task', engagementId, ids: own, change: 'created' })
      restored += own.length
    }
    return { restored, skipped: ids.length - restored }
  })

const placeLast = async (
  tx: Transaction,
  engagement: { organizationId: string; engagementId: string },
  taskIds: readonly string[],
): Promise<void> => {
  if (taskIds.length === 0) return
  const positions = await taskOrder.lastPositions(tx, engagement, taskIds.length)
  await taskOrder.updatePositions(
    tx,
    engagement.organizationId,
    taskIds.map((id, index) => ({ id, position: positions[index] as string })),
  )
}

/** Every hour: deletes tasks that were in the trash for 30 days, with their comments and files. */
export const emptyTaskTrash = (platform: Platform): Promise<void> =>
  emptyTrash(platform, 'tasks', platform.config.TASK_LIMIT, async (tx, { organizationId, engagementId, ids }) => {
    await deleteFilesOf(tx, organizationId, 'task', ids)
    await deleteTasks(tx, organizationId, ids)
    await recordAudit(tx, { system: 'trash', organizationId }, platform.clock, {
      action: 'tasks.purged',
      object: { type: 'engagement', id: engagementId },
      engagementId,
      before: { tasks: ids.length },
    })
  })
