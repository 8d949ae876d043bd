import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { BackgroundJob } from '../../platform/jobs/kinds.ts'
import { recordAudit } from './audit.service.ts'

/** Records that a job stopped because the user who started it lost the permission. */
export const recordRightEnded =
  (clock: Clock) =>
  (tx: Transaction, { kind, organizationId, engagementId, subjectId }: BackgroundJob, reason: string): Promise<void> =>
    recordAudit(tx, { system: 'long work', organizationId }, clock, {
      action: 'work.ended',
      object: { type: kind, id: subjectId },
      ...(engagementId !== null && { engagementId }),
      after: { reason },
    })
