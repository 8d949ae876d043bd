import { sql } from 'kysely'
import type { Transaction } from '../../../../platform/database/transaction.ts'

/** Ids of pages, and the ids of their copies in the same order. */
interface Copied {
  ids: readonly string[]
  newIds: readonly string[]
  author: string | null
  now: string
}

/** The pages of an engagement that are not in the trash, with the size of their texts in bytes. */
export const listCopied = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('wiki_pages as p')
    .innerJoin('wiki_revisions as r', (join) =>
      join
        .onRef('r.organization_id', '=', 'p.organization_id')
        .onRef('r.page_id', '=', 'p.id')
        .onRef('r.revision', '=', 'p.revision'),
    )
    .select(['p.id', 'p.parent_id', 'r.size'])
    .where('p.organization_id', '=', organizationId)
    .where('p.engagement_id', '=', engagementId)
    .where('p.trashed_at', 'is', null)
    .orderBy('p.id')
    .execute()

const pairs = ({ ids, newIds }: Pick<Copied, 'ids' | 'newIds'>) => sql`unnest(${ids}::text[], ${newIds}::text[])`

/** @param clone all pages of the clone: parents were copied before, or are copied in this batch */
export const copyPages = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  copied: Copied,
  clone: Copied,
): Promise<void> => {
  const { author, now } = copied
  await sql`insert into wiki_pages (id, organization_id, engagement_id, parent_id, title, title_key, position, revision, is_template,
      created_by, updated_by, created_at, updated_at)
    select n.new_id, p.organization_id, ${engagementId}, above.new_id, p.title, p.title_key, p.position, 1, p.is_template,
      ${author}, ${author}, ${now}, ${now}
    from wiki_pages p
    join ${pairs(copied)} as n (id, new_id) on n.id = p.id
    left join ${pairs(clone)} as above (id, new_id) on above.id = p.parent_id
    where p.organization_id = ${organizationId}`.execute(tx)
}

/** Copies the current texts, each as the first revision of its copy, and their search words. */
export const copyTexts = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  copied: Copied,
): Promise<void> => {
  const { author, now } = copied
  await sql`insert into wiki_revisions (organization_id, engagement_id, page_id, revision, body, size, author, created_at, edit_started_at)
    select p.organization_id, ${engagementId}, n.new_id, 1, r.body, r.size, ${author}, ${now}, ${now}
    from ${pairs(copied)} as n (id, new_id)
    join wiki_pages p on p.organization_id = ${organizationId} and p.id = n.id
    join wiki_revisions r on r.organization_id = p.organization_id and r.page_id = p.id and r.revision = p.revision`.execute(
    tx,
  )
  await sql`select copy_page_words(${organizationId}, ${copied.ids}::text[], ${copied.newIds}::text[], ${engagementId})`.execute(
    tx,
  )
}

/**
 * Copies links: a link by title points to the copy of its page. Without a copy, as for a page in the trash, it is
 * unresolved, unless it points to a page of the organization.
 *
 * @param clone all pages of the clone
 */
export const copyLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  copied: Copied,
  clone: Copied,
): Promise<void> => {
  await sql`insert into wiki_links (organization_id, engagement_id, page_id, reference, target_id)
    select l.organization_id, ${engagementId}, n.new_id, l.reference,
      case when l.reference = l.target_id then l.target_id
        when target.new_id is not null then target.new_id
        else named.id end
    from wiki_links l
    join ${pairs(copied)} as n (id, new_id) on n.id = l.page_id
    left join ${pairs(clone)} as target (id, new_id) on target.id = l.target_id
    left join wiki_pages named on named.organization_id = l.organization_id and named.id = l.target_id and named.engagement_id is null
    where l.organization_id = ${organizationId}`.execute(tx)
}
