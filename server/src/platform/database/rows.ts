import { type SelectQueryBuilder, sql } from 'kysely'

/** Counts the rows that a query selects, from any tables. */
// oxlint-disable-next-line typescript/no-explicit-any -- counts the rows of any query
export const countRows = async (query: SelectQueryBuilder<any, any, object>): Promise<number> =>
  (await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count

/** Reports whether a query selects a row, or a change returns one. */
export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

/** Deletes, and returns the number of deleted rows. */
export const countDeleted = async (query: {
  executeTakeFirst(): Promise<{ numDeletedRows: bigint }>
}): Promise<number> => Number((await query.executeTakeFirst()).numDeletedRows)
