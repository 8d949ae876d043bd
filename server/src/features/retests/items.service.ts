import type { Body } from '@sortie/contract/core/endpoint.ts'
import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type * as contract from '@sortie/contract/findings/retests.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { setRemediation } from '../findings/affected/set-remediation.service.ts'
import { requireKept } from '../findings/finding-locks.service.ts'
import { lockFinding, type WholeFindingRow } from '../findings/findings.queries.ts'
import * as query from './retests.queries.ts'
import { lockWritableRetest } from './retests.service.ts'

/**
 * Sets the outcome of an item, and with it the status of its asset, or of its finding without assets. An outcome that
 * says nothing about the status returns the one from before the item, so that a wrong key reports nothing as fixed.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for a stale change, in a retest that is done, for a finding in the trash, if
 *   archived
 */
export const updateRetestItem = (
  writer: Writer,
  actor: Actor,
  retestId: string,
  itemId: string,
  { outcome, note, ifUpdatedAt }: Body<typeof contract.updateRetestItem>,
): Promise<query.ItemRow> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const retest = await lockWritableRetest(tx, actor, retestId)
    const before = await requireItem(tx, organizationId, retestId, itemId)
    if (retest.state === 'done') throw conflict('This retest is done: set it to running first.')
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('This item was changed in the meantime. Read it again, then repeat the change.')
    }
    const isOutcomeChanged = outcome !== undefined && outcome !== before.outcome
    const isNoteChanged = note !== undefined && note !== before.note
    if (!isOutcomeChanged && !isNoteChanged) return before
    const { finding_id: findingId, engagement_id: engagementId } = before
    const finding = await lockFinding(tx, organizationId, findingId)
    if (!finding) throw notFound()
    requireKept(finding)
    const now = isoTime(Math.max(writer.clock.now(), Date.parse(before.updated_at) + 1))
    const by = authorOf(actor)
    const restored =
      isOutcomeChanged && statusOf(before.outcome) !== undefined && before.status === before.outcome
        ? before.status_before
        : null
    await query.updateItem(tx, organizationId, itemId, {
      ...(isOutcomeChanged && {
        status_before:
          statusOf(outcome) === undefined
            ? null
            : statusOf(before.outcome) === undefined
              ? before.status
              : before.status_before,
        outcome,
        tested_by: outcome === null ? null : by,
        tested_at: outcome === null ? null : now,
      }),
      ...(isNoteChanged && { note }),
      updated_at: now,
    })
    if (isOutcomeChanged) await applyStatus(tx, writer, actor, finding, before, statusOf(outcome) ?? restored)
    await recordAudit(tx, actor, writer.clock, {
      action: 'retest-item.changed',
      object: { type: 'retest-item', id: itemId },
      engagementId,
      before: {
        retestId,
        findingId,
        title: before.asset ?? finding.title,
        outcome: before.outcome,
        ...(isNoteChanged && { note: before.note }),
      },
      after: { outcome: isOutcomeChanged ? outcome : before.outcome, ...(isNoteChanged && { note }) },
    })
    await announce(tx, { type: 'retest', engagementId, ids: [retestId], change: 'updated' })
    await announce(tx, { type: 'finding', engagementId, ids: [findingId], change: 'updated' })
    return requireItem(tx, organizationId, retestId, itemId)
  })

/** The status that an outcome sets. */
const statusOf = (outcome: query.Outcome | null): RemediationStatus | undefined =>
  outcome === null || outcome === 'not_retested' ? undefined : outcome

const applyStatus = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  finding: WholeFindingRow,
  item: query.ItemRow,
  status: RemediationStatus | null,
): Promise<void> => {
  // Of an asset that was deleted since, nothing is left to change.
  if (status === null || (item.affected_id === null && item.asset !== null)) return
  await setRemediation(tx, writer, actor, finding, item.affected_id, status)
}

export const requireItem = async (
  db: Writer['db'],
  organizationId: string,
  retestId: string,
  itemId: string,
): Promise<query.ItemRow> => {
  const item = await query.findItem(db, organizationId, retestId, itemId)
  if (!item) throw notFound()
  return item
}
