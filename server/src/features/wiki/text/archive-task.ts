import { type PreparedText, prepareText } from './page-text-task.ts'
import { type Reference, referencesIn, rewriteReferences } from './references.ts'
import { titleKey } from './title-key.ts'

/** Where a page that a text refers to lies in an archive. */
export interface LinkedPage {
  title: string
  address: string
}

/** A text as it stands in an archive: links to pages and files by relative addresses. */
export const toArchive = ({ body, pages, files }: { body: string; pages: Record<string, LinkedPage>; files: Record<string, string> }): string =>
  rewriteReferences(body, ({ kind, target, label, linkTitle, isPicture }) => {
    const page = pages[target] ?? (kind === 'page' ? pages[titleKey(target)] : undefined)
    // As it was typed, so that it comes back as it was; of a page that has another title now, that one.
    const words = page && titleKey(target) === titleKey(page.title) ? label : page?.title
    if (kind === 'page') return page && `${isPicture ? '!' : ''}[${escaped(words ?? '')}](${page.address})`
    const address = page?.address ?? files[target]
    return address && `${isPicture ? '!' : ''}[${label}](${address}${linkTitle})`
  })

const escaped = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')
const unescaped = (text: string): string => text.replaceAll(/\\([\\[\]])/g, '$1')

/** What a text links to, each once: addresses, and titles in their double brackets. */
export const addressesIn = (body: string): string[] => [...new Set(referencesIn(body).map(addressOf))]

const addressOf = ({ kind, target }: Pick<Reference, 'kind' | 'target'>): string => (kind === 'page' ? `[[${target}]]` : target)

/** What an address of an archive becomes: a page with its title, or a file. `label` where the address itself says one. */
export type Imported = { label?: string } & ({ pageId: string; title: string; isUnique: boolean } | { fileId: string; isPicture: boolean })

/** The text of a page of an archive, ready to be stored: links by address become links by title or id. */
export const fromArchive = ({ title, body, links }: { title: string; body: string; links: Record<string, Imported> }): PreparedText => {
  const text = rewriteReferences(body, (reference) => {
    const linked = links[addressOf(reference)]
    if (!linked) return undefined
    const isTitle = reference.kind === 'page'
    const label = isTitle ? linked.label : reference.label
    if ('fileId' in linked) return `${reference.isPicture && (!isTitle || linked.isPicture) ? '!' : ''}[${label ?? ''}](${linked.fileId}${reference.linkTitle})`
    // Only what other programs embed loses its sign: a page is not shown within another.
    const mark = reference.isPicture && !isTitle ? '!' : ''
    const words = label === undefined ? linked.title : unescaped(label)
    if (titleKey(words) !== titleKey(linked.title) || reference.linkTitle) return `${mark}[${label ?? ''}](${linked.pageId}${reference.linkTitle})`
    return `${mark}[[${linked.isUnique && !/[[\]]/.test(words) ? words : linked.pageId}]]`
  })
  return prepareText({ title, body: text }) as PreparedText
}
