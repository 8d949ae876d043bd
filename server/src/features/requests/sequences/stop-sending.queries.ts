import type { Transaction } from '../../../platform/database/transaction.ts'

/** Cancels what an engagement that is being deleted sends, and what waits for a worker to send it. */
export const stopSending = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('request_sequences')
    .set({ cancel_requested_at: now })
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('state', '=', 'running')
    .where('cancel_requested_at', 'is', null)
    .execute()
  await tx
    .updateTable('request_handoffs')
    .set({ cancel_requested_at: now })
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('cancel_requested_at', 'is', null)
    .execute()
}
