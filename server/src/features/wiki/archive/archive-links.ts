import { BY_ID, type Imported } from '../text/archive-task.ts'
import { lastPart, resolvePath } from './file-names.ts'
import { MARKDOWN, type PlannedPage } from './plan.ts'

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i
/**
 * `[[folder/name#heading|words]]`: a page or a file by its name, in Obsidian's syntax; in a table with a backslash
 * before the bar.
 */
const BY_NAME = /^\[\[([^\\|#^]*)(?:[#^][^|]*)?\\?(?:\|(.*))?\]\]$/
/** `https://www.notion.so/Recon-1a1b...?pvs=21`: a page by its id. */
const OF_NOTION = /^https:\/\/(?:www\.)?notion\.(?:so|site)\/[^?#]{0,500}?([0-9a-f]{32})(?:[?#].*)?$/
/** A label that is the size of an image. */
const SIZE = /^\d+(?:x\d+)?$/

/**
 * Finds the targets of links in an archive's pages: by a relative address, or by a name that only one file of the
 * archive has.
 */
export class ArchiveLinks {
  readonly #paths: readonly string[]
  #byName: ReadonlyMap<string, string> | undefined

  /** @param paths of all files in the archive */
  constructor(paths: readonly string[]) {
    this.#paths = paths
  }

  /** The path that an address in a page names; undefined if it leaves the archive or names nothing in it. */
  readonly resolve = (page: PlannedPage, address: string): string | undefined => {
    if (page.path === undefined || page.written.has(address)) return undefined
    const id = OF_NOTION.exec(address)?.[1]
    if (id !== undefined)
      return this.#paths.find((path) => MARKDOWN.test(path) && path.replace(MARKDOWN, '').endsWith(` ${id}`))
    const name = BY_NAME.exec(address)?.[1]?.trim()
    if (name === undefined) return resolvePath(page.path, address)
    // Our exports keep double brackets only for links that name nothing.
    if (page.isOurs || name === '') return undefined
    this.#byName ??= endsOf(this.#paths)
    return this.#byName.get(nameKey(name))
  }

  /** The replacement of each address in a page; addresses outside the archive stay as they are. */
  of(
    page: PlannedPage,
    addresses: readonly string[],
    pages: ReadonlyMap<string, PlannedPage>,
    files: ReadonlyMap<string, string>,
    unique: ReadonlySet<string>,
  ): Map<string, Imported> {
    const links = new Map<string, Imported>()
    for (const address of addresses) {
      const path = this.resolve(page, address)
      if (path === undefined) continue
      const [target, fileId] = [pages.get(path), files.get(path)]
      const words = BY_NAME.exec(address)?.[2]?.trim()
      const label = words && !SIZE.test(words) ? { label: words } : {}
      const isById = page.isOurs && address.startsWith(BY_ID)
      if (target)
        links.set(address, {
          pageId: target.id,
          title: target.title,
          isUnique: unique.has(target.id),
          isById,
          ...label,
        })
      else if (fileId !== undefined)
        links.set(address, { fileId, isPicture: PICTURE.test(path), label: lastPart(path), ...label })
    }
    return links
  }
}

/** Names are compared without a page's extension, and case-insensitively. */
const nameKey = (path: string): string => path.replace(MARKDOWN, '').normalize('NFC').toLowerCase()

/** The path of each name, with any number of its parent folders; if several match, the one with the fewest folders. */
const endsOf = (paths: readonly string[]): Map<string, string> => {
  const depths = new Map(paths.map((path) => [path, path.split('/').length]))
  const ends = new Map<string, string>()
  for (const path of paths.toSorted(
    (a, b) => (depths.get(a) as number) - (depths.get(b) as number) || (a < b ? -1 : 1),
  )) {
    const key = nameKey(path)
    for (let from = key.length; from > 0;) {
      const slash = key.lastIndexOf('/', from - 1)
      const end = key.slice(slash + 1)
      if (!ends.has(end)) ends.set(end, path)
      from = slash
    }
  }
  return ends
}
