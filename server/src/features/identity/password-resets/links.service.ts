import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { deleteEndedPasswordResets, deleteEveryPasswordReset, deletePasswordResets } from './password-resets.queries.ts'

/** No mailed link of the account works any more. */
export const cancelPasswordResets = (tx: Transaction, userId: string): Promise<void> => deletePasswordResets(tx, userId)

/** Removes links that ended by time. */
export const forgetEndedPasswordResets = (db: Database, clock: Clock): Promise<void> => deleteEndedPasswordResets(db, isoTime(clock.now()))

/** No mailed link for a new password works any more. @returns how many there were */
export const cancelEveryPasswordReset = (tx: Transaction): Promise<number> => deleteEveryPasswordReset(tx)
