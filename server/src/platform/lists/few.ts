import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import { transaction } from '../database/transaction.ts'

/**
 * A search with more matches fills its page soon in any order: of a million rows with a thousand matches, a tenth is read
 * for the first hundred.
 */
const MAX_FEW = 200

/**
 * Finds the rows of a search if they are few. Postgres would fetch each row of the list through an index, in the order
 * of the page or of a joined table; here it reads them as they are stored, and stops once there are more.
 *
 * @param parts queries without common rows
 * @returns a condition for the rows; undefined if there are more than `MAX_FEW`
 */
export const findFew = async <DB, TB extends keyof DB, Row>(
  parts: readonly SelectQueryBuilder<DB, TB, Row>[],
  id: RawBuilder<unknown>,
): Promise<RawBuilder<SqlBool> | undefined> => {
  const ids: string[] = []
  for (const part of parts) {
    const found = await part
      .clearSelect()
      .select(id.$castTo<string>().as('few_id'))
      .limit(MAX_FEW + 1 - ids.length)
      .execute()
    ids.push(...found.map((row) => (row as { few_id: string }).few_id))
    if (ids.length > MAX_FEW) return undefined
  }
  return sql<SqlBool>`${id} = any(${ids}::text[])`
}

/**
 * Runs `read` with a second process of Postgres, if one is free: for reads of whole tables. The costs are set because the
 * planner expects such a read to reach its limit soon, and would not use it. With a third process on two cores, the one
 * that collects the rows would read too few itself: rows of the others reach it late. A transaction of the caller reads
 * with one process.
 */
export const readWithHelper = <T>(db: Database, read: (db: Database) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? read(db)
    : transaction(db, async (tx) => {
        await sql`select set_config('max_parallel_workers_per_gather', '1', true),
          set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`.execute(tx)
        return read(tx)
      })
