import { asServer, type Transaction } from '../../../platform/database/transaction.ts'
import * as query from './links.queries.ts'

/** Ids have an underscore after three letters; a title that looks like an id is read as one. */
const isId = (reference: string): boolean => /^[a-z]{3}_[0-9a-z]{26}$/.test(reference)

interface LinkedText {
  pageId: string
  references: readonly string[]
}

/**
 * Stores the references of a text. Existing references keep their targets; new titles are resolved now among all pages,
 * hidden ones included.
 */
export const saveLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  { pageId, references }: LinkedText,
): Promise<void> => {
  const before = new Set((await query.listLinks(tx, organizationId, pageId)).map(({ reference }) => reference))
  const wanted = new Set(references)
  const gone = [...before].filter((reference) => !wanted.has(reference))
  if (gone.length > 0) await query.deleteLinks(tx, organizationId, pageId, gone)
  const added = references.filter((reference) => !before.has(reference))
  await addLinks(tx, organizationId, engagementId, [{ pageId, references: added }])
}

/** For pages that have no links yet. */
export const addLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  texts: readonly LinkedText[],
): Promise<void> => {
  const titles = new Set(texts.flatMap(({ references }) => references.filter((reference) => !isId(reference))))
  if (titles.size > 0) await query.lockTitles(tx, organizationId, 'shared')
  const titled =
    titles.size === 0
      ? new Map<string, string>()
      : await asServer(tx, () => query.listTitled(tx, organizationId, engagementId, [...titles]))
  const links = texts.flatMap(({ pageId, references }) =>
    references.map((reference) => ({
      page_id: pageId,
      reference,
      target_id: isId(reference) ? reference : (titled.get(reference) ?? null),
    })),
  )
  for (let at = 0; at < links.length; at += ROWS_AT_ONCE)
    await query.insertLinks(tx, organizationId, engagementId, links.slice(at, at + ROWS_AT_ONCE))
}

/**
 * Statement timeout: two seconds. A connection with a plan from when the wiki was small scans all pages for each link.
 */
const ROWS_AT_ONCE = 200

/** Releases links by title to permanently deleted pages. Call it after the deletion. */
export const releaseLinks = async (
  tx: Transaction,
  organizationId: string,
  pageIds: readonly string[],
): Promise<void> => {
  await query.lockTitles(tx, organizationId, 'exclusive')
  for (let at = 0; at < pageIds.length; at += PAGES_AT_ONCE) {
    await asServer(tx, () => query.updateLinksOfDeleted(tx, organizationId, pageIds.slice(at, at + PAGES_AT_ONCE)))
  }
}

/** Statement timeout: two seconds, and a page may have many links to it. */
const PAGES_AT_ONCE = 100

/** Points unresolved links by any author to new pages with these titles. */
export const claimLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  titles: readonly { titleKey: string; pageId: string }[],
): Promise<void> => {
  await query.lockTitles(tx, organizationId, 'exclusive')
  await asServer(tx, () => query.updateOpenLinks(tx, organizationId, engagementId, titles))
}
