import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, authorOf } from '../auth/actor.ts'
import type { Database } from '../database/connection/open.ts'
import { badRequest } from '../errors.ts'

/** A column by its name, `t.kind`, or an expression on columns. */
export type Expression = string | RawBuilder<unknown>

export const toSql = (expression: Expression): RawBuilder<unknown> =>
  typeof expression === 'string' ? sql.ref(expression) : expression

export interface QueryContext {
  db: Database
  actor: Actor
  /** The value of the filter with this name. */
  engagementId: string | undefined
}

/** Turns a filter of the contract into a condition. */
export interface Filter {
  /** @param value as validated by the contract's schema */
  where(value: never, actor: Actor): RawBuilder<SqlBool> | undefined
  /**
   * Several conditions in place of one, of which each wanted row meets exactly one: a page is merged from as many
   * queries, each of which uses its own index. No index serves an `or` over joined tables.
   */
  parts?(value: never): readonly RawBuilder<SqlBool>[]
  /**
   * Looks up the rows of each part, and lists their ids if they are few. For values of a joined table: Postgres cannot
   * know how many of the rows have one, and would read all rows in the order of the page.
   *
   * @returns for each of `parts` a replacement, or undefined if it has many rows or its own index
   */
  few?(value: never, asker: QueryContext): Promise<readonly (RawBuilder<SqlBool> | undefined)[]>
  /** No index serves it: each row is read. Among more than 100,000 rows, more than 200 matches are not counted. */
  readsEveryRow?: true
  /** Most rows have one of few values in a joined table: a search looks for its text first. */
  isOfJoinedTable?: true
  /** Refuses a value that the schema allows, before rows are read. @throws ApiError */
  check?(value: never, asker: Pick<QueryContext, 'db' | 'actor'>): Promise<void>
  /** The expression that is counted, for a facet; with `isArray`, each element counts. */
  facet?: { expression: RawBuilder<unknown>; isArray: boolean }
}

/** A custom condition. It is omitted if it returns undefined. */
export const condition = (where: Filter['where']): Filter => ({ where })

/** A custom condition on a part of a text, which no index serves. */
export const conditionOnText = (where: Filter['where']): Filter => ({ where, readsEveryRow: true })

/** For `AnyOf`, `AnyInteger`, `OneId`, and `AnyText` of a column with one text. */
export const anyOf = (expression: Expression): Filter => {
  const column = toSql(expression)
  return {
    where: (values: Value | readonly Value[]) => isOneOf(column, [values].flat()),
    facet: { expression: column, isArray: false },
  }
}

/** For `AnyId`, and `AnyOf` with `orNone`: `none` matches rows without a value, `me` the signed-in person, or the agent of the key. */
export const anyOfOrNone = (expression: Expression): Filter => {
  const column = toSql(expression)
  const where = (values: readonly string[], actor: Actor) => {
    const wanted = values.filter((value) => value !== 'none').map((value) => (value === 'me' ? selfOf(actor) : value))
    if (wanted.length === values.length) return isOneOf(column, wanted)
    return wanted.length === 0
      ? sql<SqlBool>`${column} is null`
      : sql<SqlBool>`(${column} is null or ${isOneOf(column, wanted)})`
  }
  return { where, facet: { expression: column, isArray: false } }
}

/** For `AnyText` of a column that is an array, such as tags. */
export const anyIn = (expression: Expression): Filter => {
  const column = toSql(expression)
  return {
    where: (values: readonly string[]) => sql<SqlBool>`${column} && ${values}::text[]`,
    facet: { expression: column, isArray: true },
  }
}

/** For `PartOfText`: a substring of one of these, ignoring case. Every character is literal. */
export const contains = (...expressions: [Expression, ...Expression[]]): Filter =>
  conditionOnText((part: string) => {
    // Folds by Unicode even if a column compares bytewise.
    const found = expressions.map(
      (expression) =>
        sql<SqlBool>`strpos(lower(${toSql(expression)} collate names), lower(${part}::text collate names)) > 0`,
    )
    return sql`(${sql.join(found, sql` or `)})`
  })

/**
 * `contains` for a column that already stores its text in lower case, `lower(... collate names)`: for lists of a
 * million rows.
 */
export const containsFolded = (column: Expression): Filter =>
  conditionOnText((part: string) => sql`strpos(${toSql(column)}, lower(${part}::text collate names)) > 0`)

/** For `DayOrTime`: this moment or later. */
export const since = (expression: Expression): Filter =>
  condition((moment: string) => sql`${toSql(expression)} >= ${moment}`)

/** For `DayOrTime`: earlier than this moment. */
export const before = (expression: Expression): Filter =>
  condition((moment: string) => sql`${toSql(expression)} < ${moment}`)

/** For `Flag`: rows that meet the condition; `false` does not filter. */
export const onlyWhere = (isSo: RawBuilder<SqlBool>): Filter =>
  condition((isWanted: boolean) => (isWanted ? isSo : undefined))

/** For `OrganizationFlag`: rows that belong to no engagement. */
export const isNull = (expression: Expression): Filter => onlyWhere(sql`${toSql(expression)} is null`)

/** The texts of an array, for `contains`. */
export const joined = (column: string): RawBuilder<unknown> => sql`array_to_string(${sql.ref(column)}, ',')`

type Value = string | number

/** Compares one value with `=`, so that an index that continues with the sort column still provides the order. */
export const isOneOf = (column: RawBuilder<unknown>, values: readonly Value[]): RawBuilder<SqlBool> =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

const selfOf = (actor: Actor): string => {
  const self = authorOf(actor)
  if (self === null) throw badRequest('me: needs a signed-in user or the key of an agent')
  return self
}
