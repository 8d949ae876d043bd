import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Data, Snapshot } from './merging.ts'

/** A result with what one source has said of it. */
export interface ObservedRow {
  id: string
  title: string
  severity: number | null
  is_severity_set: boolean
  status: string | null
  state: string
  data: Data
  large_data: Data
  tools: string[]
  reopened_at: string | null
  last_seen_at: string
  evidence_at: string
  status_changed_at: string | null
  edited_at: string | null
  updated_at: string
  change: string
  before: Snapshot | null
  previous_seen_at: string | null
  previous_evidence_at: string | null
  observed_at: string
  /** Another source has spoken of it since. */
  is_seen_since: boolean
}

/** The next of a source, in the order of the results' ids. */
export const lockNextObserved = async (tx: Transaction, organizationId: string, sourceId: string, limit: number): Promise<ObservedRow[]> => {
  const { rows } = await sql<ObservedRow>`
    select r.id, r.title, r.severity, r.is_severity_set, r.status, r.state, r.data, r.large_data, r.tools, r.reopened_at, r.last_seen_at,
      r.evidence_at, r.status_changed_at, r.edited_at, r.updated_at, o.change, o.before, o.previous_seen_at, o.previous_evidence_at, o.created_at as observed_at,
      exists (select from observations later where later.organization_id = o.organization_id and later.result_id = o.result_id
        and later.sequence > o.sequence) as is_seen_since
    from observations o join results r on r.organization_id = o.organization_id and r.id = o.result_id
    where o.organization_id = ${organizationId} and o.source_id = ${sourceId}
    order by r.id limit ${limit} for no key update of r`.execute(tx)
  return rows
}

export const deleteObservations = async (tx: Transaction, organizationId: string, sourceId: string, resultIds: readonly string[]): Promise<void> => {
  await sql`delete from observations where organization_id = ${organizationId} and source_id = ${sourceId} and result_id = any(${resultIds}::text[])`.execute(
    tx,
  )
}

export const deleteResultsById = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  await sql`delete from results where organization_id = ${organizationId} and id = any(${ids}::text[])`.execute(tx)
}
