import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'

interface Recorded {
  action: string
  change: EventChange
  taskId: string
  engagementId: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Records a change of one task in the audit log, and announces it to open pages. */
export const recordTask = async (tx: Transaction, by: AuditedBy, clock: Clock, recorded: Recorded): Promise<void> => {
  const { action, change, taskId, engagementId, before, after } = recorded
  await recordAudit(tx, by, clock, {
    action,
    object: { type: 'task', id: taskId },
    engagementId,
    ...(before && { before }),
    ...(after && { after }),
  })
  await announce(tx, { type: 'task', engagementId, ids: [taskId], change })
}
