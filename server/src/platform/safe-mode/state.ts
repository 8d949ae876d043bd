import type { Database } from '../database/connection/open.ts'
import type { Transaction } from '../database/transaction.ts'

const ID = true

/**
 * After the commit nothing leaves the instance. Restarts a safe mode that is already on.
 *
 * @param reason a sentence for people
 * @param now ISO 8601
 */
export const enterSafeMode = async (db: Database | Transaction, reason: string, now: string): Promise<void> => {
  const row = { reason, since: now, ended_at: null }
  await db
    .insertInto('safe_mode')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Enters safe mode unless it is already on. @returns whether it was off */
export const enterSafeModeOnce = async (db: Database | Transaction, reason: string, now: string): Promise<boolean> => {
  const row = { reason, since: now, ended_at: null }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('safe_mode')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('safe_mode.ended_at', 'is not', null))
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Locks the safe mode for its end, which can happen only once. @returns undefined if it is off */
export const lockSafeMode = (tx: Transaction) =>
  tx.selectFrom('safe_mode').selectAll().where('ended_at', 'is', null).forUpdate().executeTakeFirst()

export const endSafeMode = async (tx: Transaction, now: string): Promise<void> => {
  await tx.updateTable('safe_mode').set({ ended_at: now }).execute()
}
