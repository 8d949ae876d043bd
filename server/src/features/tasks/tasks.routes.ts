import { TASK_PRIORITIES } from '@sortie/contract/core/values.ts'
import * as bulk from '@sortie/contract/tasks/task-bulk.ts'
import { listTaskHistory } from '@sortie/contract/tasks/task-comments.ts'
import * as contract from '@sortie/contract/tasks/tasks.ts'
import type { Static } from 'typebox'
import { isoTime } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { readPage } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { readAsAsked } from '../../platform/lists/trash.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { showActivity } from '../audit/show-activity.ts'
import { type FormerTask, listTaskHistory as listEntries } from './bulk/bulk.queries.ts'
import { bulkDeleteTasks, bulkUpdateTasks } from './bulk/bulk.service.ts'
import { showTask, showTasks } from './lists/show-tasks.ts'
import { exportTasks } from './lists/tasks-export.ts'
import { moveTask } from './order/move.service.ts'
import { findEngagementOfTask, findTask, taskList } from './tasks.queries.ts'
import { createTask, deleteTask, updateChecklistItem, updateTask } from './tasks.service.ts'
import { revertTasks } from './undo/revert-tasks.service.ts'
import { restoreTasks } from './undo/trash.service.ts'

/** @param sources the types of objects that tasks can link to */
export const taskRoutes = (sources: TitleSources): Route[] => [
  route(contract.createTask, async (context) => ({
    data: await createTask(context, sources, context.actor, context.body),
  })),

  route(contract.listTasks, async (context) => {
    const { rows, meta } = await readAsAsked(context, context.query.trashed, (asked) =>
      taskList.page(asked, context.query),
    )
    return { data: await showTasks(context.db, sources, context.actor, rows), meta }
  }),

  route(contract.countTasks, async (context) => ({
    data: await readAsAsked(context, context.query.trashed, (asked) => taskList.facets(asked, context.query)),
  })),

  route(contract.exportTasks, (context) => exportTasks(context, sources, context.query)),

  route(contract.getTask, async ({ db, actor, params }) => {
    const row = await findTask(db, actor.organizationId, params.taskId)
    if (!row) throw notFound()
    return { data: await showTask(db, sources, actor, row) }
  }),

  route(contract.updateTask, async (context) => ({
    data: await updateTask(context, sources, context.actor, context.params.taskId, context.body),
  })),

  route(contract.deleteTask, async (context) => {
    await deleteTask(context, context.actor, context.params.taskId)
    return { data: { deleted: true, id: context.params.taskId } }
  }),

  route(listTaskHistory, async ({ db, actor, params, query }) => {
    const read = (before: string | undefined, limit: number) =>
      listEntries(db, actor.organizationId, params.taskId, before, limit)
    const { rows, meta } = await readPage(query, 'aud', read, ({ id }) => id)
    if (!(await findEngagementOfTask(db, actor.organizationId, params.taskId))) throw notFound()
    return { data: await showActivity(db, actor, rows), meta }
  }),

  route(contract.moveTask, async (context) => ({
    data: await moveTask(context, sources, context.actor, context.params.taskId, context.body),
  })),

  route(contract.updateChecklistItem, async (context) => {
    const { actor, params, body } = context
    return { data: await updateChecklistItem(context, sources, actor, params.taskId, params.itemId, body) }
  }),

  route(bulk.bulkUpdateTasks, async (context) => {
    const { set, withUndo, ...selection } = context.body
    const { updated, changed } = await bulkUpdateTasks(context, context.actor, selection, set)
    return { data: { updated, ...(withUndo && { undo: changed.map(toUndo) }) } }
  }),

  route(bulk.bulkDeleteTasks, async (context) => {
    const { withUndo, ifUnchanged, ...selection } = context.body
    const ids = await bulkDeleteTasks(context, context.actor, selection, ifUnchanged)
    return { data: { deleted: ids.length, ...(withUndo && { ids }) } }
  }),

  route(bulk.revertTasks, async (context) => {
    const { items, withUndo } = context.body
    const { updated, skipped, changed } = await revertTasks(context, context.actor, items)
    return { data: { updated, skipped, ...(withUndo && { undo: changed.map(toUndo) }) } }
  }),

  route(bulk.restoreTasks, async (context) => ({ data: await restoreTasks(context, context.actor, context.body) })),
]

const toUndo = ({ id, updated_at, former }: FormerTask): Static<typeof bulk.TaskUndo> => ({
  id,
  ifUpdatedAt: isoTime(Date.parse(updated_at)),
  set: {
    status: former.status as contract.TaskStatus,
    priority: TASK_PRIORITIES[former.priority] as contract.TaskPriority,
    assigneeId: former.assignee_id,
    dueOn: former.due_on,
    labels: former.labels,
    ...(former.outcome !== null && { outcome: former.outcome as contract.CheckOutcome }),
  },
})
