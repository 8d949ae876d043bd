import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { listFilesOfAll } from '../../files/files.queries.ts'
import { openStoredFile } from '../../files/files.service.ts'
import { listTexts, listTree, type PageRow } from '../pages/pages.queries.ts'
import { depthFirst } from '../pages/tree/list-tree.ts'
import type { LinkedPage } from '../text/archive-task.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { listTargets } from './archive.queries.ts'
import {
  EXPORT_NOTE,
  FILES_FOLDER,
  fileNameOf,
  lastPart,
  relativePath,
  resolvePath,
  splitFileName,
  TakenNames,
  toAddress,
} from './file-names.ts'
import { withFrontMatter } from './front-matter.ts'
import { EXPORT_COMMENT, whyTooLarge } from './read-archive.ts'

const TEXTS_AT_ONCE = 50
/** Overhead per entry of a ZIP, without its path, which occurs twice. */
const HEADER_BYTES = 150

interface Entry {
  page: PageRow
  /** Path of its Markdown file in the archive. */
  path: string
  /** Among the pages of its folder. */
  order: number
  files: { id: string; path: string; fileName: string }[]
}

type Reader = Pick<Writer, 'db' | 'config' | 'log' | 'change' | 'storage'>

/**
 * Streams a ZIP of the pages of one tree: a large one is never in memory as a whole.
 *
 * @throws ApiError NOT_FOUND for a hidden engagement
 */
export const exportWikiPages = async (
  reader: Reader,
  texts: PageTexts,
  { organizationId }: Actor,
  engagementId: string | undefined,
  max: number,
) => {
  const { db } = reader
  if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const pages = depthFirst(await listTree(db, organizationId, engagementId ?? null, max))
  const ids = pages.map(({ id }) => id)
  const entries = entriesOf(pages, await listFilesOfAll(db, organizationId, 'page', ids))
  return zipped((zip, signal) => write(zip, reader, texts, organizationId, entries, signal))
}

const entriesOf = (pages: readonly PageRow[], files: Awaited<ReturnType<typeof listFilesOfAll>>): Entry[] => {
  const folders = new Map<string | null, { path: string; names: TakenNames; count: number }>([
    [null, { path: '', names: new TakenNames(), count: 0 }],
  ])
  const filesOf = Map.groupBy(files, ({ owner_id }) => owner_id)
  return pages.map((page) => {
    const folder = folders.get(page.parent_id) as { path: string; names: TakenNames; count: number }
    // The folder of the child pages has the same name without the extension.
    const base = folder.path + folder.names.take(fileNameOf(page.title), ['.md', ''])
    folders.set(page.id, { path: `${base}/`, names: new TakenNames(), count: 0 })
    const names = new TakenNames()
    const own = (filesOf.get(page.id) ?? []).map(({ id, file_name: fileName }) => {
      const { name, ending } = splitFileName(fileName)
      return { id, fileName, path: `${base}/${FILES_FOLDER}/${names.take(name, [ending])}${ending}` }
    })
    return { page, path: `${base}.md`, order: folder.count++, files: own }
  })
}

/** The bytes of a ZIP while it is written. */
async function* zipped(write: (zip: ZipFile, signal: AbortSignal) => Promise<void>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  zip.on('error', (error) => output.destroy(error as Error))
  const stop = new AbortController()
  write(zip, stop.signal).catch((error: unknown) => output.destroy(error as Error))
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    stop.abort()
  }
}

/** Omits pages that were deleted since the tree was read; the last entry lists them. */
const write = async (
  zip: ZipFile,
  reader: Reader,
  texts: PageTexts,
  organizationId: string,
  entries: readonly Entry[],
  signal: AbortSignal,
) => {
  const missing: string[] = []
  const size = { entries: 0, bytes: 0, textBytes: 0 }
  const add = async (path: string, updatedAt: string, stream: Readable, bytes: number): Promise<void> => {
    size.entries++
    size.bytes += HEADER_BYTES + 2 * Buffer.byteLength(path) + bytes
    // Stored without compression: an import refuses what unpacks to a hundred times its size, such as a page that
    // repeats one letter.
    zip.addReadStream(stream, path, { mtime: new Date(updatedAt), mode: 0o100_644, compress: false })
    try {
      await finished(stream, { signal })
    } finally {
      stream.destroy()
    }
  }
  const readText = textReader(reader, texts, organizationId, entries)
  for (const [index, { path, page, files }] of entries.entries()) {
    const text = await readText(index)
    if (text) {
      size.textBytes += text.length
      await add(path, page.updated_at, Readable.from([text], { objectMode: false }), text.length)
    } else missing.push(path)
    for (const file of files) {
      const stored = await openUnlessGone(reader, organizationId, page.id, file.id)
      // `add` waits for its end, and receives its errors.
      if (stored)
        await add(
          file.path,
          page.updated_at,
          stored.file.createReadStream().on('error', () => undefined),
          stored.row.size,
        )
      else missing.push(file.path)
    }
  }
  const tooLarge = whyTooLarge(size)
  const lines = [
    ...missing.map(
      (path) => `${path} is missing: it was deleted, or could not be read, while this export was written.`,
    ),
    ...(tooLarge === undefined ? [] : [`This export is too large for one import. ${tooLarge}`]),
  ]
  if (lines.length > 0)
    zip.addBuffer(Buffer.from(`${lines.join('\n')}\n`), EXPORT_NOTE, { mode: 0o100_644, compress: false })
  zip.end({ comment: EXPORT_COMMENT, forceZip64Format: false })
}

/**
 * @returns undefined for a file that was deleted or is missing on disk, so that the export continues with the others
 */
const openUnlessGone = async (reader: Reader, organizationId: string, pageId: string, fileId: string) => {
  try {
    return await openStoredFile(reader, organizationId, { type: 'page', id: pageId }, fileId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 'NOT_FOUND')
      reader.log.error({ err: error, file: fileId }, 'a file could not be read for an export')
    return undefined
  }
}

/** Reads the texts in their order, in batches. @returns the Markdown file of an entry; undefined if the page is gone */
const textReader = ({ db, change }: Reader, texts: PageTexts, organizationId: string, entries: readonly Entry[]) => {
  const pathOf = new Map(entries.map(({ page, path }) => [page.id, { path, title: page.title }]))
  const paths = new Set(entries.flatMap(({ path, files }) => [path, ...files.map((file) => file.path)]))
  let first = -1
  let bodies = new Map<string, string>()
  let targets = new Map<string, { reference: string; target_id: string }[]>()
  return async (index: number): Promise<Buffer | undefined> => {
    if (first < 0 || index >= first + TEXTS_AT_ONCE) {
      first = index
      // Checks the permission again for each batch: a long export ends when it is revoked.
      await change(async () => undefined)
      const ids = entries.slice(index, index + TEXTS_AT_ONCE).map(({ page }) => page.id)
      bodies = await listTexts(db, organizationId, ids)
      targets = Map.groupBy(await listTargets(db, organizationId, ids), ({ page_id }) => page_id)
    }
    const { page, path, order, files } = entries[index] as Entry
    const body = bodies.get(page.id)
    if (body === undefined) return undefined
    const pages = new Map<string, LinkedPage>()
    for (const { reference, target_id } of targets.get(page.id) ?? []) {
      const target = pathOf.get(target_id)
      if (target) pages.set(reference, { title: target.title, address: toAddress(relativePath(path, target.path)) })
    }
    const addresses = new Map(files.map((file) => [file.id, toAddress(relativePath(path, file.path))]))
    const { text, written } = await texts.toArchive(organizationId, { body, pages, files: addresses })
    const front = {
      title: page.title,
      order,
      isTemplate: page.is_template,
      written: written.filter((address) => paths.has(resolvePath(path, address) ?? '')),
      fileNames: new Map(
        files.flatMap((file) => (lastPart(file.path) === file.fileName ? [] : [[lastPart(file.path), file.fileName]])),
      ),
    }
    return Buffer.from(withFrontMatter(front, text))
  }
}
