import type { Database } from '../../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'

export const listKeptKeys = (db: Database | Transaction) =>
  db.selectFrom('kept_keys').select(['id', 'sealed']).orderBy('kept_at', 'desc').limit(20).execute()

/** Keeps the row of an earlier call. */
export const insertKeptKey = async (
  tx: Transaction,
  row: { id: string; sealed: Buffer; kept_at: string },
): Promise<void> => {
  await tx
    .insertInto('kept_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export const updateKeptKey = async (tx: Transaction, id: string, before: Buffer, sealed: Buffer): Promise<void> => {
  await tx.updateTable('kept_keys').set({ sealed }).where('id', '=', id).where('sealed', '=', before).execute()
}

/** @param after the last account of the page before */
export const listSealedFactors = (db: Database, after: string, limit: number) =>
  db
    .selectFrom('second_factors')
    .select(['user_id', 'secret'])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()

/** Does nothing if the factor was replaced meanwhile. */
export const updateSealedFactor = async (
  tx: Transaction,
  userId: string,
  before: Buffer,
  secret: Buffer,
): Promise<void> => {
  await tx
    .updateTable('second_factors')
    .set({ secret })
    .where('user_id', '=', userId)
    .where('secret', '=', before)
    .execute()
}
