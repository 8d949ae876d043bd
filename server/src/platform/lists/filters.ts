import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../database/open.ts'
import { badRequest } from '../errors.ts'

/** A column by its name, `t.kind`, or what is made of columns. */
export type Expression = string | RawBuilder<unknown>

export const toSql = (expression: Expression): RawBuilder<unknown> => (typeof expression === 'string' ? sql.ref(expression) : expression)

export interface FilterAsker {
  db: Database
  actor: Actor
  /** Of the filter of that name. */
  engagementId: string | undefined
}

/** How a filter of the contract becomes a condition. */
export interface Filter {
  /** @param value as the contract's schema lets it through */
  where(value: never, actor: Actor): RawBuilder<SqlBool> | undefined
  /**
   * The same as several conditions, of which each row that is wanted meets exactly one: a page is put together of as many
   * queries, and each takes the index that serves it. No index serves an `or` over joined tables.
   */
  parts?(value: never): readonly RawBuilder<SqlBool>[]
  /**
   * Looks up the rows of each part, and names them where they are few. For values of a joined table: Postgres cannot know how
   * many of the rows have one, and would read them all in the order of the page.
   *
   * @returns for each of `parts` a condition in its place, or undefined where it has many rows or an index of its own
   */
  few?(value: never, asker: FilterAsker): Promise<readonly (RawBuilder<SqlBool> | undefined)[]>
  /** Whose values are counted, where it is a facet; `isArray`: each element of it. */
  facet?: { expression: RawBuilder<unknown>; isArray: boolean }
}

/** A condition of one's own. It is left out where it returns undefined. */
export const condition = (where: Filter['where']): Filter => ({ where })

/** For `AnyOf`, `AnyInteger`, `OneId`, and `AnyText` of a column with one text. */
export const anyOf = (expression: Expression): Filter => {
  const column = toSql(expression)
  return { where: (values: Value | readonly Value[]) => isOneOf(column, [values].flat()), facet: { expression: column, isArray: false } }
}

/** For `AnyId`, and `AnyOf` with `orNone`: `none` is a row without a value, `me` whoever is signed in. */
export const anyOfOrNone = (expression: Expression): Filter => {
  const column = toSql(expression)
  const where = (values: readonly string[], actor: Actor) => {
    const wanted = values.filter((value) => value !== 'none').map((value) => (value === 'me' ? personOf(actor) : value))
    if (wanted.length === values.length) return isOneOf(column, wanted)
    return wanted.length === 0 ? sql<SqlBool>`${column} is null` : sql<SqlBool>`(${column} is null or ${isOneOf(column, wanted)})`
  }
  return { where, facet: { expression: column, isArray: false } }
}

/** For `AnyText` of a column that is an array, such as tags. */
export const anyIn = (expression: Expression): Filter => {
  const column = toSql(expression)
  return { where: (values: readonly string[]) => sql<SqlBool>`${column} && ${values}::text[]`, facet: { expression: column, isArray: true } }
}

/** For `PartOfText`: a part of one of these, in any letter case. Every character stands for itself. */
export const contains = (...expressions: [Expression, ...Expression[]]): Filter =>
  condition((part: string) => {
    // Folded by Unicode also where a column compares bytewise.
    const found = expressions.map((expression) => sql<SqlBool>`strpos(lower(${toSql(expression)} collate names), lower(${part}::text collate names)) > 0`)
    return sql`(${sql.join(found, sql` or `)})`
  })

/** The same of a column that holds its text in lower case already, `lower(... collate names)`: for lists of a million rows. */
export const containsFolded = (column: Expression): Filter => condition((part: string) => sql`strpos(${toSql(column)}, lower(${part}::text collate names)) > 0`)

/** For `DayOrTime`: this moment or later. */
export const since = (expression: Expression): Filter => condition((moment: string) => sql`${toSql(expression)} >= ${moment}`)

/** For `DayOrTime`: earlier than this moment. */
export const before = (expression: Expression): Filter => condition((moment: string) => sql`${toSql(expression)} < ${moment}`)

/** For `Flag`: rows for which it is so; `false` asks for nothing. */
export const onlyWhere = (isSo: RawBuilder<SqlBool>): Filter => condition((isWanted: boolean) => (isWanted ? isSo : undefined))

/** For `OrganizationFlag`: rows that belong to no engagement. */
export const isNull = (expression: Expression): Filter => onlyWhere(sql`${toSql(expression)} is null`)

/** The texts of an array, for `contains`. */
export const joined = (column: string): RawBuilder<unknown> => sql`array_to_string(${sql.ref(column)}, ',')`

type Value = string | number

/** One value is compared with `=`, so that an index that goes on with the sort still gives the order. */
export const isOneOf = (column: RawBuilder<unknown>, values: readonly Value[]): RawBuilder<SqlBool> =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

const personOf = ({ kind, id }: Actor): string => {
  if (kind !== 'user') throw badRequest('me: is whoever is signed in, and an API key is nobody')
  return id
}
