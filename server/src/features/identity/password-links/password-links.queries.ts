import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/open.ts'
import { countDeleted, hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { PasswordResets } from '../../../platform/database/types.gen.ts'
import type { RequestedLink } from './requested-links.ts'

/** Takes the place of the one of its kind that the account has. */
export const replacePasswordReset = async (tx: Transaction, reset: Insertable<PasswordResets>): Promise<void> => {
  await tx
    .insertInto('password_resets')
    .values(reset)
    .onConflict((conflict) => conflict.columns(['user_id', 'requested']).doUpdateSet(reset))
    .execute()
}

/** The one that was asked for without being signed in. */
export const findRequestedReset = (tx: Transaction, userId: string): Promise<RequestedLink | undefined> =>
  tx
    .selectFrom('password_resets')
    .select(['id', 'token_hash', 'expires_at', 'mails'])
    .where('user_id', '=', userId)
    .where('requested', '=', true)
    .executeTakeFirst()

/** One more mail has this link. */
export const countMail = async (tx: Transaction, id: string): Promise<void> => {
  await tx
    .updateTable('password_resets')
    .set((set) => ({ mails: set('mails', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

const selectLiving = (db: Database, now: string) =>
  db
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.id', 'r.user_id', 'r.purpose', 'r.token_hash', 'r.expires_at', 'u.name', 'u.email'])
    .where('r.expires_at', '>', now)

export const findPasswordReset = (db: Database, tokenHash: Buffer, now: string) =>
  selectLiving(db, now).where('r.token_hash', '=', tokenHash).executeTakeFirst()

export const findPasswordResetToMail = (db: Database, id: string, now: string) => selectLiving(db, now).where('r.id', '=', id).executeTakeFirst()

/** @returns whether it was there: of two uses at the same moment one finds it */
export const takePasswordReset = (tx: Transaction, id: string, now: string): Promise<boolean> =>
  hasRow(tx.deleteFrom('password_resets').where('id', '=', id).where('expires_at', '>', now).returning('id'))

/** All that the account has. */
export const deletePasswordResets = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export const deleteEndedPasswordResets = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}

/** @returns how many there were */
export const deleteEveryPasswordReset = (tx: Transaction): Promise<number> => countDeleted(tx.deleteFrom('password_resets'))
