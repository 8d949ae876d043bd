import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'

interface Recorded {
  action: string
  change: EventChange
  findingId: string
  engagementId: string
  before?: object
  after?: object
}

/** Records a change of one finding in the audit log, and announces it to open pages. */
export const recordFinding = async (
  tx: Transaction,
  by: AuditedBy,
  clock: Clock,
  recorded: Recorded,
): Promise<void> => {
  const { action, change, findingId, engagementId, before, after } = recorded
  await recordAudit(tx, by, clock, {
    action,
    object: { type: 'finding', id: findingId },
    engagementId,
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  })
  await announce(tx, { type: 'finding', engagementId, ids: [findingId], change })
}
