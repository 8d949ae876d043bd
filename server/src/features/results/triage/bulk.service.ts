import { SEVERITIES } from '@sortie/contract/core/values.ts'
import type * as bulk from '@sortie/contract/inventory/result-bulk.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { RunChange } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { lockInventory } from '../../targets/inventory-lock.queries.ts'
import * as query from '../results.queries.ts'
import { trashResults } from '../undo/trash-results.service.ts'
import { type FormerResult, updateAll } from './bulk.queries.ts'
import { notifyAssignees } from './notify-assignees.service.ts'
import { requireMember } from './references.service.ts'

type BulkUpdateInput = Static<(typeof bulk.bulkUpdateResults)['body']>

/**
 * Updates the triage fields of many results.
 *
 * @returns how many results were selected, and what changed
 * @throws ApiError VALIDATION_ERROR for an invalid selection or value, CONFLICT for an archived engagement or a filter
 *   that matches too many results
 */
export const bulkUpdateResults = (
  writer: Pick<Writer, 'change' | 'clock' | 'jobs'>,
  actor: Actor,
  { set, withUndo: _, ...selection }: BulkUpdateInput,
): Promise<{ updated: number; changed: FormerResult[] }> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    if (set.acceptedUntil != null && set.status !== undefined && set.status !== 'accepted')
      throw invalid('set.acceptedUntil: only with the status accepted')
    const ids = (await lockSelection(tx, actor, query.resultList, selection)).toSorted()
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
    const changed = await updateAll(tx, organizationId, ids, wanted, isoTime(clock.now()))
    await record(tx, actor, clock, 'results.changed', changed, { after: { ...set, count: changed.length } })
    await announceAll(tx, changed, 'updated')
    const after = (former: FormerResult['former']) => ({
      status: status ?? former.status,
      assignee_id: assigneeId === undefined ? former.assignee_id : assigneeId,
    })
    const triaged = changed.map(({ id, engagement_id, former }) => ({
      id,
      engagement_id,
      before: former,
      after: after(former),
    }))
    await notifyAssignees(tx, writer, actor, triaged)
    return { updated: rows.length, changed }
  })

/**
 * Moves many results to the trash, including those that tools reported.
 *
 * @returns the ids of those that were selected
 * @throws ApiError VALIDATION_ERROR, CONFLICT as for the update
 */
export const bulkDeleteResults = (
  change: RunChange,
  actor: Actor,
  clock: Clock,
  selection: Selection,
): Promise<string[]> =>
  change(async (tx) => {
    const { organizationId } = actor
    const ids = (await lockSelection(tx, actor, query.resultList, selection)).toSorted()
    for (const id of engagementsOf(await query.listEngagementIds(tx, organizationId, ids))) await lockInventory(tx, id)
    const rows = await query.lockResults(tx, organizationId, ids)
    await trashResults(tx, organizationId, ids, isoTime(clock.now()))
    await record(tx, actor, clock, 'results.deleted', rows, { before: { count: rows.length } })
    await announceAll(tx, rows, 'deleted')
    return rows.map(({ id }) => id)
  })

export const engagementsOf = (rows: readonly { engagement_id: string }[]): string[] =>
  [...new Set(rows.map((row) => row.engagement_id))].toSorted()

/** One audit entry per request: for the engagement if all results share it, else for the organization. */
export const record = async (
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

export const announceAll = async (
  tx: Transaction,
  rows: readonly { id: string; engagement_id: string }[],
  change: 'created' | 'updated' | 'deleted',
): Promise<void> => {
  for (const engagementId of engagementsOf(rows)) {
    const ids = rows.filter((row) => row.engagement_id === engagementId).map(({ id }) => id)
    await announce(tx, { type: 'result', engagementId, ids, change })
  }
}
