import { ID, type PreparedText, prepareText } from './page-text-task.ts'
import { type Reference, referencesIn, rewriteReferences } from './references.ts'
import { titleKey } from './title-key.ts'

/** A referenced page and its address in the archive. */
export interface LinkedPage {
  title: string
  address: string
}

export interface ToArchive {
  body: string
  /** By the reference in the text: an id, or the key of a title. */
  pages: ReadonlyMap<string, LinkedPage>
  /** Addresses of the page's files, by id. */
  files: ReadonlyMap<string, string>
}

/**
 * Converts a text for an archive: links to pages and files become relative addresses.
 *
 * @returns also the addresses that users wrote; none of ours is equal to one
 */
export const toArchive = ({ body, pages, files }: ToArchive): { text: string; written: string[] } => {
  const pageOf = ({ kind, target }: Reference) =>
    (ID.test(target) ? pages.get(target) : undefined) ?? (kind === 'page' ? pages.get(titleKey(target)) : undefined)
  const isWritten = (reference: Reference) =>
    reference.kind === 'link' && !pageOf(reference) && !files.has(reference.target)
  const written = new Set(referencesIn(body).flatMap((reference) => (isWritten(reference) ? [reference.target] : [])))
  const unlikeWritten = (address: string): string => (written.has(address) ? unlikeWritten(`${address}#`) : address)
  const text = rewriteReferences(body, (reference) => {
    const { kind, target, label, linkTitle, isPicture } = reference
    const page = pageOf(reference)
    const mark = isPicture ? '!' : ''
    if (kind === 'page') {
      // The label as typed, so that an import restores it; if the page has another title now, that title.
      const words = page && titleKey(target) === titleKey(page.title) ? label : page?.title
      return page && `${mark}[${escaped(words ?? '')}](${unlikeWritten(page.address)})`
    }
    const file = files.get(target)
    if (!page) return file && `${mark}[${label}](${unlikeWritten(file)}${linkTitle})`
    return `${mark}[${label}](${unlikeWritten(BY_ID + page.address)}${linkTitle})`
  })
  return { text, written: [...written] }
}

/** Prefix of the address of a page that the text named by its id, with its own label. */
export const BY_ID = './/'

const escaped = (text: string): string => text.replaceAll(/[\\[\]]/g, '\\$&')
const unescaped = (text: string): string => text.replaceAll(/\\([\\[\]])/g, '$1')

/** The links of a text, without duplicates: addresses, and titles in their double brackets. */
export const addressesIn = (body: string): string[] => [...new Set(referencesIn(body).map(addressOf))]

const addressOf = ({ kind, target }: Pick<Reference, 'kind' | 'target'>): string =>
  kind === 'page' ? `[[${target}]]` : target

/**
 * The replacement of an address in an archive: a page with its title, or a file. `label` if the address itself has one.
 */
export type Imported = { label?: string } & (
  | { pageId: string; title: string; isUnique: boolean; isById: boolean }
  | { fileId: string; isPicture: boolean }
)

/** Converts the text of an archive's page for storage: links by address become links by title or id. */
export const fromArchive = ({
  title,
  body,
  links,
}: {
  title: string
  body: string
  links: ReadonlyMap<string, Imported>
}): PreparedText => {
  const text = rewriteReferences(body, (reference) => {
    const linked = links.get(addressOf(reference))
    if (!linked) return undefined
    const isTitle = reference.kind === 'page'
    const label = isTitle ? linked.label : reference.label
    if ('fileId' in linked)
      return `${reference.isPicture && (!isTitle || linked.isPicture) ? '!' : ''}[${label ?? ''}](${linked.fileId}${reference.linkTitle})`
    // Drops only the `!` of other programs' page embeds: a page is not shown within another.
    const mark = reference.isPicture && !isTitle ? '!' : ''
    const words = label === undefined ? linked.title : unescaped(label)
    if (linked.isById || titleKey(words) !== titleKey(linked.title) || reference.linkTitle)
      return `${mark}[${label ?? ''}](${linked.pageId}${reference.linkTitle})`
    return `${mark}[[${linked.isUnique && !/[[\]]/.test(words) ? words : linked.pageId}]]`
  })
  return prepareText({ title, body: text }) as PreparedText
}
