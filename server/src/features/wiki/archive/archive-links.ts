import type { Imported } from '../text/archive-task.ts'
import { resolvePath } from './file-names.ts'
import { lastPart, MARKDOWN, type PlannedPage } from './plan.ts'

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i
/** `[[folder/name#heading|words]]`: a page or a file by its name, as Obsidian writes it. */
const BY_NAME = /^\[\[([^|#^]*)(?:[#^][^|]*)?(?:\|(.*))?\]\]$/
/** Words that are the size of a picture. */
const SIZE = /^\d+(?:x\d+)?$/

/** Finds what the links of an archive's pages name: by a relative address, or by a name that only one file of the archive has. */
export class ArchiveLinks {
  readonly #byName: Map<string, string[]>

  /** @param paths of everything in the archive */
  constructor(paths: readonly string[]) {
    this.#byName = Map.groupBy(paths, (path) => nameKey(lastPart(path)))
  }

  /** The path that an address in a page names; undefined where it leaves the archive or names nothing in it. */
  readonly resolve = (page: PlannedPage, address: string): string | undefined => {
    if (page.path === undefined) return undefined
    const name = BY_NAME.exec(address)?.[1]?.trim()
    if (name === undefined) return resolvePath(page.path, address)
    // What we exported keeps its double brackets only where they name nothing.
    return page.isOurs || name === '' ? undefined : this.#find(name)
  }

  #find(name: string): string | undefined {
    const wanted = nameKey(name)
    const same = (this.#byName.get(lastPart(wanted)) ?? []).filter((path) => `/${nameKey(path)}`.endsWith(`/${wanted}`))
    return same.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))[0]
  }

  /** What each address in a page becomes; what it says of others stays as it is. */
  of(
    page: PlannedPage,
    addresses: readonly string[],
    pages: ReadonlyMap<string, PlannedPage>,
    files: ReadonlyMap<string, string>,
    unique: ReadonlySet<string>,
  ): Record<string, Imported> {
    const links: Record<string, Imported> = {}
    for (const address of addresses) {
      const path = this.resolve(page, address)
      if (path === undefined) continue
      const [target, fileId] = [pages.get(path), files.get(path)]
      const words = BY_NAME.exec(address)?.[2]?.trim()
      const label = words && !SIZE.test(words) ? { label: words } : {}
      if (target) links[address] = { pageId: target.id, title: target.title, isUnique: unique.has(target.id), ...label }
      else if (fileId !== undefined) links[address] = { fileId, isPicture: PICTURE.test(path), label: lastPart(path), ...label }
    }
    return links
  }
}

/** Names are compared without the ending of a page, and without regard to case. */
const nameKey = (path: string): string => path.replace(MARKDOWN, '').normalize('NFC').toLowerCase()
