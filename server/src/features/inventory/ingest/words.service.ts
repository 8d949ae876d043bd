import type { Transaction } from '../../../platform/database/transaction.ts'
import * as query from './ingest.queries.ts'

/** Until it ends, the transaction adds results without their words, which `addWords` adds after the commit. */
export const leaveOutWords = (tx: Transaction): Promise<void> => query.postponeWords(tx)

/** Lets the search find results that were added without their words. Those that have words keep them. */
export const addWords = (tx: Transaction, ids: readonly string[]): Promise<void> => query.writeWords(tx, ids)

/**
 * Adds the words that an interrupted source left out.
 *
 * @param limit how many of the results that it created last may lack them
 */
export const addMissingWords = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
  limit: number,
): Promise<void> => query.writeWords(tx, await query.listWordless(tx, organizationId, sourceId, limit))
