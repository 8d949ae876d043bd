import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'

/** Serializes inventory writes of an engagement until the transaction ends. */
export const lockInventory = async (tx: Transaction, engagementId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`results ${engagementId}`}, 0))`.execute(tx)
}
