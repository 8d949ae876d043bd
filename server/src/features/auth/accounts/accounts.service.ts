import type { DATE_FORMATS, TIME_FORMATS } from '@sortie/contract/account/account.ts'
import type { Person } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { RunChange } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import * as query from './accounts.queries.ts'

export interface NewAccount {
  name: string
  /** An address that `parseEmail` accepts and whose owner is verified. */
  email: string
  passwordHash: string | null
  isInstanceAdmin?: boolean
}

/** @returns undefined when the address already has an account */
export const createAccount = (tx: Transaction, clock: Clock, account: NewAccount) => {
  const address = parseEmail(account.email)
  if (!address) throw new Error('createAccount needs an email address')
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

/** Changes the name that is shown everywhere, member lists included. */
export const renameAccount = async (tx: Transaction, clock: Clock, userId: string, name: string): Promise<void> => {
  await query.updateAccount(tx, userId, { name }, isoTime(clock.now()))
  await announceRename(tx, userId)
}

/**
 * Changes the address, in member lists too. The caller ends what was proved with the old one.
 *
 * @throws ApiError CONFLICT if the address has an account
 */
export const moveAccount = async (
  tx: Transaction,
  clock: Clock,
  userId: string,
  address: { email: string; key: string },
): Promise<void> => {
  const other = await query.findUserByEmail(tx, address.key)
  if (other && other.id !== userId) throw conflict(`${address.email} already has an account.`)
  await query.updateAddress(tx, userId, address, isoTime(clock.now()))
  await announceRename(tx, userId)
}

const announceRename = async (tx: Transaction, userId: string): Promise<void> => {
  const organizationIds = await query.listOrganizationIds(tx, userId)
  const event = { type: 'member', engagementId: null, ids: [userId], change: 'updated' } as const
  await Promise.all(organizationIds.map((organizationId) => announce(tx, { ...event, organizationId })))
}

export interface AccountChange {
  name?: string | undefined
  dateFormat?: (typeof DATE_FORMATS)[number] | undefined
  timeFormat?: (typeof TIME_FORMATS)[number] | undefined
  /** E-mail preferences to change; undefined leaves one as it is. */
  notifications?:
    | Partial<Record<'membership' | 'apiKeys' | 'invitations' | 'mentions' | 'assignments', boolean | undefined>>
    | undefined
}

/** Values that do not change leave no audit entry. */
export const updateAccount = ({ change, clock }: Writer, person: Person, wanted: AccountChange): Promise<void> =>
  changeAccount(change, person.userId, async (tx) => {
    const before = await query.lockAccount(tx, person.userId)
    const { membership, apiKeys, invitations, mentions, assignments } = wanted.notifications ?? {}
    const columns = {
      name: wanted.name,
      date_format: wanted.dateFormat,
      time_format: wanted.timeFormat,
      notify_membership: membership,
      notify_api_keys: apiKeys,
      notify_invitations: invitations,
      notify_mentions: mentions,
      notify_assignments: assignments,
    }
    const changed = Object.entries(columns).filter(
      ([column, value]) => value !== undefined && value !== before[column as keyof typeof columns],
    )
    if (changed.length === 0) return
    const after = Object.fromEntries(changed)
    await query.updateAccount(tx, person.userId, after, isoTime(clock.now()))
    if ('name' in after) await announceRename(tx, person.userId)
    await recordAudit(tx, { person }, clock, {
      action: 'account.updated',
      object: { type: 'user', id: person.userId },
      before: Object.fromEntries(changed.map(([column]) => [column, before[column as keyof typeof columns]])),
      after,
    })
  })

/** Only stores the hash: the caller ends what the old password opened. */
export const storePasswordHash = (tx: Transaction, clock: Clock, userId: string, passwordHash: string): Promise<void> =>
  query.updateAccount(tx, userId, { password_hash: passwordHash }, isoTime(clock.now()))

/**
 * Opens a change of an account: its password, factors, identities, sessions. Such changes wait for each other and for
 * any other change that the account is making; later changes find the sessions that it ended gone.
 *
 * @throws ApiError what `change` throws
 */
export const changeAccount = <T>(
  change: RunChange,
  userId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => change(work, { first: (tx) => query.lockAccountForRevocation(tx, userId) })

/** @param at null enables it again */
export const setDisabledAt = (tx: Transaction, userId: string, at: string | null, now: string): Promise<void> =>
  query.updateAccount(tx, userId, { disabled_at: at }, now)

export const clearAccount = query.clearAccount

/** The account with which an agent signs what it writes. No one can sign in with it. */
export const createAuthor = query.insertAuthor

export const renameAuthor = query.renameAuthor

export const deleteAuthorsOf = query.deleteAuthorsOf
