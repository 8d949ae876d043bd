import { type Clock, isoTime } from '../../../platform/clock.ts'
import { hideTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { lockInventory } from '../../targets/inventory-lock.queries.ts'
import { updateResults } from '../ingest/ingest.queries.ts'
import { snapshotOf } from '../ingest/ingest.service.ts'
import { difference, overlaid, restored, type PartialSnapshot, splitData } from '../merge/merge.ts'
import * as query from './revert-import.queries.ts'

/**
 * Reverts the next `limit` observations of a source: deletes results that only this source reported, and undoes its
 * changes. Results that another source has reported since, or that a person has edited, stay; the other source then
 * owns the observation.
 *
 * @returns ids of the results, fewer than `limit` at the end, and those that are present again
 */
export const revertObservations = async (
  tx: Transaction,
  clock: Clock,
  { organizationId, engagementId, id: sourceId }: { organizationId: string; engagementId: string; id: string },
  limit: number,
): Promise<{ ids: string[]; backAgain: string[] }> => {
  await lockInventory(tx, engagementId)
  // Results in the trash are reverted with the others: a restore must not bring back what no import reports.
  await showTrash(tx)
  const rows = await query.lockNextObserved(tx, organizationId, sourceId, limit)
  const [brought, changed] = [
    rows.filter(isBroughtOnly),
    rows.filter((row) => CHANGES.has(row.change) && row.next_source_id === null),
  ]
  const passedOn = rows.flatMap(reassignToNextSource)
  await updateResults(
    tx,
    organizationId,
    changed.map((row) => restoredRow(row, clock)),
  )
  await query.deleteObservations(tx, organizationId, sourceId, idsOf(rows))
  await query.updateObservations(tx, organizationId, passedOn)
  await query.beginLater(
    tx,
    organizationId,
    passedOn.flatMap(({ change, result_id }) => (change === 'created' ? [result_id] : [])),
  )
  await deleteFilesOf(tx, organizationId, 'result', idsOf(brought))
  await query.deleteResultsById(tx, organizationId, idsOf(brought))
  await hideTrash(tx)
  return { ids: idsOf(rows), backAgain: idsOf(changed.filter(({ before }) => before?.state === 'present')) }
}

const CHANGES = new Set(['unchanged', 'changed', 'gone', 'reappeared'])

const idsOf = (rows: readonly query.ObservedRow[]): string[] => rows.map(({ id }) => id)

const isEditedSince = (row: query.ObservedRow): boolean => (row.edited_at ?? '') > row.observed_at

const isStatusTheirs = (row: query.ObservedRow): boolean => (row.status_changed_at ?? '') > row.observed_at

/** True if no other source has seen the result and no one has edited it. */
const isBroughtOnly = (row: query.ObservedRow): boolean =>
  row.change === 'created' && row.next_source_id === null && !isEditedSince(row)

/** Reassigns an observation to the next source: the creation, or its own change combined with the reverted one. */
const reassignToNextSource = (row: query.ObservedRow): query.ReassignedObservation[] => {
  const { id: result_id, next_source_id: source_id, next_change: change } = row
  if (source_id === null || change === null) return []
  if (row.change === 'created') {
    const after = overlaid(row.after, row.next_after)
    return isEditedSince(row)
      ? []
      : [
          {
            result_id,
            source_id,
            change: 'created',
            before: null,
            after,
            previous_seen_at: null,
            previous_evidence_at: null,
          },
        ]
  }
  if (!CHANGES.has(row.change)) return []
  const [before, after] = isStatusTheirs(row)
    ? [withoutStatus(row.before), withoutStatus(row.after)]
    : [row.before, row.after]
  const both = difference(overlaid(row.next_before, before), overlaid(after, row.next_after))
  const { previous_seen_at, previous_evidence_at } = row
  const previous = { previous_seen_at, previous_evidence_at }
  // The next source examined the place and did not find it, whatever the state before.
  if (change === 'gone')
    return [
      {
        result_id,
        source_id,
        change,
        before: { state: 'gone', ...both?.before },
        after: { ...both?.after, state: 'gone' },
        ...previous,
      },
    ]
  return [
    {
      result_id,
      source_id,
      change: changeOf(both),
      before: both?.before ?? null,
      after: both?.after ?? null,
      ...previous,
    },
  ]
}

const withoutStatus = (snapshot: PartialSnapshot | null): PartialSnapshot => {
  const { status, reopenedAt, ...rest } = snapshot ?? {}
  return rest
}

const changeOf = (both: ReturnType<typeof difference>): string =>
  !both ? 'unchanged' : both.before.state === 'gone' ? 'reappeared' : 'changed'

/** Restores the earlier state, except a status that a person has set since. */
const restoredRow = (row: query.ObservedRow, clock: Clock) => {
  const reported = restored(snapshotOf(row), row.before ?? {})
  const { data, large } = splitData(reported.data)
  const isTheirs = isStatusTheirs(row)
  return {
    id: row.id,
    title: reported.title,
    severity: row.is_severity_set ? row.severity : reported.severity,
    status: isTheirs ? row.status : reported.status,
    state: reported.state,
    data,
    large_data: large,
    tools: reported.tools,
    reopened_at: isTheirs ? row.reopened_at : reported.reopenedAt,
    last_seen_at: row.previous_seen_at ?? row.last_seen_at,
    evidence_at: row.previous_evidence_at ?? row.evidence_at,
    updated_at: row.before ? isoTime(Math.max(clock.now(), Date.parse(row.updated_at) + 1)) : row.updated_at,
  }
}
