import { TASK_PRIORITIES } from '@sortie/contract/core/values.ts'
import type { WrittenFields } from '@sortie/contract/custom-fields/fields.ts'
import type { CheckOutcome, TaskPriority, TaskStatus } from '@sortie/contract/tasks/tasks.ts'
import type { Updateable } from 'kysely'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Tasks } from '../../platform/database/types.gen.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { moveToTrash } from '../../platform/lists/trash.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { setFields, withFields } from '../custom-fields/field-values.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { replaceChecklist, type WantedItem } from './checks/checklist.ts'
import { resolveLinks, type WantedLink } from './links.service.ts'
import { type ShownTask, showTask } from './lists/show-tasks.ts'
import { consumeNumbers } from './order/numbers.queries.ts'
import { taskOrder } from './order/task-order.ts'
import { recordTask } from './record-task.service.ts'
import { lockWritableTask, requireAssignee } from './task-locks.service.ts'
import * as query from './tasks.queries.ts'

/** The fields of a task that can be set. */
interface WantedFields {
  description?: string | undefined
  status?: TaskStatus | undefined
  priority?: TaskPriority | undefined
  assigneeId?: string | null | undefined
  dueOn?: string | null | undefined
  labels?: readonly string[] | undefined
  checklist?: readonly WantedItem[] | undefined
  links?: readonly WantedLink[] | undefined
  fields?: WrittenFields | undefined
}

export type NewTask = WantedFields & { engagementId: string; title: string }
export type TaskChange = WantedFields & {
  title?: string | undefined
  outcome?: CheckOutcome | undefined
  ifUpdatedAt?: string | undefined
}

/** @throws ApiError CONFLICT if the engagement is full. The caller has locked the order of tasks. */
export const requireTaskQuota = async (
  { config }: Pick<Writer, 'config'>,
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  more: number,
): Promise<void> => {
  const max = config.TASK_LIMIT
  if ((await query.countTasks(tx, organizationId, engagementId, max + 1)) + more > max)
    throw conflict(`An engagement has at most ${max} tasks (TASK_LIMIT).`)
}

/**
 * @throws ApiError VALIDATION_ERROR for an invalid engagement, assignee or object, CONFLICT for an archived or full
 *   engagement
 */
export const createTask = (writer: Writer, sources: TitleSources, actor: Actor, wanted: NewTask): Promise<ShownTask> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const {
      engagementId,
      title,
      description = '',
      status = 'open',
      priority = 'none',
      assigneeId = null,
      dueOn = null,
    } = wanted
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    if (assigneeId !== null) await requireAssignee(tx, actor, engagementId, assigneeId)
    const links = await resolveLinks(tx, sources, actor, engagementId, wanted.links ?? [], [])
    await taskOrder.lock(tx, { organizationId, engagementId })
    await requireTaskQuota(writer, tx, organizationId, engagementId, 1)
    const [position] = await taskOrder.lastPositions(tx, { organizationId, engagementId }, 1)
    const now = clock.now()
    const id = newId('tsk', now)
    await query.insertTasks(tx, [
      {
        id,
        organization_id: organizationId,
        engagement_id: engagementId,
        title,
        description,
        status,
        priority: query.weightOf(priority),
        assignee_id: assigneeId,
        due_on: dueOn,
        labels: distinct(wanted.labels ?? []),
        position: position as string,
        number: await consumeNumbers(tx, organizationId, engagementId, 1),
        checklist: JSON.stringify(replaceChecklist([], wanted.checklist ?? [], clock)),
        created_by: authorOf(actor),
        completed_at: isOver(status) ? isoTime(now) : null,
        created_at: isoTime(now),
        updated_at: isoTime(now),
      },
    ])
    await query.replaceLinks(tx, organizationId, engagementId, id, links)
    const set = await setFields(tx, actor, { type: 'task', id, engagementId }, wanted.fields)
    const after = { title, status, priority, ...(set && { fields: set.after }) }
    await recordTask(tx, actor, clock, { action: 'task.created', change: 'created', taskId: id, engagementId, after })
    if (assigneeId !== null)
      await notify(tx, writer, actor, [assigneeId], {
        kind: 'assignment',
        engagementId,
        object: { type: 'task', id },
        tasks: 1,
      })
    return showTask(tx, sources, actor, await requireTask(tx, organizationId, id))
  })

/**
 * Unchanged values have no effect. @throws ApiError CONFLICT for a stale change, VALIDATION_ERROR for an invalid value
 */
export const updateTask = (
  writer: Writer,
  sources: TitleSources,
  actor: Actor,
  taskId: string,
  { fields, ...wanted }: TaskChange,
): Promise<ShownTask> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const before = await lockWritableTask(tx, actor, taskId)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this task in the meantime. Reload it, then repeat the change.')
    }
    if (wanted.outcome !== undefined && before.outcome === null)
      throw invalid('outcome: this task checks no item of a methodology')
    const links =
      wanted.links && (await resolveLinks(tx, sources, actor, before.engagement_id, wanted.links, before.links ?? []))
    const checklist = wanted.checklist && replaceChecklist(before.checklist, wanted.checklist, clock)
    const changed = changedFields(before, {
      ...wanted,
      labels: wanted.labels && distinct(wanted.labels),
      links,
      checklist,
    })
    const set = await setFields(tx, actor, { type: 'task', id: taskId, engagementId: before.engagement_id }, fields)
    if (Object.keys(changed.after).length === 0 && !set) return showTask(tx, sources, actor, before)
    const { assigneeId } = changed.after
    if (typeof assigneeId === 'string') await requireAssignee(tx, actor, before.engagement_id, assigneeId)
    await query.updateTask(tx, actor.organizationId, taskId, {
      ...columnsOf(changed.after, before, clock),
      updated_at: laterThan(before, clock),
    })
    if (links) await query.replaceLinks(tx, actor.organizationId, before.engagement_id, taskId, links)
    await recordTask(tx, actor, clock, {
      action: 'task.changed',
      change: 'updated',
      taskId,
      engagementId: before.engagement_id,
      ...withFields(changed, set),
    })
    if (typeof assigneeId === 'string') {
      await notify(tx, writer, actor, [assigneeId], {
        kind: 'assignment',
        engagementId: before.engagement_id,
        object: { type: 'task', id: taskId },
        tasks: 1,
      })
    }
    return showTask(tx, sources, actor, await requireTask(tx, actor.organizationId, taskId))
  })

/** Ticks or rewrites one item. @throws ApiError NOT_FOUND for an unknown item, VALIDATION_ERROR for an empty change */
export const updateChecklistItem = (
  { change, clock }: Writer,
  sources: TitleSources,
  actor: Actor,
  taskId: string,
  itemId: string,
  { done, text }: { done?: boolean | undefined; text?: string | undefined },
): Promise<ShownTask> =>
  change(async (tx) => {
    const task = await lockWritableTask(tx, actor, taskId)
    const item = task.checklist.find(({ id }) => id === itemId)
    if (!item) throw notFound()
    if (done === undefined && text === undefined) throw invalid('done: done or text is needed')
    const after = { ...item, ...(done !== undefined && { done }), ...(text !== undefined && { text }) }
    if (after.done === item.done && after.text === item.text) return showTask(tx, sources, actor, task)
    const checklist = task.checklist.map((other) => (other.id === itemId ? after : other))
    await query.updateTask(tx, actor.organizationId, taskId, {
      checklist: JSON.stringify(checklist),
      updated_at: laterThan(task, clock),
    })
    const changed = { before: { checklistItem: item }, after: { checklistItem: after } }
    await recordTask(tx, actor, clock, {
      action: 'task.changed',
      change: 'updated',
      taskId,
      engagementId: task.engagement_id,
      ...changed,
    })
    return showTask(tx, sources, actor, await requireTask(tx, actor.organizationId, taskId))
  })

/** Moves it to the trash, with its comments, notifications and files. */
export const deleteTask = ({ change, clock }: Writer, actor: Actor, taskId: string): Promise<void> =>
  change(async (tx) => {
    const task = await lockWritableTask(tx, actor, taskId)
    await moveToTrash(tx, 'tasks', actor.organizationId, [taskId], isoTime(clock.now()))
    const before = { title: task.title, status: task.status }
    await recordTask(tx, actor, clock, {
      action: 'task.deleted',
      change: 'deleted',
      taskId,
      engagementId: task.engagement_id,
      before,
    })
  })

export const requireTask = async (tx: Transaction, organizationId: string, taskId: string): Promise<query.TaskRow> => {
  const task = await query.findTask(tx, organizationId, taskId)
  if (!task) throw notFound()
  return task
}

/** True if nothing is left to do. */
export const isOver = (status: string): boolean => status === 'done' || status === 'cancelled'

/** Two changes within a millisecond still get different times: `updatedAt` distinguishes states. */
export const laterThan = ({ updated_at }: Pick<query.TaskRow, 'updated_at'>, clock: Clock): string =>
  isoTime(Math.max(clock.now(), Date.parse(updated_at) + 1))

/** When a task with this status was over: a task that was already over keeps its time. */
export const completedAt = (status: string, before: Pick<query.TaskRow, 'completed_at'>, clock: Clock): string | null =>
  isOver(status) ? (before.completed_at ?? isoTime(clock.now())) : null

const distinct = (labels: readonly string[]): string[] => [...new Set(labels)]

type Fields = Record<string, unknown>

/** The fields that change, with their old and new values, in the words of the contract. */
const changedFields = (
  row: query.TaskRow,
  { ifUpdatedAt: _, ...wanted }: Fields,
): { before: Fields; after: Fields } => {
  const current: Fields = {
    title: row.title,
    description: row.description,
    status: row.status,
    priority: TASK_PRIORITIES[row.priority],
    assigneeId: row.assignee_id,
    dueOn: row.due_on,
    labels: row.labels,
    checklist: row.checklist,
    links: row.links ?? [],
    outcome: row.outcome,
  }
  const differing = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && canonical(value) !== canonical(current[field]),
  )
  return {
    before: Object.fromEntries(differing.map(([field]) => [field, current[field]])),
    after: Object.fromEntries(differing),
  }
}

/** JSON that ignores the order of keys, which Postgres does not keep. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const columnsOf = (after: Fields, before: query.TaskRow, clock: Clock): Updateable<Tasks> => {
  const status = after['status'] as TaskStatus | undefined
  const columns = {
    title: after['title'],
    description: after['description'],
    status,
    completed_at: status && completedAt(status, before, clock),
    priority: after['priority'] && query.weightOf(after['priority'] as TaskPriority),
    assignee_id: after['assigneeId'],
    due_on: after['dueOn'],
    labels: after['labels'],
    checklist: after['checklist'] && JSON.stringify(after['checklist']),
    outcome: after['outcome'],
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Updateable<Tasks>
}
