import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { PartialSnapshot } from '../merge/merge.ts'
import { STORED_RESULT, type StoredResult } from '../merge/stored-result.ts'

/** A result with the observation of one source. */
export interface ObservedRow extends StoredResult {
  edited_at: string | null
  change: string
  previous_seen_at: string | null
  previous_evidence_at: string | null
  observed_at: string
  /**
   * The next source that reports the result: if this source created it, any sighting counts, else any that was not
   * outdated.
   */
  next_source_id: string | null
  next_change: string | null
  next_before: PartialSnapshot | null
  next_after: PartialSnapshot | null
}

/** Locks the next results of a source, in the order of ids. */
export const lockNextObserved = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
  limit: number,
): Promise<ObservedRow[]> => {
  const { rows } = await sql<ObservedRow>`
    select ${STORED_RESULT}, r.edited_at, o.change, o.previous_seen_at, o.previous_evidence_at,
      o.created_at as observed_at, next.source_id as next_source_id, next.change as next_change, next.before as next_before, next.after as next_after
    from observations o join results r on r.organization_id = o.organization_id and r.id = o.result_id
      left join lateral (select later.source_id, later.change, later.before, later.after from observations later
        where later.organization_id = o.organization_id and later.result_id = o.result_id and later.sequence > o.sequence
          and later.change <> case when o.change = 'created' then 'gone' else 'older' end
        order by later.sequence limit 1) next on true
    where o.organization_id = ${organizationId} and o.source_id = ${sourceId}
    order by r.id limit ${limit} for no key update of r`.execute(tx)
  return rows
}

export const deleteObservations = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
  resultIds: readonly string[],
): Promise<void> => {
  await sql`delete from observations where organization_id = ${organizationId} and source_id = ${sourceId} and result_id = any(${resultIds}::text[])`.execute(
    tx,
  )
}

export const deleteResultsById = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> => {
  await sql`delete from results where organization_id = ${organizationId} and id = any(${ids}::text[])`.execute(tx)
}

export interface ReassignedObservation {
  result_id: string
  source_id: string
  change: string
  before: PartialSnapshot | null
  after: PartialSnapshot | null
  previous_seen_at: string | null
  previous_evidence_at: string | null
}

/** Stores the observations that were reassigned to the next source. */
export const updateObservations = async (
  tx: Transaction,
  organizationId: string,
  passedOn: readonly ReassignedObservation[],
): Promise<void> => {
  if (passedOn.length === 0) return
  await sql`update observations o set change = x.change, before = x.before, after = x.after, previous_seen_at = x.previous_seen_at,
      previous_evidence_at = x.previous_evidence_at
    from jsonb_to_recordset(${JSON.stringify(passedOn)}::jsonb) as x (result_id text, source_id text, change text, before jsonb, after jsonb,
      previous_seen_at timestamptz, previous_evidence_at timestamptz)
    where o.organization_id = ${organizationId} and o.source_id = x.source_id and o.result_id = x.result_id
      and o.result_id = any(${passedOn.map((each) => each.result_id)}::text[])`.execute(tx)
}

/** Makes these results start with their first remaining sighting, and deletes "gone" observations from before it. */
export const beginLater = async (
  tx: Transaction,
  organizationId: string,
  resultIds: readonly string[],
): Promise<void> => {
  if (resultIds.length === 0) return
  await sql`delete from observations o where o.organization_id = ${organizationId} and o.result_id = any(${resultIds}::text[]) and o.change = 'gone'
    and o.sequence < (select min(first.sequence) from observations first
      where first.organization_id = o.organization_id and first.result_id = o.result_id and first.change = 'created')`.execute(
    tx,
  )
  await sql`update results r set first_seen_at = seen.first, last_seen_at = seen.last, evidence_at = seen.evidence
    from (select o.result_id, (array_agg(o.seen_at order by o.sequence))[1] as first, max(o.seen_at) filter (where o.change <> 'gone') as last,
        max(o.seen_at) as evidence
      from observations o where o.organization_id = ${organizationId} and o.result_id = any(${resultIds}::text[]) group by o.result_id) as seen
    where r.organization_id = ${organizationId} and r.id = seen.result_id and r.id = any(${resultIds}::text[])`.execute(
    tx,
  )
}
