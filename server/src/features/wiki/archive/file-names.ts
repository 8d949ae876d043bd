/** Device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
// File names must not contain them.
const UNFIT = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g
/** Files that operating systems leave in folders. */
const LEFTOVER = /(?:^|\/)(?:\.[^/]|(?:__MACOSX|Thumbs\.db|desktop\.ini)(?:\/|$))/i
/** Code points: fifty nested names make a path that every archiver accepts. */
const MAX_NAME = 40

/** Folder for the files of a page; no page has this name. */
export const FILES_FOLDER = '_files'
/** Lists at the top of an archive what is missing. */
export const EXPORT_NOTE = '_export.txt'

/** GitBook keeps the files of its pages there. */
const ASSETS = /(?:^|\/)\.gitbook\/assets\/[^.][^/]*$/

export const isLeftover = (path: string): boolean => (LEFTOVER.test(path) && !ASSETS.test(path)) || path === EXPORT_NOTE

/** Converts a title to a name that every file system accepts, without an extension. */
export const fileNameOf = (title: string, max = MAX_NAME): string => {
  const plain = [...title.normalize('NFC').replaceAll(UNFIT, '_')].slice(0, max).join('').trim()
  const name = withoutEdges(plain) || 'Untitled'
  return RESERVED.test(name) || LEFTOVER.test(name) ? `_${name}` : name
}

const MAX_FILE_NAME = 80
const ENDING = /\.[A-Za-z0-9]{1,10}$/

/** Converts a file name to one that every file system accepts: a long one is cut before its extension. */
export const splitFileName = (fileName: string): { name: string; ending: string } => {
  const ending = ENDING.exec(fileName.slice(1))?.[0] ?? ''
  const name = fileNameOf(fileName.slice(0, fileName.length - ending.length), MAX_FILE_NAME - ending.length)
  return { name: isLeftover(name + ending) ? `_${name}` : name, ending }
}

/** Drops leading dots, which hide a file, and trailing dots and blanks, which Windows drops. */
const withoutEdges = (name: string): string => {
  let [from, to] = [0, name.length]
  while (name[from] === '.') from++
  while (to > from && (name[to - 1] === '.' || name[to - 1] === ' ')) to--
  return name.slice(from, to)
}

/** Makes names unique within a folder, also for case-insensitive systems: `Name`, `Name (2)`. */
export class TakenNames {
  readonly #taken = new Set<string>([FILES_FOLDER, EXPORT_NOTE])
  readonly #next = new Map<string, number>()

  /** @param endings extensions with each of which the name must be free */
  take(name: string, endings: readonly string[]): string {
    const key = `${name}${endings[0]}`.toLowerCase()
    for (let number = this.#next.get(key) ?? 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`
      const names = endings.map((ending) => `${candidate}${ending}`.toLowerCase())
      if (names.some((taken) => this.#taken.has(taken))) continue
      for (const taken of names) this.#taken.add(taken)
      this.#next.set(key, number + 1)
      return candidate
    }
  }
}

/** A path as an address in Markdown: parts encoded, joined by slashes. */
export const toAddress = (path: string): string =>
  path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(
        /[()*!']/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')

/** The last part of a path: the file name. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path from the folder of one file to another. */
export const relativePath = (fromFile: string, toFile: string): string => {
  const [from, to] = [fromFile.split('/').slice(0, -1), toFile.split('/')]
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/')
}

/** The path that an address in a file of the archive refers to; undefined if it leaves the archive or is invalid. */
export const resolvePath = (fromFile: string, address: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\#?]/i.test(address)) return undefined
  const parts = fromFile.split('/').slice(0, -1)
  for (const encoded of (address.split(/[#?]/)[0] as string).split('/')) {
    const part = decoded(encoded)
    if (part === undefined) return undefined
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.length === 0 ? undefined : parts.join('/').normalize('NFC')
}

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
