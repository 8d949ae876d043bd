import { sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'

/** Starts over: an unconfirmed secret is replaced. @returns undefined when a confirmed one is there */
export const insertPendingSecret = (tx: Transaction, factor: { user_id: string; secret: Buffer; created_at: string }) =>
  tx
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: factor.secret, created_at: factor.created_at, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()

/** Takes the row lock: of two attempts with one code the second sees that it was used. */
export const lockSecondFactor = (tx: Transaction, userId: string) =>
  tx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()

export const updateLastStep = async (tx: Transaction, userId: string, step: number): Promise<void> => {
  await tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
}

export const setConfirmed = async (tx: Transaction, userId: string, now: string): Promise<void> => {
  await tx.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

/** @returns whether there was one that counted */
export const deleteSecondFactor = async (tx: Transaction, userId: string): Promise<boolean> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const row = await tx.deleteFrom('second_factors').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst()
  return row?.confirmed_at != null
}

export const replaceRecoveryCodes = async (tx: Transaction, userId: string, hashes: Buffer[]): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** @returns whether there was such a code; there is not any more */
export const deleteRecoveryCode = async (tx: Transaction, userId: string, codeHash: Buffer): Promise<boolean> => {
  const row = await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', codeHash).returning('user_id').executeTakeFirst()
  return row !== undefined
}

export const countRecoveryCodes = async (db: Database, userId: string): Promise<number> => {
  const row = await db.selectFrom('recovery_codes').select(sql<number>`count(*)`.as('count')).where('user_id', '=', userId).executeTakeFirstOrThrow()
  return row.count
}

/** When it was switched on, and how many recovery codes are left; undefined while there is none that counts. */
export const findSecondFactor = (db: Database, userId: string) =>
  db
    .selectFrom('second_factors as f')
    .select(['f.confirmed_at'])
    .select((select) =>
      select.selectFrom('recovery_codes as c').select(sql<number>`count(*)`.as('count')).whereRef('c.user_id', '=', 'f.user_id').as('recovery_codes_left'),
    )
    .where('f.user_id', '=', userId)
    .where('f.confirmed_at', 'is not', null)
    .executeTakeFirst()

/** Organizations of a person that demand a second factor. */
export const listDemandingOrganizations = (db: Database, userId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name'])
    .where('m.user_id', '=', userId)
    .where('o.require_two_factor', '=', true)
    .orderBy('o.name')
    .execute()
