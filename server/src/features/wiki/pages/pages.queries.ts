import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { WikiPages } from '../../../platform/database/types.gen.ts'

interface PersonRow {
  id: string
  name: string
}

export interface PageRow {
  id: string
  engagement_id: string | null
  parent_id: string | null
  title: string
  position: string
  revision: number
  is_template: boolean
  created_by: PersonRow | null
  updated_by: PersonRow | null
  created_at: string
  updated_at: string
  trashed_at: string | null
}

const COLUMNS = [
  'p.id',
  'p.engagement_id',
  'p.parent_id',
  'p.title',
  'p.position',
  'p.revision',
  'p.is_template',
  'p.created_at',
  'p.updated_at',
  'p.trashed_at',
] as const

const person = (alias: 'c' | 'u') =>
  sql<PersonRow | null>`case when ${sql.ref(`${alias}.id`)} is not null then jsonb_build_object('id', ${sql.ref(`${alias}.id`)}, 'name', ${sql.ref(`${alias}.name`)}) end`

/** Pages without their texts. */
export const selectPages = (db: Database, organizationId: string) =>
  db
    .selectFrom('wiki_pages as p')
    .leftJoin('users as c', 'c.id', 'p.created_by')
    .leftJoin('users as u', 'u.id', 'p.updated_by')
    .select([...COLUMNS, person('c').as('created_by'), person('u').as('updated_by')])
    .where('p.organization_id', '=', organizationId)

export const findPage = (
  db: Database,
  organizationId: string,
  pageId: string,
): Promise<(PageRow & { body: string }) | undefined> =>
  selectPages(db, organizationId)
    .innerJoin('wiki_revisions as r', (join) =>
      join
        .onRef('r.organization_id', '=', 'p.organization_id')
        .onRef('r.page_id', '=', 'p.id')
        .onRef('r.revision', '=', 'p.revision'),
    )
    .select('r.body')
    .where('p.id', '=', pageId)
    .executeTakeFirst()

/** Finds a page without its text. */
export const findPageSummary = (db: Database, organizationId: string, pageId: string): Promise<PageRow | undefined> =>
  selectPages(db, organizationId).where('p.id', '=', pageId).executeTakeFirst()

/** The texts of these pages, by page id. */
export const listTexts = async (
  db: Database,
  organizationId: string,
  pageIds: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await db
    .selectFrom('wiki_pages as p')
    .innerJoin('wiki_revisions as r', (join) =>
      join
        .onRef('r.organization_id', '=', 'p.organization_id')
        .onRef('r.page_id', '=', 'p.id')
        .onRef('r.revision', '=', 'p.revision'),
    )
    .select(['p.id', 'r.body'])
    .where('p.organization_id', '=', organizationId)
    .where('p.id', 'in', pageIds)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** The tree of a page: an engagement, or null for the organization. Undefined if the page is missing or hidden. */
export const findTreeOf = (
  db: Database,
  organizationId: string,
  pageId: string,
): Promise<{ engagement_id: string | null } | undefined> =>
  db
    .selectFrom('wiki_pages')
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', pageId)
    .executeTakeFirst()

/** The state that a change of a page starts from. */
export type LockedPage = Pick<
  PageRow,
  'id' | 'engagement_id' | 'parent_id' | 'title' | 'revision' | 'is_template' | 'updated_at' | 'trashed_at'
>

export const lockPage = (tx: Transaction, organizationId: string, pageId: string): Promise<LockedPage | undefined> =>
  tx
    .selectFrom('wiki_pages')
    .select(['id', 'engagement_id', 'parent_id', 'title', 'revision', 'is_template', 'updated_at', 'trashed_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', pageId)
    .forUpdate()
    .executeTakeFirst()

/**
 * The pages of one tree, without the trash, by parent and position. Returns up to `max` + 1, so that callers can detect
 * more.
 */
export const listTree = (
  db: Database,
  organizationId: string,
  engagementId: string | null,
  max: number,
): Promise<PageRow[]> =>
  selectPages(db, organizationId)
    .where(isOfTree(engagementId, 'p.engagement_id'))
    .where('p.trashed_at', 'is', null)
    .orderBy('p.position')
    .orderBy('p.id')
    .limit(max + 1)
    .execute()

/** The pages of an engagement, or with null those of the organization. */
export const isOfTree = (engagementId: string | null, column = 'engagement_id'): RawBuilder<SqlBool> =>
  engagementId === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${engagementId}`

/** Includes the trash. */
export const countPages = async (
  db: Database,
  organizationId: string,
  engagementId: string | null,
): Promise<number> => {
  const { count } = await db
    .selectFrom('wiki_pages')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where(isOfTree(engagementId))
    .executeTakeFirstOrThrow()
  return count
}

export const insertPages = async (tx: Transaction, pages: Insertable<WikiPages>[]): Promise<void> => {
  await tx.insertInto('wiki_pages').values(pages).execute()
}

/** `updated_at` increases strictly, also within a millisecond. */
export const updatePage = async (
  tx: Transaction,
  organizationId: string,
  pageId: string,
  fields: Updateable<WikiPages>,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('wiki_pages')
    .set({ ...fields, updated_at: laterThanBefore(now) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', pageId)
    .execute()
}

export const laterThanBefore = (now: string): RawBuilder<string> =>
  sql`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`

/** Replaces the search words of pages. Words are only written here, never read. */
export const saveWords = async (
  tx: Transaction,
  organizationId: string,
  words: readonly { pageId: string; tree: string; titleWords: string; words: string }[],
): Promise<void> => {
  const ids = words.map(({ pageId }) => pageId)
  // The table of words has no row-level security: filter by the pages, which have it.
  const pages = await tx
    .selectFrom('wiki_pages')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const own = new Set(pages.map(({ id }) => id))
  if (own.size === 0) return
  await tx
    .deleteFrom('wiki_page_words')
    .where('page_id', 'in', [...own])
    .execute()
  const rows = words
    .filter(({ pageId }) => own.has(pageId))
    .map(({ pageId, tree, titleWords, words: all }) => ({
      page_id: pageId,
      tree,
      title_words: sql<string>`${titleWords}::tsvector`,
      words: sql<string>`${`${all} =${organizationId}`}::tsvector`,
    }))
  await tx.insertInto('wiki_page_words').values(rows).execute()
}
