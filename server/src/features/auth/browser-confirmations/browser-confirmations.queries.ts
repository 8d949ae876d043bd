import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countDeleted, hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { BrowserConfirmations } from '../../../platform/database/types.gen.ts'
import type { RequestedLink } from '../password-links/requested-links.ts'

export const findConfirmation = (tx: Transaction, userId: string): Promise<RequestedLink | undefined> =>
  tx
    .selectFrom('browser_confirmations')
    .select(['id', 'token_hash', 'expires_at', 'mails'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Replaces the account's previous confirmation. */
export const replaceConfirmation = async (
  tx: Transaction,
  confirmation: Insertable<BrowserConfirmations>,
): Promise<void> => {
  await tx
    .insertInto('browser_confirmations')
    .values(confirmation)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(confirmation))
    .execute()
}

/** Counts one more mail with this link. */
export const countMail = async (tx: Transaction, id: string): Promise<void> => {
  await tx
    .updateTable('browser_confirmations')
    .set((set) => ({ mails: set('mails', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const findConfirmationToMail = (db: Database, id: string, now: string) =>
  db
    .selectFrom('browser_confirmations as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.token_hash', 'c.expires_at', 'u.name'])
    .where('c.id', '=', id)
    .where('c.expires_at', '>', now)
    .executeTakeFirst()

/** Finds the account of a token. @returns undefined if it was used or has expired */
export const findConfirmedUser = async (
  tx: Transaction,
  tokenHash: Buffer,
  now: string,
): Promise<string | undefined> => {
  const living = tx
    .selectFrom('browser_confirmations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
  return (await living.select('user_id').executeTakeFirst())?.user_id
}

/** @returns false if it is gone: only one of two concurrent uses succeeds */
export const consumeConfirmation = (tx: Transaction, tokenHash: Buffer, now: string): Promise<boolean> =>
  hasRow(
    tx
      .deleteFrom('browser_confirmations')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .returning('id'),
  )

export const deleteConfirmation = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.deleteFrom('browser_confirmations').where('user_id', '=', userId).execute()
}

export const deleteEndedConfirmations = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('browser_confirmations').where('expires_at', '<=', now).execute()
}

/** @returns how many there were */
export const deleteEveryConfirmation = (tx: Transaction): Promise<number> =>
  countDeleted(tx.deleteFrom('browser_confirmations'))
