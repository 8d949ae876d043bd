import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countRows } from '../../../platform/database/rows.ts'
import { RIGHTS, acquireFairLocks, withSharedFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Users } from '../../../platform/database/types.gen.ts'
import { notFound } from '../../../platform/errors.ts'

export const findUserByEmail = (db: Database, emailKey: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash', 'is_instance_admin'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()

/** @returns undefined for an account that was deleted, too */
export const findUser = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'password_hash', 'is_instance_admin', 'created_at'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** @throws on users_email_key if another account has the address */
export const updateAddress = async (
  tx: Transaction,
  userId: string,
  address: { email: string; key: string },
  now: string,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ email: address.email, email_key: address.key, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/** What texts of a deleted account name as their author. */
const DELETED_NAME = 'Deleted account'

/** Removes what identifies the person; the row stays for the texts that name it. */
export const clearAccount = async (tx: Transaction, userId: string, now: string): Promise<void> => {
  await tx
    .updateTable('users')
    .set({
      name: DELETED_NAME,
      email: '',
      email_key: userId,
      password_hash: null,
      disabled_at: now,
      deleted_at: now,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}

/** @returns undefined when the address already has an account */
export const insertUser = (tx: Transaction, user: Insertable<Users>) =>
  tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'name', 'email'])
    .executeTakeFirst()

export const countUsers = (db: Database): Promise<number> => countRows(db.selectFrom('users'))

const PREFERENCES = [
  'notify_membership',
  'notify_api_keys',
  'notify_invitations',
  'notify_mentions',
  'notify_assignments',
  'date_format',
  'time_format',
] as const
const ACCOUNT_COLUMNS = ['id', 'name', 'email', 'is_instance_admin', 'created_at', ...PREFERENCES] as const

export const getAccount = (db: Database, userId: string) =>
  db.selectFrom('users').select(ACCOUNT_COLUMNS).where('id', '=', userId).executeTakeFirstOrThrow()

/**
 * Locks an account in share mode for a change that the account makes: a change of the account itself waits. Any number
 * of transactions can hold this lock at the same time.
 */
export const lockAccountForShare = async (tx: Transaction, userId: string): Promise<void> => {
  await withSharedFairLocks(tx, RIGHTS.account(userId))
    .selectFrom(['fair_locks', 'users as u'])
    .select('u.id')
    .where('u.id', '=', userId)
    .forKeyShare('u')
    .execute()
}

/**
 * Acquires the lock that every change of an account acquires first: it waits for changes that the account is making.
 */
export const lockAccountForRevocation = async (tx: Transaction, userId: string): Promise<void> => {
  await acquireFairLocks(tx, { exclusive: [RIGHTS.account(userId)] })
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/**
 * Locks the account row. Every transaction that changes how the account signs in, or starts or ends its sessions,
 * acquires this lock first. Rows that only refer to the account can still be written.
 */
export const lockAccount = (tx: Transaction, userId: string) =>
  tx
    .selectFrom('users')
    .select([...ACCOUNT_COLUMNS, 'password_hash', 'disabled_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** @throws ApiError NOT_FOUND for an account that does not exist, or was deleted */
export const lockLivingAccount = async (tx: Transaction, userId: string) => {
  const account = await tx
    .selectFrom('users')
    .select([...ACCOUNT_COLUMNS, 'password_hash', 'disabled_at'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw notFound('There is no account with this id.')
  return account
}

/** Names of the account's organizations: its password must not consist of their words. */
export const listOrganizationNames = async (db: Database, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select('o.name')
    .where('m.user_id', '=', userId)
    .orderBy('m.joined_at')
    .limit(100)
    .execute()
  return rows.map(({ name }) => name)
}

/** When an operator disabled the account; null if none has. */
export const findDisabledAt = async (db: Database, userId: string): Promise<string | null> =>
  (await db.selectFrom('users').select('disabled_at').where('id', '=', userId).executeTakeFirst())?.disabled_at ?? null

export const listOrganizationIds = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx.selectFrom('memberships').select('organization_id').where('user_id', '=', userId).execute()
  return rows.map(({ organization_id: id }) => id)
}

export type LockedAccount = Awaited<ReturnType<typeof lockAccount>>

type AccountChange = Pick<
  Updateable<Users>,
  'name' | 'password_hash' | 'is_instance_admin' | 'disabled_at' | (typeof PREFERENCES)[number]
>

export const updateAccount = async (
  tx: Transaction,
  userId: string,
  change: AccountChange,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/**
 * Locks an account that becomes, or was, an instance administrator. Such changes wait for each other, and for changes
 * that the account is making.
 *
 * @param byUserId who makes the change, if it is a user
 */
export const lockInstanceAdminForRevocation = async (
  tx: Transaction,
  userId: string,
  byUserId: string | undefined,
): Promise<void> => {
  const shared = byUserId === undefined ? [] : [RIGHTS.account(byUserId)]
  await acquireFairLocks(tx, { exclusive: [RIGHTS.instanceAdmins] })
  await acquireFairLocks(tx, { exclusive: [RIGHTS.account(userId)], shared })
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

export const countInstanceAdmins = (tx: Transaction): Promise<number> =>
  countRows(tx.selectFrom('users').where('is_instance_admin', '=', true))

/** The instance administrators who have a password, oldest accounts first. */
export const listInstanceAdminHashes = async (
  db: Database,
  limit: number,
): Promise<{ email: string; password_hash: string }[]> => {
  const rows = await db
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('is_instance_admin', '=', true)
    .where('password_hash', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ email, password_hash }) => ({ email, password_hash: password_hash as string }))
}

/** The author that an agent's writings name. No one can sign in with it. */
export const insertAuthor = async (tx: Transaction, id: string, name: string, now: string): Promise<void> => {
  await tx
    .insertInto('users')
    .values({ id, name, email: '', email_key: id, created_at: now, updated_at: now })
    .execute()
}

export const renameAuthor = async (tx: Transaction, id: string, name: string, now: string): Promise<void> => {
  await tx.updateTable('users').set({ name, updated_at: now }).where('id', '=', id).execute()
}

/** The authors as which agents of an organization wrote, after their texts are deleted and while the audit log is not. */
export const deleteAuthorsOf = async (tx: Transaction, organizationId: string): Promise<void> => {
  await sql`delete from users u where u.id in (
    select distinct object_id from audit_entries
    where organization_id = ${organizationId} and object_type = 'agent' and object_id like 'agt\\_%')`.execute(tx)
}
