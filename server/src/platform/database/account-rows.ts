import { sql } from 'kysely'
import type { Transaction } from './transaction.ts'

/**
 * Deletes the rows that belong to one account only: sessions, factors, links, known browsers and the like. These are
 * the rows of tables with a column `user_id` that refers to the account. Finds new tables automatically. Memberships
 * end by themselves, since their end has consequences.
 */
export const deleteAccountRows = async (tx: Transaction, userId: string): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name from pg_constraint k
    join pg_class c on c.oid = k.conrelid and c.relnamespace = current_schema()::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1] and a.attname = 'user_id'
    where k.contype = 'f' and cardinality(k.conkey) = 1 and k.confrelid = 'users'::regclass
    order by 1`.execute(tx)
  for (const { name } of rows) await sql`delete from ${sql.table(name)} where user_id = ${userId}`.execute(tx)
}
