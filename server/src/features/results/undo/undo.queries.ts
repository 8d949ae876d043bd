import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Another result may have the identity of these, which go to the trash, from now on. */
export const releaseIdentities = async (
  tx: Transaction,
  organizationId: string,
  resultIds: readonly string[],
): Promise<void> => {
  await sql`update results set identity = null, trashed_identity = identity
    where organization_id = ${organizationId} and id = any(${resultIds}::text[])`.execute(tx)
}

/**
 * Restores results of an engagement from the trash, which the transaction sees, with their observations. Of results of
 * one identity, only the one that was deleted last comes back, and none if it was reported again. The caller has locked
 * the inventory.
 *
 * @returns the ids of those that came back
 */
export const restoreResults = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  resultIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select r.id, row_number() over (partition by coalesce(r.trashed_identity, r.id) order by r.trashed_at desc, r.id desc) as place,
        exists (select from results live where live.identity = r.trashed_identity and live.engagement_id = r.engagement_id) as is_there
      from results r
      where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.id = any(${resultIds}::text[]) and r.trashed_at is not null
    ), back as (
      update results r set trashed_at = null, identity = trashed_identity, trashed_identity = null from wanted w
      where r.organization_id = ${organizationId} and r.id = w.id and w.place = 1 and not w.is_there
      returning r.id
    ), seen as (
      update observations o set trashed_at = null from back where o.organization_id = ${organizationId} and o.result_id = back.id
    )
    select id from back`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The values of a result that a bulk change can set. */
export interface RevertedResult {
  id: string
  status: string | null
  severity: number | null
  is_severity_set: boolean
  assignee_id: string | null
  notes: string
  accepted_until: string | null
  tags: readonly string[]
}

/** Locks results in the order of ids. @returns their values */
export const lockValues = async (tx: Transaction, organizationId: string, resultIds: readonly string[]) => {
  const { rows } = await sql<RevertedResult & { engagement_id: string; kind: string; updated_at: string }>`
    select id, engagement_id, kind, status, severity, is_severity_set, assignee_id, notes, accepted_until, tags, updated_at
    from results where organization_id = ${organizationId} and id = any(${resultIds}::text[]) order by id for no key update`.execute(
    tx,
  )
  return rows
}

/** Writes the values of results that the transaction has locked. */
export const writeValues = async (
  tx: Transaction,
  organizationId: string,
  results: readonly RevertedResult[],
  now: string,
): Promise<void> => {
  await sql`update results r set status = x.status, severity = x.severity, is_severity_set = x.is_severity_set, assignee_id = x.assignee_id,
      notes = x.notes, accepted_until = x.accepted_until, tags = x.tags, edited_at = ${now},
      status_changed_at = case when r.status is distinct from x.status then ${now}::timestamptz else r.status_changed_at end,
      updated_at = greatest(${now}::timestamptz, r.updated_at + interval '1 millisecond')
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as x (id text, status text, severity smallint, is_severity_set boolean, assignee_id text,
      notes text, accepted_until date, tags text[])
    where r.organization_id = ${organizationId} and r.id = x.id and r.id = any(${results.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}
