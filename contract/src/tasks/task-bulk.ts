import Type from 'typebox'
import { closedObject, endpoint, Id, NullableDay, one, OneOf } from '../core/endpoint.ts'
import { Restored, selectionOf, TOO_MANY_MATCH, UNDO_BODY, undoItem, undoItems, withUndo } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, TASK_PRIORITIES, TASK_STATUSES } from '../core/values.ts'
import { AssigneeId, EXAMPLE_TASK, Labels, OUTCOMES, taskList } from './tasks.ts'

export const BulkTaskSet = closedObject({
  status: Type.Optional(OneOf(TASK_STATUSES)),
  priority: Type.Optional(OneOf(TASK_PRIORITIES)),
  assigneeId: Type.Optional(AssigneeId),
  dueOn: Type.Optional(NullableDay('null: no day')),
  addLabels: Type.Optional(Labels),
  removeLabels: Type.Optional(Labels),
  outcome: Type.Optional(OneOf(OUTCOMES, { description: 'of tasks that check an item of a methodology' })),
})

/** A change of one task that undoes a bulk change. */
export const TaskUndo = undoItem(
  'tsk',
  closedObject({
    status: Type.Optional(OneOf(TASK_STATUSES)),
    priority: Type.Optional(OneOf(TASK_PRIORITIES)),
    assigneeId: Type.Optional(AssigneeId),
    dueOn: Type.Optional(NullableDay('null: no day')),
    labels: Type.Optional(Labels),
    outcome: Type.Optional(OneOf(OUTCOMES, { description: 'of a task that checks an item of a methodology' })),
  }),
)

export const EXAMPLE_TASK_UNDO = {
  id: EXAMPLE_TASK.id,
  ifUpdatedAt: EXAMPLE_TASK.updatedAt,
  set: { priority: 'none', labels: ['web'] },
}

export const bulkUpdateTasks = endpoint({
  id: 'bulkUpdateTasks',
  method: 'POST',
  path: '/tasks/bulk-update',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change many tasks at once.',
  body: closedObject({ ...selectionOf(taskList, 'tsk'), set: BulkTaskSet, ...withUndo('undo') }),
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0, description: 'tasks that were found' }),
      undo: Type.Optional(
        Type.Array(TaskUndo, { description: 'the former values of those that changed, for `POST /tasks/bulk-revert`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: {
    body: {
      filter: { engagementId: EXAMPLE_TASK.engagementId, label: ['web'] },
      set: { priority: 'high', addLabels: ['week 1'] },
    },
    reply: { data: { updated: 12 } },
  },
})

export const bulkDeleteTasks = endpoint({
  id: 'bulkDeleteTasks',
  method: 'POST',
  path: '/tasks/bulk-delete',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete many tasks.',
  description: 'They stay in the trash for 30 days: `POST /tasks/bulk-restore` restores them as they were.',
  body: closedObject({
    ...selectionOf(taskList, 'tsk'),
    ifUnchanged: Type.Optional(
      Type.Boolean({
        description:
          'skips tasks that someone changed, commented on, linked or attached a file to since they were created',
      }),
    ),
    ...withUndo('ids'),
  }),
  reply: one(
    closedObject({
      deleted: Type.Integer({ minimum: 0, description: 'tasks that were found and not skipped' }),
      ids: Type.Optional(
        Type.Array(Id('tsk'), { description: 'those that were deleted, for `POST /tasks/bulk-restore`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_TASK.id] }, reply: { data: { deleted: 1 } } },
})

export const revertTasks = endpoint({
  id: 'revertTasks',
  method: 'POST',
  path: '/tasks/bulk-revert',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore former values of tasks.',
  description:
    'Takes what a bulk change with `withUndo` returns, 1,000 tasks at a time. A task that has changed since, or whose former assignee has lost access, is skipped. No one is notified.',
  body: closedObject({ items: undoItems(TaskUndo), ...withUndo('undo') }),
  bodyLimits: UNDO_BODY,
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0 }),
      skipped: Type.Integer({ minimum: 0, description: 'tasks that were found and left as they are' }),
      undo: Type.Optional(Type.Array(TaskUndo, { description: 'the values before this revert of those that changed' })),
    }),
  ),
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: { items: [EXAMPLE_TASK_UNDO] }, reply: { data: { updated: 1, skipped: 0 } } },
})

export const restoreTasks = endpoint({
  id: 'restoreTasks',
  method: 'POST',
  path: '/tasks/bulk-restore',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore tasks from the trash.',
  description:
    'Takes `ids` or a `filter` of one engagement. A check that was created again since its deletion is skipped.',
  body: closedObject(selectionOf(taskList, 'tsk')),
  reply: Restored,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH, 'An engagement has at most 10000 tasks (TASK_LIMIT).'],
  example: { body: { ids: [EXAMPLE_TASK.id] }, reply: { data: { restored: 1, skipped: 0 } } },
})
