import { TASK_PRIORITIES } from '@sortie/contract/core/values.ts'
import * as contract from '@sortie/contract/tasks/tasks.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Tasks } from '../../platform/database/types.gen.ts'
import { fieldsOf, hasFields } from '../../platform/fields/field-values.ts'
import {
  anyIn,
  anyOf,
  anyOfOrNone,
  condition,
  containsFolded,
  type Filter,
  onlyWhere,
} from '../../platform/lists/filters.ts'
import { byId, listQuery, nullsLast } from '../../platform/lists/list.ts'

export interface ChecklistItem {
  id: string
  text: string
  done: boolean
}

export interface LinkRow {
  type: contract.LinkType
  id: string
  /** The object's title when the link was made, or when the object was deleted. */
  title: string
}

const COLUMNS = [
  't.id',
  't.engagement_id',
  't.number',
  't.title',
  't.description',
  't.status',
  't.priority',
  't.assignee_id',
  't.due_on',
  't.labels',
  't.position',
  't.methodology_id',
  't.item_key',
  't.target_id',
  't.outcome',
  't.created_by',
  't.completed_at',
  't.created_at',
  't.updated_at',
  't.trashed_at',
] as const

const selectTasks = (db: Database, organizationId: string) =>
  db
    .selectFrom('tasks as t')
    .leftJoin('engagements as e', 'e.id', 't.engagement_id')
    .leftJoin('users as assignee', 'assignee.id', 't.assignee_id')
    .leftJoin('users as creator', 'creator.id', 't.created_by')
    .select(COLUMNS)
    .select(({ ref, selectFrom }) => [
      'e.task_prefix',
      ref('t.checklist').$castTo<ChecklistItem[]>().as('checklist'),
      'assignee.name as assignee_name',
      'creator.name as creator_name',
      fieldsOf('t').as('fields'),
      selectFrom('comments as c')
        .whereRef('c.organization_id', '=', 't.organization_id')
        .whereRef('c.task_id', '=', 't.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('comment_count'),
      selectFrom('task_links as l')
        .whereRef('l.organization_id', '=', 't.organization_id')
        .whereRef('l.task_id', '=', 't.id')
        .select(
          sql<
            LinkRow[]
          >`jsonb_agg(jsonb_build_object('type', l.type, 'id', l.object_id, 'title', l.title) order by l.place)`.as(
            'links',
          ),
        )
        .as('links'),
    ])
    .where('t.organization_id', '=', organizationId)

/** A task with names, the number of comments, and links as they were made. */
export type TaskRow = Awaited<ReturnType<typeof findTasks>>[number]

export const findTask = (db: Database, organizationId: string, taskId: string) =>
  selectTasks(db, organizationId).where('t.id', '=', taskId).executeTakeFirst()

export const findTasks = (db: Database, organizationId: string, taskIds: readonly string[]) =>
  selectTasks(db, organizationId)
    .where(sql<boolean>`t.id = any(${taskIds})`)
    .execute()

/** Priorities are stored by their weight. */
const priority: Filter = {
  where: (words: readonly contract.TaskPriority[], actor) =>
    anyOf('t.priority').where(words.map(weightOf) as never, actor),
  facet: { expression: sql`(${sql.val(TASK_PRIORITIES)}::text[])[t.priority + 1]`, isArray: false },
}

/** The weight of a priority: higher is more urgent. */
export const weightOf = (word: contract.TaskPriority): number => TASK_PRIORITIES.indexOf(word)

const ofTarget = (targetIds: readonly string[]) =>
  sql<SqlBool>`(t.target_id = any(${targetIds}) or exists (select from task_links l
    where l.organization_id = t.organization_id and l.task_id = t.id and l.object_id = any(${targetIds})))`

/** MF-12: the prefix of an engagement, and the number of a task. */
const SHORT_ID = /^([A-Z][A-Z0-9]{0,9})-([1-9]\d{0,8})$/i

/** Parses a short id; undefined for any other text. */
export const parseShortId = (text: string): { prefix: string; number: number } | undefined => {
  const [, prefix, number] = SHORT_ID.exec(text.trim()) ?? []
  return prefix === undefined ? undefined : { prefix: prefix.toUpperCase(), number: Number(number) }
}

const inTitle = containsFolded('t.searched')

/** A part of the title, or a short id. */
const q: Filter = {
  readsEveryRow: true,
  where: (part: string, actor) => {
    const shortId = parseShortId(part)
    const isInTitle = inTitle.where(part as never, actor)
    return shortId
      ? sql`(${isInTitle} or t.number = ${shortId.number} and exists (select from engagements named
          where named.organization_id = t.organization_id and named.id = t.engagement_id and named.task_prefix = ${shortId.prefix}))`
      : isInTitle
  },
}

export const taskList = listQuery(contract.taskList, {
  rows: selectTasks,
  id: 't.id',
  engagementId: 't.engagement_id',
  sorts: {
    createdAt: byId,
    updatedAt: 't.updated_at',
    dueOn: nullsLast('t.due_on'),
    priority: 't.priority',
    position: 't.position',
  },
  filters: {
    status: anyOf('t.status'),
    priority,
    assigneeId: anyOfOrNone('t.assignee_id'),
    label: anyIn('t.labels'),
    dueBefore: condition((day: string) => sql`t.due_on < ${day}`),
    targetId: condition(ofTarget),
    methodologyId: anyOfOrNone('t.methodology_id'),
    outcome: anyOf('t.outcome'),
    field: hasFields('task', 't'),
    q,
    trashed: onlyWhere(sql`t.trashed_at is not null`),
  },
})

export const findEngagementOfTask = async (
  db: Database,
  organizationId: string,
  taskId: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('tasks')
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', taskId)
    .executeTakeFirst()
  return row?.engagement_id
}

/** Reads a task and locks it for a change; lock its engagement first. */
export const lockTask = async (
  tx: Transaction,
  organizationId: string,
  taskId: string,
): Promise<TaskRow | undefined> => {
  await tx
    .selectFrom('tasks')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', taskId)
    .forUpdate()
    .execute()
  return findTask(tx, organizationId, taskId)
}

/** Counting stops at `max`. */
export const countTasks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from tasks where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export const insertTasks = async (tx: Transaction, tasks: Insertable<Tasks>[]): Promise<void> => {
  await tx.insertInto('tasks').values(tasks).execute()
}

/** Changes a task that the transaction has locked. */
export const updateTask = async (
  tx: Transaction,
  organizationId: string,
  taskId: string,
  taskChange: Updateable<Tasks>,
): Promise<void> => {
  await tx
    .updateTable('tasks')
    .set(taskChange)
    .where('organization_id', '=', organizationId)
    .where('id', '=', taskId)
    .execute()
}

export const deleteTasks = async (
  tx: Transaction,
  organizationId: string,
  taskIds: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('tasks')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${taskIds})`)
    .execute()
}

/** Replaces all links of a task. */
export const replaceLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  taskId: string,
  links: readonly LinkRow[],
): Promise<void> => {
  await tx
    .deleteFrom('task_links')
    .where('organization_id', '=', organizationId)
    .where('task_id', '=', taskId)
    .execute()
  if (links.length === 0) return
  const rows = links.map(({ type, id, title }, place) => ({
    organization_id: organizationId,
    engagement_id: engagementId,
    task_id: taskId,
    place,
    type,
    object_id: id,
    title,
  }))
  await tx.insertInto('task_links').values(rows).execute()
}

/** Titles of these tasks; hidden ones are omitted. */
export const listTaskTitles = (db: Database, organizationId: string, taskIds: readonly string[]) =>
  db
    .selectFrom('tasks')
    .select(['id', 'title', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${taskIds})`)
    .execute()
