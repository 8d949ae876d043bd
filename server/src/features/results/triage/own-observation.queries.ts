import type { Transaction } from '../../../platform/database/transaction.ts'

/** Records a manual entry as seen by its author, so that a comparison of two moments shows it. */
export const insertOwnObservation = async (
  tx: Transaction,
  {
    organizationId,
    engagementId,
    resultId,
    now,
    after,
  }: { organizationId: string; engagementId: string; resultId: string; now: string; after: object },
): Promise<void> => {
  await tx
    .insertInto('observations')
    .values({
      organization_id: organizationId,
      engagement_id: engagementId,
      result_id: resultId,
      source_kind: 'person',
      source_id: resultId,
      change: 'created',
      seen_at: now,
      after: JSON.stringify(after),
      created_at: now,
    })
    .execute()
}
