import { ID, type PreparedText, prepareText } from './page-text-task.ts'
import { type Reference, referencesIn, rewriteReferences } from './references.ts'
import { titleKey } from './title-key.ts'

/** Where a page that a text refers to lies in an archive. */
export interface LinkedPage {
  title: string
  address: string
}

export interface ToArchive {
  body: string
  /** By what the text names them: an id, or the key of a title. */
  pages: ReadonlyMap<string, LinkedPage>
  /** Addresses of the page's files, by id. */
  files: ReadonlyMap<string, string>
}

/**
 * A text as it stands in an archive: links to pages and files by relative addresses.
 *
 * @returns also the addresses that people wrote themselves; none of ours is the same
 */
export const toArchive = ({ body, pages, files }: ToArchive): { text: string; written: string[] } => {
  const pageOf = ({ kind, target }: Reference) =>
    (ID.test(target) ? pages.get(target) : undefined) ?? (kind === 'page' ? pages.get(titleKey(target)) : undefined)
  const isWritten = (reference: Reference) => reference.kind === 'link' && !pageOf(reference) && !files.has(reference.target)
  const written = new Set(referencesIn(body).flatMap((reference) => (isWritten(reference) ? [reference.target] : [])))
  const unlikeWritten = (address: string): string => (written.has(address) ? unlikeWritten(`${address}#`) : address)
  const text = rewriteReferences(body, (reference) => {
    const { kind, target, label, linkTitle, isPicture } = reference
    const page = pageOf(reference)
    const mark = isPicture ? '!' : ''
    if (kind === 'page') {
      // As it was typed, so that it comes back as it was; of a page that has another title now, that one.
      const words = page && titleKey(target) === titleKey(page.title) ? label : page?.title
      return page && `${mark}[${escaped(words ?? '')}](${unlikeWritten(page.address)})`
    }
    const file = files.get(target)
    if (!page) return file && `${mark}[${label}](${unlikeWritten(file)}${linkTitle})`
    return `${mark}[${label}](${unlikeWritten(BY_ID + page.address)}${linkTitle})`
  })
  return { text, written: [...written] }
}

/** Before the address of a page that the text named by its id, with words of its own. */
export const BY_ID = './'

const escaped = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')
const unescaped = (text: string): string => text.replaceAll(/\\([\\[\]])/g, '$1')

/** What a text links to, each once: addresses, and titles in their double brackets. */
export const addressesIn = (body: string): string[] => [...new Set(referencesIn(body).map(addressOf))]

const addressOf = ({ kind, target }: Pick<Reference, 'kind' | 'target'>): string => (kind === 'page' ? `[[${target}]]` : target)

/** What an address of an archive becomes: a page with its title, or a file. `label` where the address itself says one. */
export type Imported = { label?: string } & ({ pageId: string; title: string; isUnique: boolean; isById: boolean } | { fileId: string; isPicture: boolean })

/** The text of a page of an archive, ready to be stored: links by address become links by title or id. */
export const fromArchive = ({ title, body, links }: { title: string; body: string; links: ReadonlyMap<string, Imported> }): PreparedText => {
  const text = rewriteReferences(body, (reference) => {
    const linked = links.get(addressOf(reference))
    if (!linked) return undefined
    const isTitle = reference.kind === 'page'
    const label = isTitle ? linked.label : reference.label
    if ('fileId' in linked) return `${reference.isPicture && (!isTitle || linked.isPicture) ? '!' : ''}[${label ?? ''}](${linked.fileId}${reference.linkTitle})`
    // Only what other programs embed loses its sign: a page is not shown within another.
    const mark = reference.isPicture && !isTitle ? '!' : ''
    const words = label === undefined ? linked.title : unescaped(label)
    if (linked.isById || titleKey(words) !== titleKey(linked.title) || reference.linkTitle)
      return `${mark}[${label ?? ''}](${linked.pageId}${reference.linkTitle})`
    return `${mark}[[${linked.isUnique && !/[[\]]/.test(words) ? words : linked.pageId}]]`
  })
  return prepareText({ title, body: text }) as PreparedText
}
