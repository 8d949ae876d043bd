import type { Database } from '../database/open.ts'
import type { Transaction } from '../database/transaction.ts'

const ID = true

/**
 * From the commit on nothing leaves the instance. Where it is in safe mode already, that begins anew.
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

/** The same, unless it is on already. @returns whether it was not */
export const enterSafeModeOnce = async (db: Database | Transaction, reason: string, now: string): Promise<boolean> => {
  const row = { reason, since: now, ended_at: null }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('safe_mode')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('safe_mode.ended_at', 'is not', null))
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Who ends it holds it; nobody ends it twice. @returns undefined where it is not on */
export const lockSafeMode = (tx: Transaction) => tx.selectFrom('safe_mode').selectAll().where('ended_at', 'is', null).forUpdate().executeTakeFirst()

export const endSafeMode = async (tx: Transaction, now: string): Promise<void> => {
  await tx.updateTable('safe_mode').set({ ended_at: now }).execute()
}
