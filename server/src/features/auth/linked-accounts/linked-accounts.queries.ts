import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { LinkedAccounts, SignInFlows } from '../../../platform/database/types.gen.ts'

export const findIdentity = (db: Database, issuer: string, subject: string) =>
  db
    .selectFrom('linked_accounts as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.id as identity_id', 'u.id', 'u.name', 'u.email'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()

export const findIdentityOfUser = (db: Database, userId: string, issuer: string) =>
  db
    .selectFrom('linked_accounts')
    .select(['id', 'subject', 'email', 'linked_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()

/** Serializes first sign-ins with an identity and links of it. */
export const lockIdentity = async (tx: Transaction, issuer: string, subject: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${issuer} ${subject}`}, 0))`.execute(tx)
}

/**
 * @throws on linked_accounts_subject when an account has it, on linked_accounts_user when the account has one of this
 *   issuer
 */
export const insertIdentity = async (tx: Transaction, identity: Insertable<LinkedAccounts>): Promise<void> => {
  await tx.insertInto('linked_accounts').values(identity).execute()
}

/** Records a sign-in and locks the row. @returns false if the identity is no longer linked */
export const touchIdentity = (tx: Transaction, identityId: string, email: string, now: string): Promise<boolean> =>
  hasRow(
    tx.updateTable('linked_accounts').set({ email, last_used_at: now }).where('id', '=', identityId).returning('id'),
  )

export const updateAddress = async (tx: Transaction, issuer: string, subject: string, email: string): Promise<void> => {
  await tx
    .updateTable('linked_accounts')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** @returns the deleted identities */
export const deleteIdentitiesOfUser = (tx: Transaction, userId: string) =>
  tx.deleteFrom('linked_accounts').where('user_id', '=', userId).returning(['issuer', 'subject']).execute()

/** @returns undefined when no account has it */
export const deleteIdentity = (tx: Transaction, issuer: string, subject: string) =>
  tx
    .deleteFrom('linked_accounts')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst()

export const insertFlow = async (tx: Transaction, flow: Insertable<SignInFlows>): Promise<void> => {
  await tx.insertInto('sign_in_flows').values(flow).execute()
}

/** @returns undefined if it was already used, belongs to another browser, or is too old */
export const consumeFlow = (db: Database, stateHash: Buffer, browserHash: Buffer, now: string) =>
  db
    .deleteFrom('sign_in_flows')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst()

export const deleteEndedFlows = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('sign_in_flows').where('expires_at', '<=', now).execute()
}

export const deleteEveryFlow = async (tx: Transaction): Promise<void> => {
  await tx.deleteFrom('sign_in_flows').execute()
}
