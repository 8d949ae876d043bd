import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { updateFinding, type WholeFindingRow } from '../findings.queries.ts'
import { notifyPeople } from '../notify-people.service.ts'
import { updateAffectedAlike } from './affected.queries.ts'
import { refreshStatus } from './refresh-status.service.ts'

/**
 * Sets the status of one asset of a locked finding, or of the finding itself if it has no assets, and notifies its
 * people.
 *
 * @param affectedId null: the finding; nothing changes then if it has assets
 */
export const setRemediation = async (
  tx: Transaction,
  writer: Writer,
  actor: Actor,
  finding: WholeFindingRow,
  affectedId: string | null,
  status: RemediationStatus,
): Promise<void> => {
  const { organizationId } = actor
  const { clock } = writer
  if (affectedId === null) {
    const hasAssets = Object.values(finding.affected_counts).some((count) => count > 0)
    if (hasAssets || finding.status === status) return
    await updateFinding(tx, organizationId, finding.id, {
      status,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(finding.updated_at) + 1)),
    })
    return notifyPeople(tx, writer, actor, [{ before: finding, after: { ...finding, status } }])
  }
  await updateAffectedAlike(
    tx,
    organizationId,
    [affectedId],
    { status, note: undefined, clientStatus: undefined },
    isoTime(clock.now()),
  )
  return notifyPeople(tx, writer, actor, [
    { before: finding, after: await refreshStatus(tx, clock, actor, finding, { returns: false }) },
  ])
}
