import type * as contract from '@sortie/contract/inventory/results.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { RunChange } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { holdSelection } from '../../engagements/selections.service.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { lockInventory } from '../../inventory/ingest/ingest.queries.ts'
import { SEVERITIES } from '../../inventory/sightings/severities.ts'
import * as query from '../results.queries.ts'
import { requireMember } from './references.service.ts'

type BulkUpdateInput = Static<(typeof contract.updateResults)['body']>

/**
 * Updates the triage fields of many results.
 *
 * @returns how many results were selected
 * @throws ApiError VALIDATION_ERROR for an invalid selection or value, CONFLICT for an archived engagement or a filter that
 *   matches too many results
 */
export const updateResults = (
  change: RunChange,
  actor: Actor,
  clock: Clock,
  { set, ...selection }: BulkUpdateInput,
): Promise<number> =>
  change(async (tx) => {
    const { organizationId } = actor
    if (set.acceptedUntil != null && set.status !== undefined && set.status !== 'accepted')
      throw invalid('set.acceptedUntil: only with the status accepted')
    const ids = (await holdSelection(tx, actor, query.resultList, selection)).toSorted()
    if (set.assigneeId != null) await requireMember(tx, organizationId, set.assigneeId)
    const rows = await query.lockResults(tx, organizationId, ids)
    const { addTags = [], removeTags = [], status, notes, severity, assigneeId, acceptedUntil } = set
    const wanted = {
      addTags,
      removeTags,
      ...(status !== undefined && { status }),
      ...(notes !== undefined && { notes }),
      ...(severity !== undefined && { severity: SEVERITIES.indexOf(severity) }),
      ...(assigneeId !== undefined && { assignee_id: assigneeId }),
      ...(acceptedUntil !== undefined && { accepted_until: acceptedUntil }),
    }
    const changed = await query.updateAll(tx, organizationId, ids, wanted, isoTime(clock.now()))
    await record(tx, actor, clock, 'results.changed', changed, { after: { ...set, count: changed.length } })
    await announceAll(tx, changed, 'updated')
    return rows.length
  })

/**
 * Deletes many results, including those that tools reported.
 *
 * @returns how many results were selected
 * @throws ApiError VALIDATION_ERROR, CONFLICT as for the update
 */
export const deleteResults = (change: RunChange, actor: Actor, clock: Clock, selection: Selection): Promise<number> =>
  change(async (tx) => {
    const { organizationId } = actor
    const ids = (await holdSelection(tx, actor, query.resultList, selection)).toSorted()
    for (const id of engagementsOf(await query.listEngagementIds(tx, organizationId, ids))) await lockInventory(tx, id)
    const rows = await query.lockResults(tx, organizationId, ids)
    await deleteFilesOf(tx, organizationId, 'result', ids)
    await query.deleteAll(tx, organizationId, ids)
    await record(tx, actor, clock, 'results.deleted', rows, { before: { count: rows.length } })
    await announceAll(tx, rows, 'deleted')
    return rows.length
  })

const engagementsOf = (rows: readonly { engagement_id: string }[]): string[] =>
  [...new Set(rows.map((row) => row.engagement_id))].toSorted()

/** One audit entry per request: for the engagement if all results share it, else for the organization. */
const record = async (
  tx: Transaction,
  actor: Actor,
  clock: Clock,
  action: string,
  rows: readonly { engagement_id: string }[],
  details: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> => {
  if (rows.length === 0) return
  const [engagementId, ...others] = engagementsOf(rows) as [string, ...string[]]
  const isOne = others.length === 0
  const object = isOne ? { type: 'engagement', id: engagementId } : { type: 'organization', id: actor.organizationId }
  await recordAudit(tx, actor, clock, { action, object, ...(isOne && { engagementId }), ...details })
}

const announceAll = async (
  tx: Transaction,
  rows: readonly { id: string; engagement_id: string }[],
  change: 'updated' | 'deleted',
): Promise<void> => {
  for (const engagementId of engagementsOf(rows)) {
    const ids = rows.filter((row) => row.engagement_id === engagementId).map(({ id }) => id)
    await announce(tx, { type: 'result', engagementId, ids, change })
  }
}
