import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A `tsquery` value of Postgres: matches all of these word prefixes. Words consist of letters and digits. */
export const prefixQuery = (words: readonly string[]): RawBuilder<string> =>
  sql`${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`

/** Matches a text, in the form of `search_text` in the database, that consists of exactly these words in this order. */
export const isWords = (folded: RawBuilder<string | null>, words: readonly string[]): RawBuilder<SqlBool> =>
  sql`(btrim(${folded}) = ${words.join(' ')})`

/**
 * Matches a text, in the form of `search_text` in the database, that has words with these prefixes.
 *
 * @param folded a column or expression; for a few thousand rows, since no index serves it
 */
export const hasWords = (folded: RawBuilder<string | null>, words: readonly string[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    words.map((word) => sql`${folded} like ${`% ${word}%`}`),
    sql` and `,
  )})`
