import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { isOfTree, selectPages } from '../pages/pages.queries.ts'

export interface LinkRow {
  reference: string
  target_id: string | null
}

/**
 * Serializes changes of titles, and blocks new ones while texts that name titles are saved: otherwise neither the new
 * page would find the text, nor the text the page. Lock after the rows of pages, before those of links.
 */
export const lockTitles = (tx: Transaction, organizationId: string, how: 'shared' | 'exclusive'): Promise<void> =>
  acquireFairLocks(tx, { [how]: [`wiki titles ${organizationId}`] })

export const listLinks = (db: Database, organizationId: string, pageId: string): Promise<LinkRow[]> =>
  db
    .selectFrom('wiki_links')
    .select(['reference', 'target_id'])
    .where('organization_id', '=', organizationId)
    .where('page_id', '=', pageId)
    .orderBy('reference')
    .execute()

/** The page that each of these titles names, as seen from this tree. */
export const listTitled = async (
  db: Database,
  organizationId: string,
  engagementId: string | null,
  titleKeys: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await sql<{ title_key: string; id: string }>`
    select distinct on (title_key) title_key, id from wiki_pages
    where organization_id = ${organizationId} and title_key = any(${titleKeys}::text[]) and trashed_at is null
      and (engagement_id is null or ${isOfTree(engagementId)})
    order by title_key, engagement_id is null, created_at, id`.execute(db)
  return new Map(rows.map(({ title_key, id }) => [title_key, id]))
}

export const insertLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  links: readonly (LinkRow & { page_id: string })[],
) => {
  const columns = links.map((link) => ({ ...link, organization_id: organizationId, engagement_id: engagementId }))
  if (columns.length > 0) await tx.insertInto('wiki_links').values(columns).execute()
}

export const deleteLinks = async (
  tx: Transaction,
  organizationId: string,
  pageId: string,
  references: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('wiki_links')
    .where('organization_id', '=', organizationId)
    .where('page_id', '=', pageId)
    .where(sql<SqlBool>`reference = any(${references}::text[])`)
    .execute()
}

/** Points unresolved links with one of these titles to its page. If two pages have one title, the first one. */
export const updateOpenLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  titles: readonly { titleKey: string; pageId: string }[],
): Promise<void> => {
  const byKey = new Map(titles.toReversed().map(({ titleKey, pageId }) => [titleKey, pageId]))
  await sql`update wiki_links set target_id = n.id
    from unnest(${[...byKey.keys()]}::text[], ${[...byKey.values()]}::text[]) as n (title_key, id)
    where wiki_links.organization_id = ${organizationId} and wiki_links.target_id is null and wiki_links.reference = n.title_key
      and (${engagementId}::text is null or wiki_links.engagement_id = ${engagementId})`.execute(tx)
}

/** The page that a link's title names, as seen from its tree. */
const PAGE_TITLED = sql<string | null>`(
  select p.id from wiki_pages p
  where p.organization_id = wiki_links.organization_id and p.title_key = wiki_links.reference and p.trashed_at is null
    and (p.engagement_id is null or p.engagement_id = wiki_links.engagement_id)
  order by p.engagement_id is null, p.created_at, p.id limit 1)`

/** Resolves links by title to deleted pages again: to another page with the title, or to none until one is created. */
export const updateLinksOfDeleted = async (
  tx: Transaction,
  organizationId: string,
  pageIds: readonly string[],
): Promise<void> => {
  await sql`update wiki_links set target_id = ${PAGE_TITLED}
    where organization_id = ${organizationId} and target_id = any(${pageIds}::text[]) and reference <> target_id`.execute(
    tx,
  )
}

/** Resolves the unresolved links of an engagement again. */
export const settleOpenLinks = async (tx: Transaction, organizationId: string, engagementId: string): Promise<void> => {
  await sql`update wiki_links set target_id = ${PAGE_TITLED}
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and target_id is null`.execute(tx)
}

/** Pages that refer to this one, without duplicates. */
export const selectBacklinks = (db: Database, organizationId: string, pageId: string) =>
  selectPages(db, organizationId)
    .where('p.trashed_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('wiki_links as l')
          .select('l.page_id')
          .where('l.organization_id', '=', organizationId)
          .where('l.target_id', '=', pageId)
          .whereRef('l.page_id', '=', 'p.id'),
      ),
    )

/** Those of these pages that are visible, in the trash or not. */
export const listPageTitles = (db: Database, organizationId: string, ids: readonly string[]) =>
  db
    .selectFrom('wiki_pages')
    .select(['id', 'engagement_id', 'title', 'trashed_at'])
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute()
