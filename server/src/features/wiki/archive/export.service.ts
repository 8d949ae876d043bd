import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Actor } from '../../../platform/auth/actor.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Writer } from '../../../platform/http/context.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { listFilesOfAll } from '../../files/files.queries.ts'
import { openStoredFile } from '../../files/files.service.ts'
import { depthFirst } from '../pages/list-tree.ts'
import { listTree, type PageRow } from '../pages/pages.queries.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { listTargets, listTexts } from './archive.queries.ts'
import { FILES_FOLDER, fileNameOf, relativePath, TakenNames, toAddress } from './file-names.ts'
import { withFrontMatter } from './front-matter.ts'

const TEXTS_AT_ONCE = 50

interface Entry {
  page: PageRow
  /** Of its Markdown file, in the archive. */
  path: string
  /** Among the pages of its folder. */
  order: number
  files: { id: string; path: string }[]
}

type Reader = Pick<Writer, 'db' | 'config'>

/**
 * A ZIP of the pages of one tree, made while it is sent: a long one is never whole in memory.
 *
 * @throws ApiError NOT_FOUND for an engagement that is not seen
 */
export const exportWikiPages = async (reader: Reader, texts: PageTexts, { organizationId }: Actor, engagementId: string | undefined, max: number) => {
  const { db } = reader
  if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const pages = depthFirst(await listTree(db, organizationId, engagementId ?? null, max))
  const files = await listFilesOfAll(
    db,
    organizationId,
    'page',
    pages.map(({ id }) => id),
  )
  return zipped(reader, texts, organizationId, entriesOf(pages, files))
}

const entriesOf = (pages: readonly PageRow[], files: Awaited<ReturnType<typeof listFilesOfAll>>): Entry[] => {
  const folders = new Map<string | null, { path: string; names: TakenNames; count: number }>([[null, { path: '', names: new TakenNames(), count: 0 }]])
  const filesOf = Map.groupBy(files, ({ owner_id }) => owner_id)
  return pages.map((page) => {
    const folder = folders.get(page.parent_id) as { path: string; names: TakenNames; count: number }
    const base = folder.path + folder.names.take(fileNameOf(page.title))
    folders.set(page.id, { path: `${base}/`, names: new TakenNames(), count: 0 })
    const names = new TakenNames()
    const own = (filesOf.get(page.id) ?? []).map(({ id, file_name }) => ({ id, path: `${base}/${FILES_FOLDER}/${nameOfFile(names, file_name)}` }))
    return { page, path: `${base}.md`, order: folder.count++, files: own }
  })
}

const MAX_FILE_NAME = 80

const nameOfFile = (names: TakenNames, fileName: string): string => {
  const [, name, ending] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/su.exec(fileNameOf(fileName, MAX_FILE_NAME)) as unknown as [string, string, string | undefined]
  return names.take(name || 'file', ending ?? '')
}

async function* zipped(reader: Reader, texts: PageTexts, organizationId: string, entries: readonly Entry[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  zip.on('error', (error) => output.destroy(error as Error))
  const read = textReader(reader, texts, organizationId, entries)
  for (const [index, { path, page, files }] of entries.entries()) {
    addLazily(zip, path, new Date(page.updated_at), async () => Readable.from([await read(index)], { objectMode: false }))
    for (const file of files) {
      addLazily(zip, file.path, new Date(page.updated_at), async () => {
        const stored = await openStoredFile(reader, organizationId, { type: 'page', id: page.id }, file.id)
        return stored.file.createReadStream()
      })
    }
  }
  zip.end()
  yield* output as AsyncIterable<Uint8Array>
}

/**
 * Each entry is opened when those before it were sent. Nothing is packed: what unpacks to a hundred times its size is refused
 * by every import, and a page of one letter would.
 */
const addLazily = (zip: ZipFile, path: string, mtime: Date, open: () => Promise<Readable>): void =>
  zip.addReadStreamLazy(path, { mtime, mode: 0o100_644, compress: false }, (done) => {
    open().then(
      // oxlint-disable-next-line promise/no-callback-in-promise -- yazl opens an entry with a callback alone
      (stream) => done(null, stream),
      // oxlint-disable-next-line promise/no-callback-in-promise -- yazl opens an entry with a callback alone
      (error: unknown) => done(error, undefined as never),
    )
  })

/** Reads the texts in their order, some at a time. @returns the Markdown file of an entry */
const textReader = ({ db }: Reader, texts: PageTexts, organizationId: string, entries: readonly Entry[]) => {
  const pathOf = new Map(entries.map(({ page, path }) => [page.id, { path, title: page.title }]))
  let first = -1
  let bodies = new Map<string, string>()
  let targets = new Map<string, { reference: string; target_id: string }[]>()
  return async (index: number): Promise<Buffer> => {
    if (first < 0 || index >= first + TEXTS_AT_ONCE) {
      first = index
      const ids = entries.slice(index, index + TEXTS_AT_ONCE).map(({ page }) => page.id)
      bodies = await listTexts(db, organizationId, ids)
      targets = Map.groupBy(await listTargets(db, organizationId, ids), ({ page_id }) => page_id)
    }
    const { page, path, order, files } = entries[index] as Entry
    const linked = (targets.get(page.id) ?? []).flatMap(({ reference, target_id }) => {
      const target = pathOf.get(target_id)
      return target ? [[reference, { title: target.title, address: toAddress(relativePath(path, target.path)) }] as const] : []
    })
    const body = await texts.toArchive({
      // Deleted since the list was read: its file says so by being empty.
      body: bodies.get(page.id) ?? '',
      pages: Object.fromEntries(linked),
      files: Object.fromEntries(files.map((file) => [file.id, toAddress(relativePath(path, file.path))])),
    })
    return Buffer.from(withFrontMatter({ title: page.title, order, isTemplate: page.is_template }, body))
  }
}
