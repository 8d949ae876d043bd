import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

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
