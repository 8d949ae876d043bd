import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { isOfTree, laterThanBefore } from './pages.queries.ts'

/** The order key of the last page below a parent; undefined where there is none. Those in the trash keep their places. */
export const findLastPosition = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  parentId: string | null,
): Promise<string | undefined> => {
  const row = await siblings(tx, organizationId, engagementId, parentId).select('position').orderBy('position', 'desc').limit(1).executeTakeFirst()
  return row?.position
}

/** The order key next to one, on this side of it. */
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

export const listSiblingIds = async (tx: Transaction, organizationId: string, engagementId: string | null, parentId: string | null): Promise<string[]> => {
  const rows = await siblings(tx, organizationId, engagementId, parentId).select('id').orderBy('position').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

const siblings = (tx: Transaction, organizationId: string, engagementId: string | null, parentId: string | null) =>
  tx
    .selectFrom('wiki_pages')
    .where('organization_id', '=', organizationId)
    .where(isOfTree(engagementId))
    .where('parent_id', parentId === null ? 'is' : '=', parentId)

/** Order keys by page; who reads the list sees no change. */
export const updatePositions = async (tx: Transaction, organizationId: string, ids: readonly string[], positions: readonly string[]): Promise<void> => {
  await sql`update wiki_pages set position = n.position
    from unnest(${ids}::text[], ${positions}::text[]) as n (id, position)
    where wiki_pages.organization_id = ${organizationId} and wiki_pages.id = n.id`.execute(tx)
}

/** A page and those above it, from itself up. */
export const listAncestors = async (db: Database, organizationId: string, pageId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, parent_id, 1 as level from wiki_pages where organization_id = ${organizationId} and id = ${pageId}
      union all
      select p.id, p.parent_id, above.level + 1 from wiki_pages p join above on p.id = above.parent_id where p.organization_id = ${organizationId}
    ) select id from above order by level`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Descendant {
  id: string
  /** 0 for the page itself. */
  level: number
  title_key: string
  trashed_with: string | null
}

/** A page and all below it, those in the trash included. */
export const listDescendants = async (db: Database, organizationId: string, pageId: string): Promise<Descendant[]> => {
  const { rows } = await sql<Descendant>`
    with recursive below as (
      select id, 0 as level, title_key, trashed_with from wiki_pages where organization_id = ${organizationId} and id = ${pageId}
      union all
      select p.id, below.level + 1, p.title_key, p.trashed_with
      from wiki_pages p join below on p.parent_id = below.id where p.organization_id = ${organizationId}
    ) select * from below order by level, id`.execute(db)
  return rows
}

const isAnyOf = (column: string, ids: readonly string[]): RawBuilder<SqlBool> => sql`${sql.ref(column)} = any(${ids}::text[])`

/** @param trashedWith the page whose deletion takes them, or null to bring them back */
export const setTrashed = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  ids: readonly string[],
  trashedWith: string | null,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('wiki_pages')
    .set({ trashed_at: trashedWith === null ? null : now, trashed_with: trashedWith, updated_at: laterThanBefore(now) })
    .where('organization_id', '=', organizationId)
    .where(isAnyOf('id', ids))
    .execute()
  await tx
    .updateTable('wiki_page_words')
    .set({ tree: trashedWith === null ? (engagementId ?? organizationId) : null })
    .where(isAnyOf('page_id', ids))
    .execute()
}

/** With their history, links and words. Those below have to be gone before, or with them. */
export const deletePages = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  await tx.deleteFrom('wiki_pages').where('organization_id', '=', organizationId).where(isAnyOf('id', ids)).execute()
}

/** The topmost pages that are in the trash since before this moment, of every organization. */
export const listOldTrash = (db: Database, before: string, limit: number) =>
  db
    .selectFrom('wiki_pages')
    .select(['id', 'organization_id', 'engagement_id', 'title'])
    .where('trashed_at', '<', before)
    .whereRef('trashed_with', '=', 'id')
    .orderBy('trashed_at')
    .limit(limit)
    .execute()
