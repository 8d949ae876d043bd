import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { PendingSignIns } from '../../../platform/database/types.gen.ts'

/** Keeps the newest few: an attacker who knows the password cannot collect tickets to guess in parallel. */
export const insertTicket = async (
  tx: Transaction,
  ticket: Insertable<PendingSignIns>,
  keep: number,
): Promise<void> => {
  await tx.insertInto('pending_sign_ins').values(ticket).execute()
  await tx
    .deleteFrom('pending_sign_ins')
    .where('user_id', '=', ticket.user_id)
    .where('token_hash', 'not in', (select) =>
      select
        .selectFrom('pending_sign_ins')
        .select('token_hash')
        .where('user_id', '=', ticket.user_id)
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(keep),
    )
    .execute()
}

export const findTicket = (db: Database, tokenHash: Buffer, now: string) =>
  db
    .selectFrom('pending_sign_ins')
    .select(['user_id', 'method', 'provider_session', 'verified_email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Counts a try before it is made. @returns true if the ticket had one left */
export const countAttempt = (db: Database, tokenHash: Buffer, now: string, maxTries: number): Promise<boolean> =>
  hasRow(
    db
      .updateTable('pending_sign_ins')
      .set((set) => ({ tries: set('tries', '+', 1) }))
      .where('token_hash', '=', tokenHash)
      .where('tries', '<', maxTries)
      .where('expires_at', '>', now)
      .returning('user_id'),
  )

/** @returns false if it is gone: a ticket opens one session */
export const deleteTicket = (tx: Transaction, tokenHash: Buffer): Promise<boolean> =>
  hasRow(tx.deleteFrom('pending_sign_ins').where('token_hash', '=', tokenHash).returning('user_id'))

export const deleteTicketsOfUser = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
}

export const deleteEndedTickets = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}

export const deleteEveryTicket = async (tx: Transaction): Promise<void> => {
  await tx.deleteFrom('pending_sign_ins').execute()
}
