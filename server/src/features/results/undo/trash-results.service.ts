import type { Transaction } from '../../../platform/database/transaction.ts'
import { moveToTrash } from '../../../platform/lists/trash.ts'
import { releaseIdentities } from './undo.queries.ts'

/** Rows that one statement changes, with their observations. */
const AT_ONCE = 1_000

/**
 * Moves results to the trash, with their evidence and observations. The next report of one creates it again. The caller
 * has locked the results.
 *
 * @param now the time of the deletion
 */
export const trashResults = async (
  tx: Transaction,
  organizationId: string,
  resultIds: readonly string[],
  now: string,
): Promise<void> => {
  for (let from = 0; from < resultIds.length; from += AT_ONCE) {
    const some = resultIds.slice(from, from + AT_ONCE)
    await releaseIdentities(tx, organizationId, some)
    await moveToTrash(tx, 'observations', organizationId, some, now)
    await moveToTrash(tx, 'results', organizationId, some, now)
  }
}
