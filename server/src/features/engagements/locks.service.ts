import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { findEngagement, lockEngagement } from './engagements.queries.ts'

/**
 * Locks an engagement for a change of itself. Looked at once more under the lock: who lost access while the change waited
 * is answered as if it were not there.
 *
 * @throws ApiError NOT_FOUND
 */
export const lockVisibleEngagement = async (tx: Transaction, actor: Actor, engagementId: string) => {
  await lockEngagement(tx, actor.organizationId, engagementId)
  const engagement = await findEngagement(tx, actor.organizationId, engagementId)
  if (!engagement) throw notFound()
  return engagement
}
