import { type PreparedText, prepareText } from './page-text-task.ts'
import { referencesIn, rewriteReferences } from './references.ts'
import { titleKey } from './title-key.ts'

/** Where a page that a text refers to lies in an archive. */
export interface LinkedPage {
  title: string
  address: string
}

/** A text as it stands in an archive: links to pages and files by relative addresses. */
export const toArchive = ({ body, pages, files }: { body: string; pages: Record<string, LinkedPage>; files: Record<string, string> }): string =>
  rewriteReferences(body, ({ kind, target, label, isPicture }) => {
    const page = pages[target] ?? (kind === 'page' ? pages[titleKey(target)] : undefined)
    if (kind === 'page') return page && `[${escaped(page.title)}](${page.address})`
    const address = page?.address ?? files[target]
    return address && `${isPicture ? '!' : ''}[${label}](${address})`
  })

const escaped = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')

/** Addresses that a text links to, each once. */
export const addressesIn = (body: string): string[] => [...new Set(referencesIn(body).flatMap(({ kind, target }) => (kind === 'link' ? [target] : [])))]

/** What an address of an archive becomes: a page with its title, or a file. */
export type Imported = { pageId: string; title: string; isUnique: boolean } | { fileId: string }

/** The text of a page of an archive, ready to be stored: links by address become links by title or id. */
export const fromArchive = ({ title, body, links }: { title: string; body: string; links: Record<string, Imported> }): PreparedText => {
  const text = rewriteReferences(body, ({ kind, target, label, isPicture }) => {
    const linked = kind === 'link' ? links[target] : undefined
    if (!linked) return undefined
    if ('fileId' in linked) return `${isPicture ? '!' : ''}[${label}](${linked.fileId})`
    if (label !== linked.title) return `[${label}](${linked.pageId})`
    return `[[${linked.isUnique ? linked.title : linked.pageId}]]`
  })
  return prepareText({ title, body: text }) as PreparedText
}
