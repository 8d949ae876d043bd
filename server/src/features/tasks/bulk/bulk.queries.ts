import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** New values of tasks; undefined leaves one as it is. */
export interface BulkValues {
  status: string | undefined
  priority: number | undefined
  assigneeId: string | null | undefined
  dueOn: string | null | undefined
  addLabels: readonly string[]
  removeLabels: readonly string[]
  outcome: string | undefined
}

/** Always locks in the order of ids. */
export const lockTasks = async (tx: Transaction, organizationId: string, taskIds: readonly string[]): Promise<void> => {
  await sql`select from tasks where organization_id = ${organizationId} and id = any(${taskIds}) order by id for update`.execute(
    tx,
  )
}

/** Counts the tasks that are not checks of a methodology. */
export const countOthers = async (
  tx: Transaction,
  organizationId: string,
  taskIds: readonly string[],
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from tasks
    where organization_id = ${organizationId} and id = any(${taskIds}) and outcome is null`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Counts the tasks that this user is not assigned to, by engagement; with the id of one of them. */
export const listAssignments = async (
  tx: Transaction,
  organizationId: string,
  taskIds: readonly string[],
  userId: string,
) => {
  const { rows } = await sql<{
    engagement_id: string
    tasks: number
    task_id: string
  }>`select engagement_id, count(*) as tasks, min(id) as task_id from tasks
    where organization_id = ${organizationId} and id = any(${taskIds}) and assignee_id is distinct from ${userId}
    group by engagement_id order by engagement_id`.execute(tx)
  return rows
}

/** Values of a task before a change, and the time of that change. */
export interface FormerTask {
  id: string
  updated_at: string
  former: {
    status: string
    priority: number
    assignee_id: string | null
    due_on: string | null
    labels: string[]
    outcome: string | null
  }
}

/** Sets the values where they are not so already. @returns the tasks that changed, with their former values */
export const updateAlike = async (
  tx: Transaction,
  organizationId: string,
  taskIds: readonly string[],
  values: BulkValues,
  now: string,
) => {
  const { status = null, priority = null, assigneeId, dueOn, addLabels, removeLabels, outcome = null } = values
  const { rows } = await sql<FormerTask & { labels: number }>`with wanted as materialized (
      select t.id,
        coalesce(${status}::text, t.status) as status,
        coalesce(${priority}::smallint, t.priority) as priority,
        case when ${assigneeId !== undefined}::boolean then ${assigneeId ?? null}::text else t.assignee_id end as assignee_id,
        case when ${dueOn !== undefined}::boolean then ${dueOn ?? null}::date else t.due_on end as due_on,
        array(
          select l.label from (
            select label, place from unnest(t.labels) with ordinality as old (label, place) where label <> all (${removeLabels}::text[])
            union all select label, 1000 + place from unnest(${addLabels}::text[]) with ordinality as new (label, place)
          ) as l group by l.label order by min(l.place)
        ) as labels,
        coalesce(${outcome}::text, t.outcome) as outcome,
        jsonb_build_object('status', t.status, 'priority', t.priority, 'assignee_id', t.assignee_id, 'due_on', t.due_on, 'labels', t.labels,
          'outcome', t.outcome) as former
      from tasks t where t.organization_id = ${organizationId} and t.id = any(${taskIds})
    ), changed as (
      update tasks set status = w.status, priority = w.priority, assignee_id = w.assignee_id, due_on = w.due_on, labels = w.labels, outcome = w.outcome,
        completed_at = case when w.status in ('done', 'cancelled') then coalesce(tasks.completed_at, ${now}::timestamptz) end,
        updated_at = greatest(${now}::timestamptz, tasks.updated_at + interval '1 millisecond')
      from wanted w
      where tasks.organization_id = ${organizationId} and tasks.id = w.id
        and (tasks.status, tasks.priority, tasks.assignee_id, tasks.due_on, tasks.labels, tasks.outcome)
          is distinct from (w.status, w.priority, w.assignee_id, w.due_on, w.labels, w.outcome)
      returning tasks.id, tasks.labels, tasks.updated_at, w.former
    ) select id, cardinality(labels) as labels, updated_at, former from changed`.execute(tx)
  return rows
}

/** Those of these tasks that are as they were created: not changed, commented on, linked, and without files. */
export const listUnchanged = async (
  tx: Transaction,
  organizationId: string,
  taskIds: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`select t.id from tasks t
    where t.organization_id = ${organizationId} and t.id = any(${taskIds}) and t.updated_at = t.created_at
      and not exists (select from comments c where c.organization_id = t.organization_id and c.task_id = t.id)
      and not exists (select from task_links l where l.organization_id = t.organization_id and l.task_id = t.id)
      and not exists (select from files f where f.organization_id = t.organization_id and f.owner_type = 'task' and f.owner_id = t.id)`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Links these tasks to the audit entry of their bulk change. */
export const insertBulkChanges = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  taskIds: readonly string[],
  auditId: string,
): Promise<void> => {
  await sql`insert into task_bulk_changes (organization_id, engagement_id, task_id, audit_id)
    select ${organizationId}, ${engagementId}, id, ${auditId} from unnest(${taskIds}::text[]) as t (id)`.execute(tx)
}

/** The newest audit entries about a task, bulk changes included. The caller checks that the task is visible. */
export const listTaskHistory = (
  db: Database,
  organizationId: string,
  taskId: string,
  before: string | undefined,
  limit: number,
) =>
  db
    .selectFrom('audit_entries')
    .select([
      'id',
      'created_at',
      'actor_type',
      'actor_id',
      'actor_name',
      'action',
      'object_type',
      'object_id',
      'before',
      'after',
    ])
    .where('organization_id', '=', organizationId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('object_id', '=', taskId),
        eb(
          'id',
          'in',
          selectFrom('task_bulk_changes as b')
            .select('b.audit_id')
            .where('b.organization_id', '=', organizationId)
            .where('b.task_id', '=', taskId),
        ),
      ]),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
