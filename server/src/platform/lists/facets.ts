import { MAX_TOTAL } from '@sortie/contract/core/endpoint.ts'
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import type { Filter } from './filters.ts'

interface Facet {
  name: string
  /** All possible values; undefined if any value is possible. */
  words: readonly string[] | undefined
  filter: Filter
}

/** Rows by value; null for a value of too many rows, and for a facet whose values are not known. */
type Counts = Record<string, Record<string, number | null> | null>

interface Count {
  name: string | null
  value: string | null
  count: number
}

/** Name of the count of rows without a value. */
const NONE = 'none'

/**
 * Counts at most 10,000 rows together. If there are more, counts at most that many of each known value: the cost does
 * not grow with the list, as long as an index finds the rows of a value.
 *
 * @param rows queries without common rows
 * @param rowsWith narrows a query to the rows that have this value
 */
export const countFacets = async <DB, TB extends keyof DB, Row>(
  db: Database,
  rows: readonly SelectQueryBuilder<DB, TB, Row>[],
  facets: readonly Facet[],
  rowsWith: (facet: string, word: string) => Promise<readonly SelectQueryBuilder<DB, TB, Row>[]>,
): Promise<{ counts: Counts; isEmpty: boolean }> => {
  const found = await countTogether(db, rows, facets)
  const total = found.find(({ name }) => name === null)?.count ?? 0
  if (total <= MAX_TOTAL)
    return {
      counts: Object.fromEntries(facets.map((facet) => [facet.name, fewOf(facet, found)])),
      isEmpty: total === 0,
    }
  const words = facets.flatMap((facet) => (facet.words ?? []).map((word) => ({ facet, word })))
  const many = words.length === 0 ? [] : await countEach(db, words, rowsWith)
  const manyOf = ({ name, words }: Facet) =>
    words
      ? Object.fromEntries(
          many
            .filter((count) => count.name === name)
            .map(({ value, count }) => [value, count > MAX_TOTAL ? null : count]),
        )
      : null
  return { counts: Object.fromEntries(facets.map((facet) => [facet.name, manyOf(facet)])), isEmpty: false }
}

const fewOf = ({ name, words = [] }: Facet, found: readonly Count[]): Record<string, number> => {
  const none = Object.fromEntries(words.map((word) => [word, 0]))
  const counted = Object.fromEntries(
    found.filter((count) => count.name === name).map(({ value, count }) => [value ?? NONE, count]),
  )
  return { ...none, ...counted }
}

/** One scan of the first rows for all facets; the row without a name is their total. */
const countTogether = async <DB, TB extends keyof DB, Row>(
  db: Database,
  rows: readonly SelectQueryBuilder<DB, TB, Row>[],
  facets: readonly Facet[],
) => {
  const columns = facets.map(({ filter }, index) => expressionOf(filter).as(`facet${index}`))
  const matching = firstOf(rows.map((part) => part.clearSelect().select(columns)))
  const counts = facets.map(({ name, filter }, index) => {
    const column = sql.ref(`facet${index}`)
    const values = filter.facet?.isArray
      ? sql`select unnest(${column}) as value from matching`
      : sql`select ${column}::text as value from matching`
    return sql`select ${name}::text as name, value::text, count(*) as count from (${values}) as found group by value`
  })
  const all = sql`select null::text as name, null::text as value, count(*) as count from matching`
  const { rows: found } =
    await sql<Count>`with matching as materialized (${matching}) ${sql.join([all, ...counts], sql` union all `)}`.execute(
      db,
    )
  return found
}

/**
 * Counts each value with its filter's condition, in a separate statement: one for all could exceed the statement
 * timeout.
 */
const countEach = async <DB, TB extends keyof DB, Row>(
  db: Database,
  words: readonly { facet: Facet; word: string }[],
  rowsWith: (facet: string, word: string) => Promise<readonly SelectQueryBuilder<DB, TB, Row>[]>,
): Promise<Count[]> => {
  const counts: Count[] = []
  for (const { facet, word } of words) {
    const matching = firstOf(
      (await rowsWith(facet.name, word)).map((part) => part.clearSelect().select(sql`1`.as('one'))),
    )
    const { rows: found } = await sql<{
      count: number
    }>`select count(*) as count from (${matching}) as matching`.execute(db)
    counts.push({ name: facet.name, value: word, count: found[0]?.count ?? 0 })
  }
  return counts
}

/** The rows to count, limited. */
const firstOf = (parts: readonly Expression<unknown>[]): RawBuilder<unknown> =>
  sql`select * from (${unionOf(parts)}) as parts limit ${MAX_TOTAL + 1}`

/** All rows of several queries. */
export const unionOf = (parts: readonly Expression<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )

const expressionOf = ({ facet }: Filter) => {
  if (!facet) throw new Error('this filter has no values that can be counted')
  return facet.expression
}
