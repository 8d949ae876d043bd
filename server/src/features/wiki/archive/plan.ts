import { generateNKeysBetween } from 'fractional-indexing'
import { newId } from '../../../platform/ids.ts'
import { parseLine } from '../../../platform/text/text.ts'
import { MAX_DEPTH } from '../pages/access.service.ts'
import { titleKey } from '../text/title-key.ts'
import { FILES_FOLDER, lastPart } from './file-names.ts'
import type { FrontMatter } from './front-matter.ts'
import type { ArchiveFile } from './read-archive.ts'

export const MARKDOWN = /\.(?:md|markdown)$/i
/** Pages of other programs. They are pages only in an archive without Markdown; in others they are attached. */
export const HTML = /\.html?$/i
const PLAIN = /\.(?:html?|txt)$/i
const PAGE = /\.(?:md|markdown|html?|txt)$/i
/** The text of a folder, in other wikis. */
const FOLDER_TEXT = /^(?:readme|index)\.(?:md|markdown|html?)$/i
/** Notion puts the id of a page behind its name. */
const ID_OF_NOTION = / [0-9a-f]{32}$/

/** A text of the archive. */
export interface ReadText {
  body: string
  front: Partial<FrontMatter>
  /** Written by an export of this product. */
  isOurs: boolean
}

export interface PlannedPage {
  id: string
  /** Without the extension: the folder of its child pages. */
  folder: string
  parent: PlannedPage | undefined
  title: string
  order: number
  isTemplate: boolean
  body: string
  isOurs: boolean
  /** Addresses in it that a user wrote, and that name nothing of the archive. */
  written: ReadonlySet<string>
  /** Original names of its renamed files, by their name in the archive. */
  fileNames: ReadonlyMap<string, string>
  /** Path of its Markdown file; undefined for a folder without one. */
  path: string | undefined
  /** Order key; top-level pages get theirs when the tree is locked. */
  position: string
}

/**
 * The Markdown files of an archive, except attachments of a page. Those are in `Page/_files`, and `_files` itself is
 * not a page.
 */
export const textsAmong = (files: readonly ArchiveFile[]): ArchiveFile[] => {
  const paths = new Set(files.map(({ path }) => path))
  const texts = files.filter(({ path }) => {
    const folder = parentFolder(path)
    const hangs =
      lastPart(folder) === FILES_FOLDER && paths.has(`${parentFolder(folder)}.md`) && !paths.has(`${folder}.md`)
    return MARKDOWN.test(path) && !hangs
  })
  return texts.length > 0 ? texts : files.filter(({ path }) => PLAIN.test(path))
}

/** Defaults for a folder without a text. */
const NOTHING_READ = {
  isTemplate: false,
  body: '',
  isOurs: false,
  written: new Set<string>(),
  fileNames: new Map<string, string>(),
}

/** Makes a page of each Markdown file and of each folder that contains pages; parents precede children. */
export const planPages = (
  texts: ReadonlyMap<string, ReadText>,
): { pages: PlannedPage[]; skipped: { path: string; reason: string }[] } => {
  const byFolder = new Map<string, PlannedPage>()
  const skipped: { path: string; reason: string }[] = []
  const pageOf = (folder: string): PlannedPage => {
    const known = byFolder.get(folder)
    if (known) return known
    const parent = parentFolder(folder)
    const above = parent === '' ? undefined : pageOf(parent)
    const page = {
      id: newId('wik'),
      folder,
      parent: above,
      title: titleOf(lastPart(folder).replace(ID_OF_NOTION, '')),
      order: Number.POSITIVE_INFINITY,
    }
    const whole: PlannedPage = { ...page, ...NOTHING_READ, path: undefined, position: '' }
    byFolder.set(folder, whole)
    return whole
  }
  for (const [path, { body, front, isOurs }] of [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = folderOf(path, texts)
    if (folder.split('/').length > MAX_DEPTH) {
      skipped.push({ path, reason: `is nested deeper than ${MAX_DEPTH} levels` })
      continue
    }
    const page = pageOf(folder)
    Object.assign(page, {
      body,
      isOurs,
      path,
      title: titleOf(front.title ?? page.title),
      order: front.order ?? page.order,
      isTemplate: front.isTemplate ?? false,
      written: new Set(front.written),
      fileNames: front.fileNames ?? NOTHING_READ.fileNames,
    })
  }
  const pages = [...byFolder.values()]
  order(pages)
  return { pages: pages.toSorted((a, b) => depthOf(a) - depthOf(b)), skipped }
}

/** Counts the pages of these texts before any of them is read (finding T20). */
export const countPages = (files: readonly ArchiveFile[]): number => {
  const texts = new Map(files.map(({ path }): [string, ReadText] => [path, { body: '', front: {}, isOurs: false }]))
  const folders = new Set<string>()
  for (const path of texts.keys()) {
    const parts = folderOf(path, texts).split('/')
    if (parts.length > MAX_DEPTH) continue
    for (let depth = parts.length; depth > 0; depth--) folders.add(parts.slice(0, depth).join('/'))
  }
  return folders.size
}

/** `a/b.md` and `a/b/README.md` are the text of `a/b`. */
const folderOf = (path: string, texts: ReadonlyMap<string, ReadText>): string => {
  const parent = parentFolder(path)
  const isTaken = texts.has(`${parent}.md`) || texts.has(`${parent}.markdown`)
  return FOLDER_TEXT.test(lastPart(path)) && parent !== '' && !isTaken ? parent : path.replace(PAGE, '')
}

const parentFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const depthOf = ({ folder }: PlannedPage): number => folder.split('/').length

/** File names contain characters that titles must not, such as direction characters. */
const titleOf = (name: string): string =>
  parseLine([...name].slice(0, 200).join(''), 200) ??
  parseLine(name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 200), 200) ??
  'Untitled'

const order = (pages: readonly PlannedPage[]): void => {
  const names = new Intl.Collator('en', { numeric: true })
  for (const siblings of Map.groupBy(pages, ({ parent }) => parent).values()) {
    const sorted = siblings.toSorted((a, b) =>
      a.order === b.order ? names.compare(a.folder, b.folder) : a.order - b.order,
    )
    const keys = generateNKeysBetween(null, null, sorted.length)
    for (const [index, page] of sorted.entries()) page.position = keys[index] as string
  }
}

/** Pages whose title is unique in the archive. */
export const uniqueTitles = (pages: readonly PlannedPage[]): Set<string> => {
  const byTitle = Map.groupBy(pages, ({ title }) => titleKey(title))
  return new Set([...byTitle.values()].flatMap((same) => (same.length === 1 ? [(same[0] as PlannedPage).id] : [])))
}

/**
 * The page that each file is attached to: the first that refers to it, else that of its folder.
 *
 * @param named maps the path of a file to the first page that refers to it
 */
export const holdersOf = (
  files: readonly ArchiveFile[],
  pages: readonly PlannedPage[],
  named: ReadonlyMap<string, PlannedPage>,
): Map<string, PlannedPage> => {
  const byFolder = new Map(pages.map((page) => [page.folder, page]))
  const holders = new Map<string, PlannedPage>()
  for (const { path } of files) {
    const folder = parentFolder(path)
    const own = lastPart(folder) === FILES_FOLDER ? byFolder.get(parentFolder(folder)) : byFolder.get(folder)
    const holder = own && lastPart(folder) === FILES_FOLDER ? own : (named.get(path) ?? own)
    if (holder) holders.set(path, holder)
  }
  return holders
}
