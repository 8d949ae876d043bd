import * as contract from '@sortie/contract/tasks/tasks.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/context.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { bulkDeleteTasks, bulkUpdateTasks } from './bulk/bulk.service.ts'
import { showTask, showTasks } from './lists/show-tasks.ts'
import { exportTasks } from './lists/tasks-export.ts'
import { moveTask } from './order/move.service.ts'
import { findTask, taskList } from './tasks.queries.ts'
import { createTask, deleteTask, updateChecklistItem, updateTask } from './tasks.service.ts'

/** @param sources the types of objects that tasks can link to */
export const taskRoutes = (sources: TitleSources): Route[] => [
  route(contract.createTask, async (context) => ({
    data: await createTask(context, sources, context.actor, context.body),
  })),

  route(contract.listTasks, async (context) => {
    const { rows, meta } = await taskList.page(context, context.query)
    return { data: await showTasks(context.db, sources, context.actor, rows), meta }
  }),

  route(contract.countTasks, async (context) => ({ data: await taskList.facets(context, context.query) })),

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

  route(contract.moveTask, async (context) => ({
    data: await moveTask(context, sources, context.actor, context.params.taskId, context.body),
  })),

  route(contract.updateChecklistItem, async (context) => {
    const { actor, params, body } = context
    return { data: await updateChecklistItem(context, sources, actor, params.taskId, params.itemId, body) }
  }),

  route(contract.bulkUpdateTasks, async (context) => {
    const { set, ...selection } = context.body
    return { data: { updated: await bulkUpdateTasks(context, context.actor, selection, set) } }
  }),

  route(contract.bulkDeleteTasks, async (context) => ({
    data: { deleted: await bulkDeleteTasks(context, context.actor, context.body) },
  })),
]
