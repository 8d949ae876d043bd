import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countDeleted, hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { PasswordResets } from '../../../platform/database/types.gen.ts'
import type { RequestedLink } from './requested-links.ts'

/** Replaces the account's previous link of the same kind. */
export const replacePasswordReset = async (tx: Transaction, reset: Insertable<PasswordResets>): Promise<void> => {
  await tx
    .insertInto('password_resets')
    .values(reset)
    .onConflict((conflict) => conflict.columns(['user_id', 'requested']).doUpdateSet(reset))
    .execute()
}

/** The link that was requested without being signed in. */
export const findRequestedReset = (tx: Transaction, userId: string): Promise<RequestedLink | undefined> =>
  tx
    .selectFrom('password_resets')
    .select(['id', 'token_hash', 'expires_at', 'mails'])
    .where('user_id', '=', userId)
    .where('requested', '=', true)
    .executeTakeFirst()

/** Counts one more mail with this link. */
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

export const findPasswordResetToMail = (db: Database, id: string, now: string) =>
  selectLiving(db, now).where('r.id', '=', id).executeTakeFirst()

/** @returns false if it is gone: only one of two concurrent uses succeeds */
export const consumePasswordReset = (tx: Transaction, id: string, now: string): Promise<boolean> =>
  hasRow(tx.deleteFrom('password_resets').where('id', '=', id).where('expires_at', '>', now).returning('id'))

export const deletePasswordResets = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export const deleteEndedPasswordResets = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}

/** @returns how many there were */
export const deleteEveryPasswordReset = (tx: Transaction): Promise<number> =>
  countDeleted(tx.deleteFrom('password_resets'))
