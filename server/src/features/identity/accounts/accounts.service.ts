import { type Clock, isoTime } from '../../../platform/clock.ts'
import { type Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { parseEmail } from '../../../platform/text.ts'
import { insertUser, updateAccount } from './accounts.queries.ts'

export interface NewAccount {
  name: string
  /** An address that `parseEmail` accepts, proved to belong to the person. */
  email: string
  passwordHash: string | null
  isInstanceAdmin?: boolean
}

/** @returns undefined when the address already has an account */
export const createAccount = (tx: Transaction, clock: Clock, account: NewAccount) => {
  const address = parseEmail(account.email)
  if (!address) throw new Error('createAccount was given something that is no address')
  const now = clock.now()
  return insertUser(tx, {
    id: newId('usr', now),
    name: account.name,
    email: address.email,
    email_key: address.key,
    password_hash: account.passwordHash,
    is_instance_admin: account.isInstanceAdmin ?? false,
    created_at: isoTime(now),
    updated_at: isoTime(now),
  })
}

/** The name as it is shown from now on, in every member list too. */
export const renameAccount = (tx: Transaction, clock: Clock, userId: string, name: string): Promise<void> =>
  updateAccount(tx, userId, { name }, isoTime(clock.now()))
