import { isDeepStrictEqual } from 'node:util'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import { SEVERITIES } from '@sortie/contract/core/values.ts'
import type * as contract from '@sortie/contract/inventory/result-bulk.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { hideTrash, showTrash } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { emptyTrash, ofTrash } from '../../../platform/lists/trash.ts'
import { requireEachOnce, summarizeReverted } from '../../../platform/lists/undo.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockMembersForShare } from '../../engagements/details/details.queries.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { remainingResultQuota, resultQuotaExceeded } from '../../inventory/ingest/quota.service.ts'
import { findRuleSet } from '../../scope/scope.service.ts'
import { lockInventory } from '../../targets/inventory-lock.queries.ts'
import { listById, resultList } from '../results.queries.ts'
import { deleteAll } from '../triage/bulk.queries.ts'
import { announceAll, engagementsOf, record } from '../triage/bulk.service.ts'
import { reevaluateResults } from '../triage/own-verdicts.service.ts'
import * as query from './undo.queries.ts'

/**
 * Restores results from the trash, with their evidence and observations.
 *
 * @returns the numbers of those that came back and of those that could not: they were reported again
 * @throws ApiError VALIDATION_ERROR for an invalid selection, CONFLICT for an archived or full engagement
 */
export const restoreResults = (
  writer: Writer,
  actor: Actor,
  selection: Selection,
): Promise<{ restored: number; skipped: number }> =>
  writer.change(async (tx) => {
    const { clock, config } = writer
    const { organizationId } = actor
    await showTrash(tx)
    const chosen = await lockSelection(tx, actor, resultList, ofTrash(selection))
    const rows = await listById(tx, organizationId, chosen)
    const trashed = rows.filter(({ trashed_at }) => trashed_at !== null)
    await hideTrash(tx)
    let restored = 0
    for (const engagementId of engagementsOf(trashed)) {
      await lockInventory(tx, engagementId)
      const wanted = trashed.filter((row) => row.engagement_id === engagementId).map(({ id }) => id)
      const limit = config.RESULT_LIMIT
      if ((await remainingResultQuota(tx, organizationId, engagementId, limit)) < wanted.length)
        throw resultQuotaExceeded(limit)
      await showTrash(tx)
      const ids = await query.restoreResults(tx, organizationId, engagementId, wanted)
      await hideTrash(tx)
      if (ids.length === 0) continue
      // The rules may have changed while they were in the trash.
      await reevaluateResults(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const of = ids.map((id) => ({ id, engagement_id: engagementId }))
      await record(tx, actor, clock, 'results.restored', of, { after: { count: of.length } })
      await announceAll(tx, of, 'created')
      restored += of.length
    }
    return { restored, skipped: chosen.length - restored }
  })

type Item = Body<typeof contract.revertResults>['items'][number]

/**
 * Restores the former values of results. Skips those that have changed since, and those whose former assignee is not a
 * member.
 *
 * @returns the numbers of those that were changed and of those that were found, but skipped
 * @throws ApiError VALIDATION_ERROR for a result that is named twice and for a status of one that has none, CONFLICT if
 *   one of the engagements is archived
 */
export const revertResults = (
  { change, clock }: Writer,
  actor: Actor,
  items: readonly Item[],
): Promise<{ updated: number; skipped: number }> =>
  change(async (tx) => {
    const { organizationId } = actor
    requireEachOnce(items)
    const wanted = new Map(items.map((item) => [item.id, item]))
    const ids = await lockSelection(tx, actor, resultList, { ids: [...wanted.keys()] })
    const assignees = [...new Set(items.flatMap(({ set }) => set.assigneeId ?? []))]
    const members =
      assignees.length === 0 ? new Set<string>() : await lockMembersForShare(tx, organizationId, assignees)
    const rows = await query.lockValues(tx, organizationId, ids.toSorted())
    const fresh = rows.filter(({ id, updated_at }) => {
      const { ifUpdatedAt, set } = wanted.get(id) as Item
      return ifUpdatedAt === updated_at && (typeof set.assigneeId !== 'string' || members.has(set.assigneeId))
    })
    const changed = fresh
      .map((row) => ({ row, values: valuesOf(wanted.get(row.id) as Item, row) }))
      .filter(({ row, values }) => !isSame(row, values))
    if (changed.length > 0) {
      await query.writeValues(
        tx,
        organizationId,
        changed.map(({ values }) => values),
        isoTime(clock.now()),
      )
      const of = changed.map(({ row: { id, engagement_id } }) => ({ id, engagement_id }))
      const values = summarizeReverted(changed.map(({ row }) => wanted.get(row.id) as Item))
      await record(tx, actor, clock, 'results.reverted', of, { after: { count: of.length, values } })
      await announceAll(tx, of, 'updated')
    }
    return { updated: fresh.length, skipped: rows.length - fresh.length }
  })

const isSame = (row: query.RevertedResult, values: query.RevertedResult): boolean =>
  Object.entries(values).every(([column, value]) => isDeepStrictEqual(row[column as keyof query.RevertedResult], value))

const valuesOf = ({ set }: Item, row: query.RevertedResult & { kind: string }): query.RevertedResult => {
  if (row.kind !== 'vulnerability' && (set.status ?? set.acceptedUntil) != null)
    throw invalid('items: only vulnerabilities have a status')
  const status = set.status ?? row.status
  const acceptedUntil = set.acceptedUntil === undefined ? row.accepted_until : set.acceptedUntil
  return {
    id: row.id,
    status,
    severity:
      set.severity === undefined ? row.severity : set.severity === null ? null : SEVERITIES.indexOf(set.severity),
    is_severity_set: set.isSeveritySet ?? (set.severity === undefined ? row.is_severity_set : true),
    assignee_id: set.assigneeId === undefined ? row.assignee_id : set.assigneeId,
    notes: set.notes ?? row.notes,
    accepted_until: status === 'accepted' ? acceptedUntil : null,
    tags: set.tags === undefined ? row.tags : [...new Set(set.tags)].toSorted(),
  }
}

/** Every hour: deletes results that were in the trash for 30 days, with their evidence. */
export const emptyResultTrash = (platform: Platform): Promise<void> =>
  emptyTrash(platform, 'results', platform.config.RESULT_LIMIT, async (tx, { organizationId, engagementId, ids }) => {
    await deleteFilesOf(tx, organizationId, 'result', ids)
    await deleteAll(tx, organizationId, ids)
    await recordAudit(tx, { system: 'trash', organizationId }, platform.clock, {
      action: 'results.purged',
      object: { type: 'engagement', id: engagementId },
      engagementId,
      before: { count: ids.length },
    })
  })
