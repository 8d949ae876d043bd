import { hideTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { moveToTrash } from '../../../platform/lists/trash.ts'
import { lockInventory } from '../inventory-lock.queries.ts'
import { lockNewTargets } from '../new-targets.service.ts'
import { detachTargets } from './undo.queries.ts'

/** Rows that one statement changes, with their results. */
const AT_ONCE = 500

/**
 * Moves targets of one engagement to the trash. Imports and scans wait, so that none gives a result a target that is
 * gone.
 *
 * @param now the time of the deletion
 */
export const trashTargets = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  targetIds: readonly string[],
  now: string,
): Promise<void> => {
  await lockInventory(tx, engagementId)
  await lockNewTargets(tx, engagementId)
  for (let from = 0; from < targetIds.length; from += AT_ONCE) {
    const some = targetIds.slice(from, from + AT_ONCE)
    await showTrash(tx)
    await detachTargets(tx, organizationId, some)
    await hideTrash(tx)
    await moveToTrash(tx, 'targets', organizationId, some, now)
  }
}
