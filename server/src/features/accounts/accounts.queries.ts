import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Users } from '../../platform/database/types.gen.ts'

export const findUserByEmail = (db: Database, emailKey: string) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'password_hash', 'is_instance_admin']).where('email_key', '=', emailKey).executeTakeFirst()

export const findUser = (db: Database, userId: string) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'password_hash', 'is_instance_admin', 'created_at']).where('id', '=', userId).executeTakeFirst()

/** @returns undefined when the address already has an account */
export const insertUser = (tx: Transaction, user: Insertable<Users>) =>
  tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'name', 'email'])
    .executeTakeFirst()

export const countUsers = async (db: Database): Promise<number> => {
  const row = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

const ACCOUNT_COLUMNS = ['id', 'name', 'email', 'is_instance_admin', 'created_at', 'notify_membership', 'notify_api_keys', 'notify_invitations'] as const

export const getAccount = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select([...ACCOUNT_COLUMNS])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

/** Takes the row lock that every change of an account takes first. */
export const lockAccount = (tx: Transaction, userId: string) =>
  tx
    .selectFrom('users')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()

export type AccountChange = Pick<Updateable<Users>, 'name' | 'notify_membership' | 'notify_api_keys' | 'notify_invitations'>

export const updateAccount = async (tx: Transaction, userId: string, change: AccountChange, now: string): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

export const updatePasswordHash = async (db: Database, userId: string, passwordHash: string, now: string): Promise<void> => {
  await db.updateTable('users').set({ password_hash: passwordHash, updated_at: now }).where('id', '=', userId).execute()
}

/** Locks every instance administrator's row, in one order: two who take the role from each other wait. */
export const lockInstanceAdmins = async (tx: Transaction): Promise<string[]> => {
  const rows = await tx.selectFrom('users').select('id').where('is_instance_admin', '=', true).orderBy('id').forUpdate().execute()
  return rows.map(({ id }) => id)
}

export const updateInstanceAdmin = async (tx: Transaction, userId: string, value: boolean, now: string): Promise<void> => {
  await tx.updateTable('users').set({ is_instance_admin: value, updated_at: now }).where('id', '=', userId).execute()
}
