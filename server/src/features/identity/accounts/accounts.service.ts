import type { Person } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Change } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Writer } from '../../../platform/http/context.ts'
import { newId } from '../../../platform/ids.ts'
import { parseEmail } from '../../../platform/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import * as query from './accounts.queries.ts'

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
  return query.insertUser(tx, {
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
  query.updateAccount(tx, userId, { name }, isoTime(clock.now()))

export interface AccountChange {
  name?: string | undefined
  /** Which mails the person wants, as far as it changes. */
  notifications?: Partial<Record<'membership' | 'apiKeys' | 'invitations' | 'mentions' | 'assignments', boolean | undefined>> | undefined
}

/** What is the same already changes nothing and leaves no audit entry. */
export const updateAccount = ({ change, clock }: Writer, person: Person, wanted: AccountChange): Promise<void> =>
  changeAccount(change, person.userId, async (tx) => {
    const before = await query.lockAccount(tx, person.userId)
    const { membership, apiKeys, invitations, mentions, assignments } = wanted.notifications ?? {}
    const columns = {
      name: wanted.name,
      notify_membership: membership,
      notify_api_keys: apiKeys,
      notify_invitations: invitations,
      notify_mentions: mentions,
      notify_assignments: assignments,
    }
    const changed = Object.entries(columns).filter(([column, value]) => value !== undefined && value !== before[column as keyof typeof columns])
    if (changed.length === 0) return
    const after = Object.fromEntries(changed)
    await query.updateAccount(tx, person.userId, after, isoTime(clock.now()))
    await recordAudit(tx, { person }, clock, {
      action: 'account.updated',
      object: { type: 'user', id: person.userId },
      before: Object.fromEntries(changed.map(([column]) => [column, before[column as keyof typeof columns]])),
      after,
    })
  })

/** What the old password opened is closed by whoever sets a new one. */
export const storePasswordHash = (tx: Transaction, clock: Clock, userId: string, passwordHash: string): Promise<void> =>
  query.updateAccount(tx, userId, { password_hash: passwordHash }, isoTime(clock.now()))

/**
 * Opens a change of an account: its password, factors, identities, sessions. Such changes wait for each other, and for
 * whatever else the account is changing; those that come after it find the sessions that it ended gone.
 *
 * @throws ApiError what `change` throws
 */
export const changeAccount = <T>(change: Change, userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  change(work, { first: (tx) => query.takeAccount(tx, userId) })
