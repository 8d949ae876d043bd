import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import { lockMembersForShare } from '../../engagements/details/details.queries.ts'
import { findTarget, lockTargetForShare } from '../../targets/targets.queries.ts'

/** Locks the member against removal. @throws ApiError VALIDATION_ERROR if the user is not a member */
export const requireMember = async (tx: Transaction, organizationId: string, userId: string): Promise<void> => {
  if (!(await lockMembersForShare(tx, organizationId, [userId])).has(userId))
    throw invalid('assigneeId: must be a member of the organization')
}

/** @throws ApiError VALIDATION_ERROR if the target is not in the engagement */
export const requireTarget = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  targetId: string,
): Promise<{ canonical: string }> => {
  const target = await findTarget(tx, organizationId, targetId)
  if (target?.engagement_id !== engagementId) throw invalid('targetId: there is no such target in this engagement')
  return target
}

/**
 * Keeps a target out of the trash until the transaction ends. @throws ApiError VALIDATION_ERROR if it is there by now
 */
export const holdTarget = async (tx: Transaction, organizationId: string, targetId: string): Promise<void> => {
  if (!(await lockTargetForShare(tx, organizationId, targetId))) throw invalid('targetId: this target has been deleted')
}
