import { MAX_TOTAL } from '@sortie/contract/core/endpoint.ts'
import { type List, TOO_MANY_MATCH } from '@sortie/contract/core/lists.ts'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import type { Keys } from '../crypto.ts'
import type { Database } from '../database/connection/open.ts'
import { badRequest, conflict, invalid, notFound } from '../errors.ts'
import { openCursor, type ListPosition, sealCursor } from './cursor.ts'
import { countFacets, unionOf } from './facets.ts'
import { findFew, readWithHelper } from './few.ts'
import { anyOf, type Expression, type Filter, toSql } from './filters.ts'

/** The rows of a list. `DB`, `TB` and `Row` are those of the query. */
export interface ListSource<DB, TB extends keyof DB, Row, Sort extends string, FilterName extends string> {
  /**
   * The rows of the organization that the caller may read, with their columns. Its joins must not change the number of
   * rows: rows are counted without the columns, and Postgres skips left joins that no column is read from.
   */
  rows(db: Database, organizationId: string, actor: Actor): SelectQueryBuilder<DB, TB, Row>
  /** Unique, ordered bytewise. */
  id: Expression
  /** The column with a row's engagement; makes the filter `engagementId`. */
  engagementId?: Expression
  /** Sort expressions by name, never null (`nullsLast`). `byId`: the order of ids, which is that of time. */
  sorts: Record<Sort, Expression | typeof byId>
  /**
   * Every row has an engagement, and indexes serve the sorts within one: without a filter, the first rows of each
   * engagement are merged. Otherwise Postgres would sort a million rows for a page. Filtered rows are found by the
   * filter's own index.
   */
  isSortedWithinEngagements?: true
  filters: Record<Exclude<FilterName, 'engagementId'>, Filter>
}

/** For `createdAt` of rows whose id is made at that moment. */
export const byId = Symbol('by id')

/** Sorts rows without a time or day last when ascending, first when descending; an index has this expression. */
export const nullsLast = (column: string): RawBuilder<unknown> => sql`coalesce(${sql.ref(column)}, 'infinity')`

interface ListRequester {
  db: Database
  keys: Pick<Keys, 'cursor'>
  actor: Actor
}

/** Parameters as validated by the contract's schema: cursor, sort and filters. */
type Query = Readonly<Record<string, unknown>>

interface CountedRow {
  cursor_id: string
  cursor_value: string
  list_total: number
}

/** Rows in which a part of a text is counted: each of them must be read. */
const MAX_SEARCHED = 100_000

/** Joins a list of the contract with its rows. */
export const listQuery = <DB, TB extends keyof DB, Row, L extends List>(
  list: L,
  source: ListSource<DB, TB, Row, L['sorts'][number], Exclude<keyof L['filter']['properties'], symbol | number>>,
) => {
  const filters: Record<string, Filter> = {
    ...source.filters,
    ...(source.engagementId && { engagementId: anyOf(source.engagementId) }),
  }
  const sorts: Record<string, Expression | typeof byId> = source.sorts
  const id = toSql(source.id)

  const matching = ({ db, actor }: Omit<ListRequester, 'keys'>, query: Query) =>
    Object.entries(givenOf(filters, query))
      .flatMap(([name, value]) => filters[name]?.where(value as never, actor) ?? [])
      .reduce((rows, isWanted) => rows.where(isWanted), source.rows(db, actor.organizationId, actor))

  /** The rows as one query or several without common rows. */
  const matchingParts = async (asker: Omit<ListRequester, 'keys'>, query: Query) => {
    const apart = Object.keys(givenOf(filters, query)).filter((name) => filters[name]?.parts)
    const others = matching(asker, { ...query, ...Object.fromEntries(apart.map((name) => [name, undefined])) })
    const split = await Promise.all(apart.map((name) => partsOf(asker, query, filters[name] as Filter, query[name])))
    return split.reduce(
      (queries, parts) => queries.flatMap((rows) => parts.map((isWanted) => rows.where(isWanted))),
      [others],
    )
  }

  /** The rows of a search if they are few, whatever the filters of joined tables are. */
  const findFewOf = async (asker: Omit<ListRequester, 'keys'>, query: Query) => {
    if (Object.keys(givenOf(filters, query)).every((name) => !filters[name]?.readsEveryRow)) return undefined
    const own = Object.entries(query).filter(([name]) => !filters[name]?.isOfJoinedTable)
    return readWithHelper(asker.db, async (db) =>
      findFew(await matchingParts({ ...asker, db }, Object.fromEntries(own)), id),
    )
  }

  /** The total as an expression; more than MAX_TOTAL if it is greater, or if counting would read too many rows. */
  const totalOf = async (
    asker: Omit<ListRequester, 'keys'>,
    query: Query,
    parts: Awaited<ReturnType<typeof matchingParts>>,
  ): Promise<RawBuilder<number>> => {
    const read = Object.keys(givenOf(filters, query)).filter((name) => filters[name]?.readsEveryRow)
    if (read.length === 0) return countAll(parts)
    const conditions = read.flatMap((name) => filters[name]?.where(query[name] as never, asker.actor) ?? [])
    const others = { ...query, ...Object.fromEntries(read.map((name) => [name, undefined])) }
    const counts = (await matchingParts(asker, others)).map((rows) => countRead(rows, conditions))
    return sql<number>`(${sql.join(counts, sql` + `)})`
  }

  /** Refuses values that only the database knows to be wrong, such as the key of no custom field. */
  const requireValid = async (asker: Omit<ListRequester, 'keys'>, query: Query): Promise<void> => {
    for (const [name, value] of Object.entries(givenOf(filters, query)))
      await filters[name]?.check?.(value as never, asker)
  }

  /** An unknown or hidden engagement id is 404, not an empty list. */
  const requireEngagement = async (
    { db, actor }: Omit<ListRequester, 'keys'>,
    { engagementId }: Query,
  ): Promise<void> => {
    if (engagementId === undefined) return
    const found = db
      .selectFrom('engagements')
      .select('id')
      .where('organization_id', '=', actor.organizationId)
      .where('id', '=', engagementId as string)
    if (!(await found.executeTakeFirst())) throw notFound()
  }

  return {
    /**
     * Reads one page and the total, from one snapshot.
     *
     * @throws ApiError BAD_REQUEST for a cursor of another list, filter or sort, and for an invalid filter, NOT_FOUND
     *   for a hidden engagement
     */
    page: async (asker: ListRequester, query: Query & { perPage: number }) => {
      await requireValid(asker, query)
      const { sort, order } = sequenceOf(list, query)
      const about = [list.name, asker.actor.organizationId, sort, order, givenOf(filters, query)]
      const after =
        query['cursor'] === undefined ? undefined : openCursor(asker.keys.cursor, about, query['cursor'] as string)
      const value = sorts[sort] as Expression | typeof byId
      const compared = value === byId ? undefined : toSql(value)
      const few = await findFewOf(asker, query)
      const parts = (await matchingParts(asker, query)).map((rows) => (few ? rows.where(few) : rows))
      const total = list.counted ? await (few ? countAll(parts) : totalOf(asker, query, parts)) : sql<number>`0`
      const columns = [
        id.$castTo<string>().as('cursor_id'),
        sql<string>`${compared ?? sql`''`}::text`.as('cursor_value'),
      ] as const
      // One extra row shows whether there is a next page.
      const limit = query.perPage + 1
      const sorted = parts.map((wanted) =>
        (after ? wanted.where(comesAfter(compared, id, order, after)) : wanted)
          .select(columns)
          .$if(compared !== undefined, (rows) => rows.orderBy(compared as RawBuilder<unknown>, order))
          .orderBy(id, order)
          .limit(limit),
      )
      const [first] = sorted
      const isMerged =
        source.isSortedWithinEngagements && compared !== undefined && Object.keys(givenOf(filters, query)).length === 0
      const together = () => {
        const some = sorted.map((part) => part.select((compared ?? sql`''`).as('cursor_sort')))
        const union = unionOf(
          isMerged
            ? some.map((part) => ofEachEngagement(asker.actor.organizationId, part, source.engagementId as Expression))
            : some,
        )
        return firstOf(asker.db, union, { total, order, limit })
      }
      const isOneQuery = first && sorted.length === 1 && !isMerged
      const found = (isOneQuery ? await first.select(total.as('list_total')).execute() : await together()) as (Row &
        CountedRow)[]
      if (found.length === 0) await requireEngagement(asker, query)
      const rows = found.slice(0, query.perPage)
      const last = found.length > query.perPage ? rows.at(-1) : undefined
      const nextCursor = last
        ? sealCursor(asker.keys.cursor, about, { id: last.cursor_id, value: last.cursor_value })
        : null
      // If all rows after the cursor are gone, no row carries the total.
      const count = found[0]?.list_total ?? (after && list.counted ? await countAlone(asker.db, total) : 0)
      return {
        rows,
        meta: {
          perPage: query.perPage,
          nextCursor,
          ...(list.counted && { total: count > MAX_TOTAL ? null : count }),
        } as MetaOf<L>,
      }
    },

    /**
     * Counts rows by value of these facets, after the other filters.
     *
     * @throws ApiError BAD_REQUEST for an invalid filter, NOT_FOUND for a hidden engagement
     */
    facets: async (asker: Omit<ListRequester, 'keys'>, query: Query & { by: readonly string[] }) => {
      await requireValid(asker, query)
      const facets = [...new Set(query.by)].map((name) => ({
        name,
        words: wordsOf(list, name),
        filter: filters[name] as Filter,
      }))
      const rows = await matchingParts(asker, query)
      const rowsWith = async (name: string, word: string) => {
        const { parts, where } = filters[name] as Filter
        if (parts && query[name] === undefined) return matchingParts(asker, { ...query, [name]: [word] })
        const isWord = where([word] as never, asker.actor)
        return isWord ? rows.map((part) => part.where(isWord)) : rows
      }
      const { counts, isEmpty } = await countFacets(asker.db, rows, facets, rowsWith)
      if (isEmpty) await requireEngagement(asker, query)
      return counts
    },

    /**
     * Selects the rows of a bulk change, as visible now.
     *
     * @throws ApiError VALIDATION_ERROR unless there are either ids or a filter, BAD_REQUEST for an invalid filter,
     *   CONFLICT for a filter that matches too many
     */
    choose: async (
      tx: Database,
      actor: Actor,
      { ids, filter }: Selection,
    ): Promise<{ id: string; engagementId: string | null }[]> => {
      if ((ids === undefined) === (filter === undefined)) throw invalid('ids: exactly one of ids and filter is needed')
      await requireValid({ db: tx, actor }, filter ?? {})
      const engagementId = source.engagementId ? toSql(source.engagementId) : sql`null`
      const chosen = (await matchingParts({ db: tx, actor }, filter ?? {})).map((wanted) =>
        (ids ? wanted.where(sql<SqlBool>`${id} = any(${ids})`) : wanted)
          .clearSelect()
          .select([id.$castTo<string>().as('id'), engagementId.$castTo<string | null>().as('engagementId')])
          .limit(MAX_TOTAL + 1),
      )
      const { rows } = await sql<{
        id: string
        engagementId: string | null
      }>`select * from (${unionOf(chosen)}) as chosen limit ${MAX_TOTAL + 1}`.execute(tx)
      if (rows.length > MAX_TOTAL) throw conflict(TOO_MANY_MATCH)
      return rows
    },
  }
}

/** Fields of a bulk change's body (`selectionOf` in the contract). */
export interface Selection {
  ids?: readonly string[] | undefined
  filter?: Query | undefined
}

/** The parts of a filter; those of few rows are replaced by their ids. */
const partsOf = async (
  { db, actor }: Omit<ListRequester, 'keys'>,
  query: Query,
  { parts, few }: Filter,
  value: unknown,
): Promise<RawBuilder<SqlBool>[]> => {
  const named = await few?.(value as never, { db, actor, engagementId: query['engagementId'] as string | undefined })
  return (parts?.(value as never) ?? []).map((part, index) => named?.[index] ?? part)
}

type MetaOf<L extends List> = L['reply'] extends { static: { meta: infer M } }
  ? M
  : { perPage: number; nextCursor: string | null; total: number | null }

/** Only the list's own filters, in one order, so that they can be compared. */
const givenOf = (filters: Record<string, Filter>, query: Query): Query =>
  Object.fromEntries(
    Object.keys(filters)
      .toSorted()
      .flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  )

/** @throws ApiError BAD_REQUEST for an order by position across several engagements */
const sequenceOf = (list: List, query: Query): { sort: string; order: 'asc' | 'desc' } => {
  // Rows that belong directly to the organization also have one order.
  const isWithin = query['engagementId'] !== undefined || query['organization'] === true
  const sort = (query['sort'] as string | undefined) ?? (list.positioned && isWithin ? 'position' : list.sorts[0])
  if (sort === 'position' && !isWithin) throw badRequest('sort: position needs engagementId')
  const order = query['order'] as 'asc' | 'desc' | undefined
  return { sort, order: order ?? (sort === 'position' ? 'asc' : list.order) }
}

/** One row comparison, which an index on both columns answers directly. */
const comesAfter = (
  compared: RawBuilder<unknown> | undefined,
  id: RawBuilder<unknown>,
  order: 'asc' | 'desc',
  after: ListPosition,
): RawBuilder<SqlBool> => {
  const operator = order === 'asc' ? sql`>` : sql`<`
  return compared
    ? sql`(${compared}, ${id}) ${operator} (${after.value}, ${after.id})`
    : sql`${id} ${operator} ${after.id}`
}

const countAll = <DB, TB extends keyof DB, Row>(
  parts: readonly SelectQueryBuilder<DB, TB, Row>[],
): RawBuilder<number> => sql<number>`(${sql.join(parts.map(countUpTo), sql` + `)})`

/** Evaluated once per statement. Stops counting beyond the largest total that is reported. */
const countUpTo = <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>): RawBuilder<number> =>
  sql<number>`(select count(*) from (${rows
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(MAX_TOTAL + 1)}) as matching)`

/** Counts among so many rows that a page is not delayed; if there are more, the result is above the largest total. */
const countRead = <DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  conditions: readonly RawBuilder<SqlBool>[],
): RawBuilder<number> =>
  sql<number>`(select case when count(*) > ${MAX_SEARCHED} then ${MAX_TOTAL + 1}::bigint else count(*) filter (where is_wanted) end
    from (${rows
      .clearSelect()
      .select(sql<SqlBool>`(${sql.join(conditions, sql` and `)})`.as('is_wanted'))
      .limit(MAX_SEARCHED + 1)}) as searched)`

/** Rows of each engagement, as many as the query needs. */
const ofEachEngagement = <DB, TB extends keyof DB, Row>(
  organizationId: string,
  rows: SelectQueryBuilder<DB, TB, Row>,
  engagementId: Expression,
): RawBuilder<unknown> =>
  sql`select own.* from engagements list_engagement
    cross join lateral (${rows.where(sql<SqlBool>`${toSql(engagementId)} = list_engagement.id`)}) own
    where list_engagement.organization_id = ${organizationId}`

/** The first rows of queries with one sort, by `cursor_sort` and the id. */
const firstOf = async (
  db: Database,
  union: RawBuilder<unknown>,
  { total, order, limit }: { total: RawBuilder<number>; order: 'asc' | 'desc'; limit: number },
): Promise<unknown[]> => {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql`select together.*, ${total} as list_total from (${union}) as together
    order by cursor_sort ${direction}, cursor_id ${direction} limit ${limit}`.execute(db)
  return rows
}

const countAlone = async (db: Database, total: RawBuilder<number>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return rows[0]?.total ?? 0
}

const wordsOf = (list: List, name: string): readonly string[] | undefined => {
  const { items } = (list.filter.properties as Record<string, { items?: { enum?: readonly string[] } }>)[name] ?? {}
  return items?.enum
}
