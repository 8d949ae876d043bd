import type { Change } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { takeAccount } from './accounts.queries.ts'

/**
 * Opens a change of an account: its password, factors, identities, sessions. Such changes wait for each other, and for
 * whatever else the account is changing; those that come after it find the sessions that it ended gone.
 *
 * @throws ApiError what `change` throws
 */
export const changeAccount = <T>(change: Change, userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  change(work, { first: (tx) => takeAccount(tx, userId) })
