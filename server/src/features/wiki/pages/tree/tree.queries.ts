import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import { isOfTree, laterThanBefore } from '../pages.queries.ts'

/** The order key of the last child of a parent; undefined without one. Pages in the trash keep their positions. */
export const findLastPosition = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  parentId: string | null,
): Promise<string | undefined> => {
  const row = await siblings(tx, organizationId, engagementId, parentId)
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position
}

/** The next order key on this side of one. */
export const findNextPosition = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  parentId: string | null,
  position: string,
  side: 'before' | 'after',
): Promise<string | undefined> => {
  const row = await siblings(tx, organizationId, engagementId, parentId)
    .select('position')
    .where('position', side === 'before' ? '<' : '>', position)
    .orderBy('position', side === 'before' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst()
  return row?.position
}

export const listSiblingIds = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  parentId: string | null,
): Promise<string[]> => {
  const rows = await siblings(tx, organizationId, engagementId, parentId)
    .select('id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const siblings = (tx: Transaction, organizationId: string, engagementId: string | null, parentId: string | null) =>
  tx
    .selectFrom('wiki_pages')
    .where('organization_id', '=', organizationId)
    .where(isOfTree(engagementId))
    .where('parent_id', parentId === null ? 'is' : '=', parentId)

/** Sets order keys by page; the order of the list stays. */
export const updatePositions = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  positions: readonly string[],
): Promise<void> => {
  await sql`update wiki_pages set position = n.position
    from unnest(${ids}::text[], ${positions}::text[]) as n (id, position)
    where wiki_pages.organization_id = ${organizationId} and wiki_pages.id = n.id`.execute(tx)
}

// Each level is looked up by its index ("offset 0" separates the lookup): while Postgres has no statistics of an
// import, it would compare each page with each, which for some thousand exceeds the statement timeout.

/** A page and its ancestors, starting with itself. */
export const listAncestors = async (db: Database, organizationId: string, pageId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, parent_id, 1 as level from wiki_pages where organization_id = ${organizationId} and id = ${pageId}
      union all
      select p.id, p.parent_id, above.level + 1 from above
      cross join lateral (select id, parent_id from wiki_pages where organization_id = ${organizationId} and id = above.parent_id offset 0) p
    ) select id from above order by level`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Descendant {
  id: string
  /** 0 for the page itself. */
  level: number
  title: string
  title_key: string
  trash_root_id: string | null
}

/** A page and its descendants, including those in the trash. */
export const listDescendants = async (db: Database, organizationId: string, pageId: string): Promise<Descendant[]> => {
  const { rows } = await sql<Descendant>`
    with recursive below as (
      select id, 0 as level, title, title_key, trash_root_id from wiki_pages where organization_id = ${organizationId} and id = ${pageId}
      union all
      select p.id, below.level + 1, p.title, p.title_key, p.trash_root_id from below
      cross join lateral (
        select id, title, title_key, trash_root_id from wiki_pages where organization_id = ${organizationId} and parent_id = below.id offset 0
      ) p
    ) select * from below order by level, id`.execute(db)
  return rows
}

const isAnyOf = (column: string, ids: readonly string[]): RawBuilder<SqlBool> =>
  sql`${sql.ref(column)} = any(${ids}::text[])`

/** @param trashedWith the page whose deletion moves them to the trash, or null to restore them */
export const setTrashed = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  trashedWith: string | null,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('wiki_pages')
    .set({
      trashed_at: trashedWith === null ? null : now,
      trash_root_id: trashedWith,
      updated_at: laterThanBefore(now),
    })
    .where('organization_id', '=', organizationId)
    .where(isAnyOf('id', ids))
    .execute()
}

/**
 * Removes pages from the search. Their rows contain all words of their texts: updating one would take as long as
 * writing it.
 */
export const deleteWords = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  // The table of words has no row-level security: filter by the pages, which have it.
  const own = tx
    .selectFrom('wiki_pages')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(isAnyOf('id', ids))
  await tx.deleteFrom('wiki_page_words').where('page_id', 'in', own).execute()
}

/** Cascades to their history, links and words. Their descendants must be deleted before or together with them. */
export const deletePages = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  await tx.deleteFrom('wiki_pages').where('organization_id', '=', organizationId).where(isAnyOf('id', ids)).execute()
}

/** The topmost pages that have been in the trash since before this moment, of every organization. */
export const listOldTrash = (db: Database, before: string, limit: number) =>
  db
    .selectFrom('wiki_pages')
    .select(['id', 'organization_id', 'engagement_id', 'title'])
    .where('trashed_at', '<', before)
    .whereRef('trash_root_id', '=', 'id')
    .orderBy('trashed_at')
    .limit(limit)
    .execute()
