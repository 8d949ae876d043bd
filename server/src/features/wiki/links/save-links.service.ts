import { asServer, type Transaction } from '../../../platform/database/transaction.ts'
import * as query from './links.queries.ts'

/** Ids hold underscores behind three letters; a title may look like one, and then is one. */
const isId = (reference: string): boolean => /^[a-z]{3}_[0-9a-z]{26}$/.test(reference)

interface LinkedText {
  pageId: string
  references: readonly string[]
}

/**
 * Keeps what a text refers to. What it referred to before still names the same; new titles are settled now, by what there
 * is, also where the caller does not see it.
 */
export const saveLinks = async (tx: Transaction, organizationId: string, engagementId: string | null, { pageId, references }: LinkedText): Promise<void> => {
  const before = new Set((await query.listLinks(tx, organizationId, pageId)).map(({ reference }) => reference))
  const wanted = new Set(references)
  const gone = [...before].filter((reference) => !wanted.has(reference))
  if (gone.length > 0) await query.deleteLinks(tx, organizationId, pageId, gone)
  const added = references.filter((reference) => !before.has(reference))
  await addLinks(tx, organizationId, engagementId, [{ pageId, references: added }])
}

/** Of pages that have no links yet. */
export const addLinks = async (tx: Transaction, organizationId: string, engagementId: string | null, texts: readonly LinkedText[]): Promise<void> => {
  const titles = new Set(texts.flatMap(({ references }) => references.filter((reference) => !isId(reference))))
  if (titles.size > 0) await query.lockTitles(tx, organizationId, 'shared')
  const titled = titles.size === 0 ? new Map<string, string>() : await asServer(tx, () => query.listTitled(tx, organizationId, engagementId, [...titles]))
  const links = texts.flatMap(({ pageId, references }) =>
    references.map((reference) => ({ page_id: pageId, reference, target_id: isId(reference) ? reference : (titled.get(reference) ?? null) })),
  )
  for (let at = 0; at < links.length; at += ROWS_AT_ONCE) await query.insertLinks(tx, organizationId, engagementId, links.slice(at, at + ROWS_AT_ONCE))
}

/** A statement has two seconds. A connection that knew the wiki when it was small looks for the page of each link among all pages. */
const ROWS_AT_ONCE = 200

/** Links by title to pages that are deleted for ever, once they are. */
export const releaseLinks = async (tx: Transaction, organizationId: string, pageIds: readonly string[]): Promise<void> => {
  await query.lockTitles(tx, organizationId, 'alone')
  for (let at = 0; at < pageIds.length; at += PAGES_AT_ONCE) {
    await asServer(tx, () => query.updateLinksOfDeleted(tx, organizationId, pageIds.slice(at, at + PAGES_AT_ONCE)))
  }
}

/** A statement has two seconds, and a page may be named by many. */
const PAGES_AT_ONCE = 100

/** Links to nothing find the pages that have come under these titles, whoever wrote them. */
export const claimLinks = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  titles: readonly { titleKey: string; pageId: string }[],
): Promise<void> => {
  await query.lockTitles(tx, organizationId, 'alone')
  await asServer(tx, () => query.updateOpenLinks(tx, organizationId, engagementId, titles))
}
