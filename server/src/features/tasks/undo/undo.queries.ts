import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** The values of a task that a bulk change can set. */
export interface RevertedTask {
  id: string
  status: string
  priority: number
  assignee_id: string | null
  due_on: string | null
  labels: readonly string[]
  outcome: string | null
}

/** Locks tasks in the order of ids. @returns their values */
export const lockValues = async (tx: Transaction, organizationId: string, taskIds: readonly string[]) => {
  const { rows } = await sql<RevertedTask & { engagement_id: string; updated_at: string }>`
    select id, engagement_id, status, priority, assignee_id, due_on, labels, outcome, updated_at
    from tasks where organization_id = ${organizationId} and id = any(${taskIds}::text[]) order by id for update`.execute(
    tx,
  )
  return rows
}

/** Writes the values of tasks that the transaction has locked. @returns the time of the change of each */
export const writeValues = async (
  tx: Transaction,
  organizationId: string,
  tasks: readonly RevertedTask[],
  now: string,
): Promise<Map<string, string>> => {
  const { rows } = await sql<{
    id: string
    updated_at: string
  }>`update tasks t set status = x.status, priority = x.priority, assignee_id = x.assignee_id,
      due_on = x.due_on, labels = x.labels, outcome = x.outcome,
      completed_at = case when x.status in ('done', 'cancelled') then coalesce(t.completed_at, ${now}::timestamptz) end,
      updated_at = greatest(${now}::timestamptz, t.updated_at + interval '1 millisecond')
    from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb)
      as x (id text, status text, priority smallint, assignee_id text, due_on date, labels text[], outcome text)
    where t.organization_id = ${organizationId} and t.id = x.id and t.id = any(${tasks.map(({ id }) => id)}::text[])
    returning t.id, t.updated_at`.execute(tx)
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

/**
 * Restores tasks of an engagement from the trash, which the transaction sees. Of checks of one item and target, only
 * the one that was deleted last comes back, and none if there is a new one. The caller has locked the order of tasks.
 *
 * @returns their ids
 */
export const restoreTasks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  taskIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select t.id, row_number() over (
        partition by case when t.methodology_id is null then t.id else t.methodology_id || ' ' || t.item_key || ' ' || coalesce(t.target_id, '') end
        order by t.trashed_at desc, t.id desc) as place
      from tasks t
      where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id = any(${taskIds}::text[]) and t.trashed_at is not null
        and not exists (select from tasks live where live.organization_id = t.organization_id and live.engagement_id = t.engagement_id
          and live.methodology_id = t.methodology_id and live.item_key = t.item_key and coalesce(live.target_id, '') = coalesce(t.target_id, '')
          and live.trashed_at is null)
    )
    update tasks t set trashed_at = null from wanted w
    where t.organization_id = ${organizationId} and t.id = w.id and w.place = 1
    returning t.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Those of these tasks whose position another task has. Of equal ones among them, one keeps it. */
export const listMisplaced = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  taskIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select t.id from tasks t
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id = any(${taskIds}::text[])
      and exists (select from tasks other where other.organization_id = t.organization_id and other.engagement_id = t.engagement_id
        and other.position = t.position and other.id <> t.id and (other.id < t.id or not other.id = any(${taskIds}::text[])))
    order by t.position, t.id`.execute(tx)
  return rows.map(({ id }) => id)
}
