import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { deleteFilesOf } from '../files/files.service.ts'
import { lockInventory, updateResults } from './ingest.queries.ts'
import { saidOf } from './ingest.service.ts'
import { restored, splitData } from './merging.ts'
import * as query from './take-back.queries.ts'

/**
 * Takes back the next of what a source has said: results that it brought go, changes that it made are undone. What another
 * source has spoken of since, or a person has changed, stays as it is.
 *
 * @returns ids of the results; fewer than `limit` where there are no more
 */
export const takeBackObservations = async (
  tx: Transaction,
  clock: Clock,
  { organizationId, engagementId, id: sourceId }: { organizationId: string; engagementId: string; id: string },
  limit: number,
): Promise<string[]> => {
  await lockInventory(tx, engagementId)
  const rows = await query.lockNextObserved(tx, organizationId, sourceId, limit)
  const isUntouched = (row: query.ObservedRow) => !row.is_seen_since && (row.edited_at ?? '') <= row.observed_at
  const brought = rows.filter((row) => row.change === 'created' && isUntouched(row)).map(({ id }) => id)
  const changed = rows.filter((row) => row.change !== 'created' && row.change !== 'older' && !row.is_seen_since)
  await updateResults(
    tx,
    organizationId,
    changed.map((row) => restoredRow(row, clock)),
  )
  await query.deleteObservations(
    tx,
    organizationId,
    sourceId,
    rows.map(({ id }) => id),
  )
  await deleteFilesOf(tx, organizationId, 'result', brought)
  await query.deleteResultsById(tx, organizationId, brought)
  return rows.map(({ id }) => id)
}

/** As it was; a status that a person has set since stays. */
const restoredRow = (row: query.ObservedRow, clock: Clock) => {
  const said = restored(saidOf(row), row.before ?? {})
  const { data, large } = splitData(said.data)
  const isStatusTheirs = (row.status_changed_at ?? '') > row.observed_at
  return {
    id: row.id,
    title: said.title,
    severity: row.is_severity_set ? row.severity : said.severity,
    status: isStatusTheirs ? row.status : said.status,
    state: said.state,
    data,
    large_data: large,
    tools: said.tools,
    reopened_at: isStatusTheirs ? row.reopened_at : said.reopenedAt,
    last_seen_at: row.previous_seen_at ?? row.last_seen_at,
    evidence_at: row.previous_evidence_at ?? row.evidence_at,
    updated_at: row.before ? isoTime(Math.max(clock.now(), Date.parse(row.updated_at) + 1)) : row.updated_at,
  }
}
