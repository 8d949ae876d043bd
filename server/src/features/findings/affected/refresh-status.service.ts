import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { findFinding, updateFinding, type WholeFindingRow } from '../findings.queries.ts'
import { countByStatus } from './affected.queries.ts'
import { statusFrom, wholeCounts } from './remediation-status.ts'

/**
 * Updates what a locked finding shows of its assets: their numbers, and the status that follows.
 *
 * @param returns whether an approved finding returns to review
 */
export const refreshStatus = async (
  tx: Transaction,
  clock: Clock,
  { organizationId }: Pick<Actor, 'organizationId'>,
  finding: Pick<WholeFindingRow, 'id' | 'status' | 'state' | 'updated_at'>,
  { returns }: { returns: boolean },
): Promise<WholeFindingRow> => {
  const counts = wholeCounts(await countByStatus(tx, organizationId, finding.id))
  await updateFinding(tx, organizationId, finding.id, {
    affected_counts: JSON.stringify(counts),
    status: statusFrom(counts) ?? finding.status,
    ...(returns && finding.state === 'approved' && { state: 'in_review' }),
    updated_at: isoTime(Math.max(clock.now(), Date.parse(finding.updated_at) + 1)),
  })
  return (await findFinding(tx, organizationId, finding.id)) as WholeFindingRow
}
