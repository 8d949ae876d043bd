import { type SelectQueryBuilder, sql } from 'kysely'

/** How many rows a query selects, of whatever tables. */
// oxlint-disable-next-line typescript/no-explicit-any -- counts the rows of any query
export const countRows = async (query: SelectQueryBuilder<any, any, object>): Promise<number> =>
  (await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count

/** Whether a query selects a row, or a change returns one. */
export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> => (await query.executeTakeFirst()) !== undefined

/** Deletes, and says how many rows there were. */
export const countDeleted = async (query: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }): Promise<number> =>
  Number((await query.executeTakeFirst()).numDeletedRows)
