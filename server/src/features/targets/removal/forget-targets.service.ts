import type { Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import { deleteUnchanged } from './forget-targets.queries.ts'

/** Deletes targets that an import or a scan created, except those that a user has changed or that have children. */
export const forgetFoundTargets = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  targetIds: readonly string[],
): Promise<void> => {
  const ids = await deleteUnchanged(tx, organizationId, targetIds)
  await announce(tx, { type: 'target', engagementId, ids, change: 'deleted' })
}
