import { Readable } from 'node:stream'
import { MAX_PAGE_BODY } from '@sortie/contract/wiki/wiki.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { isRolledBack } from '../../../platform/database/connection/failures.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { recheckAfterUpload } from '../../../platform/files/read-upload.ts'
import { newId } from '../../../platform/ids.ts'
import { isStorable } from '../../../platform/text/text.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { requireWritable } from '../../engagements/locks.service.ts'
import { type NewFile, storeFile } from '../../files/storage/unpacked-files.service.ts'
import { requirePageQuota } from '../pages/pages.service.ts'
import { titleOfHtml } from '../text/html-to-markdown.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { ArchiveLinks } from './archive-links.ts'
import { isLeftover, lastPart } from './file-names.ts'
import { readFrontMatter } from './front-matter.ts'
import { insertImported } from './insert-imported.service.ts'
import { withInnerArchives } from './nested.ts'
import {
  countPages,
  holdersOf,
  HTML,
  type PlannedPage,
  planPages,
  type ReadText,
  textsAmong,
  uniqueTitles,
} from './plan.ts'
import {
  type Archive,
  type ArchiveFile,
  DamagedEntry,
  MAX_TEXT_BYTES,
  MAX_UNPACKED_BYTES,
  openArchive,
} from './read-archive.ts'

export interface Imported {
  pages: number
  files: number
  skipped: { path: string; reason: string }[]
}

/**
 * Adds the pages of a ZIP to a tree, all of them or none.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived engagement or a full tree, BAD_REQUEST for a body that is too
 *   large, VALIDATION_ERROR for a ZIP that is refused
 */
export const importWikiPages = async (
  writer: Writer,
  texts: PageTexts,
  actor: Actor,
  engagementId: string | null,
  body: Readable,
): Promise<Imported> => {
  const { storage, db } = writer
  const { organizationId } = actor
  if (engagementId !== null) {
    const engagement = await findEngagement(db, organizationId, engagementId)
    if (!engagement) throw notFound()
    requireWritable(engagement)
  }
  // Has no row: after a crash, the cleaning job deletes it like any unreferenced file.
  const uploaded = await storage.scratch({ organizationId, fileId: newId('fil') }, body, {
    maxBytes: MAX_UNPACKED_BYTES,
    refusal: () => invalid('The ZIP is larger than 200 MiB.'),
  })
  try {
    await recheckAfterUpload(writer)
    const archive = await withInnerArchives(writer, actor, await openArchive(uploaded.path, uploaded.size))
    try {
      return await addPages(writer, texts, actor, engagementId, archive)
    } finally {
      archive.close()
    }
  } finally {
    await uploaded.release()
  }
}

const addPages = async (
  writer: Writer,
  texts: PageTexts,
  actor: Actor,
  engagementId: string | null,
  archive: Archive,
): Promise<Imported> => {
  const wanted = archive.files.filter(({ path }) => !isLeftover(path))
  const leftovers = archive.files
    .filter(({ path }) => isLeftover(path))
    .map(({ path }) => ({ path, reason: 'is neither a page nor a file of a page' }))
  const textFiles = new Set(textsAmong(wanted))
  await requirePageQuota(writer.db, writer, actor.organizationId, engagementId, countPages([...textFiles]))
  const read = await readTexts(archive, [...textFiles], (html) => texts.htmlToMarkdown(actor.organizationId, html))
  const { pages, skipped: tooDeep } = planPages(read.texts)
  const others = wanted.filter((file) => !textFiles.has(file))
  const links = new ArchiveLinks(wanted.map(({ path }) => path))
  const holders = holdersOf(others, pages, await findNamed(texts, actor.organizationId, pages, links))
  const stored: (NewFile & { ownerId: string; path: string })[] = []
  const skipped = [...archive.skipped, ...leftovers, ...read.skipped, ...tooDeep]
  try {
    for (const file of others) {
      const holder = holders.get(file.path)
      const outcome = holder ? await storeOne(writer, actor, archive, file, holder) : 'belongs to no page'
      if (typeof outcome === 'string') skipped.push({ path: file.path, reason: outcome })
      else stored.push({ ...outcome, path: file.path })
    }
    const byPath = new Map(pages.flatMap((page) => (page.path === undefined ? [] : [[page.path, page] as const])))
    const fileIds = new Map(stored.map(({ path, id }) => [path, id]))
    const unique = uniqueTitles(pages)
    const prepared = []
    for (const page of pages) {
      // Resolved again instead of kept: the links of all texts together may take more memory than the texts.
      const linked = links.of(page, await texts.addressesIn(actor.organizationId, page.body), byPath, fileIds, unique)
      prepared.push({
        page,
        text: await texts.fromArchive(actor.organizationId, { title: page.title, body: page.body, links: linked }),
      })
    }
    if (pages.length > 0) await insertImported(writer, actor, engagementId, prepared, stored)
  } catch (error) {
    // If the rows may be stored after all, the files stay; files without rows are deleted by the hourly job.
    if (isRolledBack(error)) for (const { place } of stored) await writer.storage.discard(place)
    throw error
  }
  return { pages: pages.length, files: stored.length, skipped }
}

/** Maps the path of each referenced file to the first page that refers to it. */
const findNamed = async (
  texts: PageTexts,
  organizationId: string,
  pages: readonly PlannedPage[],
  links: ArchiveLinks,
): Promise<Map<string, PlannedPage>> => {
  const named = new Map<string, PlannedPage>()
  for (const page of pages) {
    for (const address of await texts.addressesIn(organizationId, page.body)) {
      const path = links.resolve(page, address)
      if (path !== undefined && !named.has(path)) named.set(path, page)
    }
  }
  return named
}

type Convert = (html: string) => Promise<string>

const readTexts = async (archive: Archive, files: readonly ArchiveFile[], convert: Convert) => {
  const texts = new Map<string, ReadText>()
  const skipped: Imported['skipped'] = []
  let left = MAX_TEXT_BYTES
  for (const file of files) {
    left -= file.entry.uncompressedSize
    if (left < 0) throw invalid(`The ZIP has more than ${MAX_TEXT_BYTES / 1024 / 1024} MiB of text.`)
    const text = await readText(archive, file, convert)
    if (typeof text === 'string') skipped.push({ path: file.path, reason: text })
    else texts.set(file.path, text)
  }
  return { texts, skipped }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** UTF-8, UTF-16 with its mark, or else Windows-1252, in which older editors write. */
const decodedText = (bytes: Buffer): string | undefined => {
  const [a, b] = bytes
  const wide = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : undefined
  try {
    return wide === undefined ? utf8.decode(bytes) : new TextDecoder(wide, { fatal: true }).decode(bytes)
  } catch {
    return wide === undefined ? new TextDecoder('windows-1252').decode(bytes) : undefined
  }
}

/** Control characters that no editor writes. */
const BINARY = /[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/

/** @returns a string with the reason if it is skipped */
const readText = async (archive: Archive, file: ArchiveFile, convert: Convert): Promise<ReadText | string> => {
  const bytes = await unlessDamaged(() => allBytes(archive.open(file)))
  if (typeof bytes === 'string') return bytes
  const text = decodedText(bytes)
  if (text === undefined) return 'is not text'
  if (!isStorable(text)) return 'has a NUL character'
  if (BINARY.test(text)) return 'is not text'
  const title = HTML.test(file.path) ? titleOfHtml(text) : undefined
  const read = HTML.test(file.path)
    ? { body: await convert(text), front: title === undefined ? {} : { title }, isOurs: false }
    : readFrontMatter(text)
  return read.body.length > 2 * MAX_PAGE_BODY || [...read.body].length > MAX_PAGE_BODY
    ? `has more than ${MAX_PAGE_BODY} characters`
    : read
}

const allBytes = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

/** @returns a string with the reason if it is skipped */
const storeOne = async (writer: Writer, actor: Actor, archive: Archive, file: ArchiveFile, holder: PlannedPage) => {
  if (file.entry.uncompressedSize === 0) return 'is empty'
  const name = lastPart(file.path)
  const bytes = Readable.from(archive.open(file), { objectMode: false })
  const stored = await unlessDamaged(() => storeFile(writer, actor, holder.fileNames.get(name) ?? name, bytes))
  return typeof stored === 'string' ? stored : { ...stored, ownerId: holder.id }
}

const unlessDamaged = async <T>(work: () => Promise<T>): Promise<T | string> => {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof DamagedEntry ? error.cause : error
    if (cause instanceof DamagedEntry) return cause.message
    throw error
  }
}
