import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A value of Postgres' type `tsquery`: words that begin with these, all of them. Words are letters and digits alone. */
export const prefixQuery = (words: readonly string[]): RawBuilder<string> => sql`${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`

/** That a text, as `search_text` in the database makes it, is these words alone, in this order. */
export const isWords = (folded: RawBuilder<string | null>, words: readonly string[]): RawBuilder<SqlBool> => sql`(btrim(${folded}) = ${words.join(' ')})`

/**
 * That a text, as `search_text` in the database makes it, has words with these beginnings.
 *
 * @param folded a column or expression; for a few thousand rows, since no index serves it
 */
export const hasWords = (folded: RawBuilder<string | null>, words: readonly string[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    words.map((word) => sql`${folded} like ${`% ${word}%`}`),
    sql` and `,
  )})`
