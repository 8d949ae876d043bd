import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { copyFile, createFile, syncAll } from '@sortie/embedded-postgres/files.ts'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import type pg from 'pg'
import { ConfigurationError } from '../../../platform/errors.ts'
import { relativePath } from '../../../platform/files/directory/receive.ts'
import { storedFiles } from '../../../platform/files/directory/stored-files.ts'
import { PARTIAL, type Storage } from '../../../platform/files/storage.ts'
import { FILES, type ListedFile } from '../manifest.ts'
import { STORAGE_MARK } from '../storage-mark.ts'

/** Rows that are read, and files that are synced, together. */
const PAGE = 1_000

interface FileRow {
  id: string
  organization_id: string
  bytes: string
  sha256: string
}

export interface FileDump {
  /** Copies the files that are not in the backup yet. Called before the snapshot, so that the snapshot stays short. */
  copyNew(client: pg.Client): Promise<void>
  /**
   * The files of the snapshot in pages, each file in the backup.
   *
   * @throws VanishedFile if one was deleted, with its row, since the snapshot: another snapshot is needed
   */
  list(snapshot: pg.Client, now: pg.Client): AsyncGenerator<ListedFile[]>
  /** Removes files from the backup whose rows were deleted before the snapshot. */
  prune(snapshot: pg.Client): Promise<void>
  sync(): Promise<void>
  totals: { bytes: number; stored: number; missing: number; damaged: number }
}

export class VanishedFile extends Error {}

/** Copies the files that rows name out of the storage. A file never changes, and exists before its row does. */
export const createFileDump = (storage: Storage, backup: string, report: Report, signal: AbortSignal): FileDump => {
  const root = path.join(backup, FILES)
  const directories = new Set([root])
  const damaged = new Map<string, { bytes: number; sha256: string }>()
  const totals = { bytes: 0, stored: 0, missing: 0, damaged: 0 }
  let copied = 0
  let copiedBytes = 0
  mkdirSync(root, { mode: 0o700 })

  const makeWayTo = (name: string): string => {
    const to = path.join(root, name)
    for (const directory of [path.dirname(path.dirname(to)), path.dirname(to)]) {
      if (directories.has(directory) || directory.length < root.length) continue
      mkdirSync(directory, { mode: 0o700 })
      directories.add(directory)
    }
    return to
  }
  const copyRow = async (row: FileRow): Promise<'copied' | 'present' | 'missing'> => {
    const name = nameOf(row)
    if (existsSync(path.join(root, name))) return 'present'
    try {
      const written = await copyOut(storage, row, name, () => makeWayTo(name))
      if (!written) return 'missing'
      if (written.bytes !== Number(row.bytes) || written.sha256 !== row.sha256) damaged.set(row.id, written)
      report({ bytes: (copiedBytes += written.bytes), files: ++copied })
      return 'copied'
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return 'missing'
    }
  }
  const copyPage = async (rows: readonly FileRow[]) => {
    const missing = new Set<string>()
    const written: string[] = []
    for (const row of rows) {
      const outcome = await copyRow(row)
      if (outcome === 'missing') missing.add(row.id)
      if (outcome === 'copied') written.push(path.join(root, nameOf(row)))
      await nextTurn()
      signal.throwIfAborted()
    }
    await syncAll(written, [])
    return missing
  }
  const copyAdjacent = async (): Promise<ListedFile[]> => {
    const listed = namesBeside(storage).map((name) => {
      rmSync(path.join(root, name), { force: true })
      return { path: name, ...copyFile(path.join(storage.name, name), makeWayTo(name)) }
    })
    await syncAll(
      listed.map((file) => path.join(root, file.path)),
      [],
    )
    return listed
  }
  const listed = (row: FileRow, isMissing: boolean): ListedFile => {
    const found = damaged.get(row.id)
    const file = { path: nameOf(row), bytes: Number(row.bytes), sha256: row.sha256, ...found }
    totals.stored++
    if (isMissing) {
      totals.missing++
      return { ...file, problem: 'missing' }
    }
    totals.bytes += file.bytes
    if (!found) return file
    totals.damaged++
    return { ...file, problem: 'damaged' }
  }
  async function* list(snapshot: pg.Client, now: pg.Client): AsyncGenerator<ListedFile[]> {
    Object.assign(totals, { bytes: 0, stored: 0, missing: 0, damaged: 0 })
    for await (const rows of fileRows(snapshot)) {
      const missing = await copyPage(rows)
      if (missing.size > 0) await requireRows(now, [...missing])
      yield rows.map((row) => listed(row, missing.has(row.id)))
    }
    const adjacent = await copyAdjacent()
    totals.bytes += adjacent.reduce((sum, { bytes }) => sum + bytes, 0)
    yield adjacent
  }
  return {
    totals,
    list,
    copyNew: async (client) => {
      await client.query('begin')
      for await (const rows of fileRows(client)) await copyPage(rows)
      await client.query('commit')
    },
    prune: async (snapshot) => {
      for await (const files of storedFiles(root, PAGE)) {
        const { rows } = await snapshot.query<{ id: string }>('select id from files where id = any ($1)', [
          files.map(({ fileId }) => fileId),
        ])
        const named = new Set(rows.map(({ id }) => id))
        for (const file of files) if (!named.has(file.fileId)) rmSync(file.path)
      }
    },
    sync: () => syncAll([], [...directories].toReversed()),
  }
}

const nameOf = ({ organization_id: organizationId, id: fileId }: FileRow): string =>
  relativePath({ organizationId, fileId })

/** @returns undefined if a bucket has no such file. @throws ENOENT if a directory has none */
const copyOut = async (
  storage: Storage,
  { organization_id: organizationId, id: fileId }: FileRow,
  name: string,
  makeWay: () => string,
): Promise<{ bytes: number; sha256: string } | undefined> => {
  if (storage.kind === 'directory') return copyFile(path.join(storage.name, name), makeWay())
  const opened = await storage.open({ organizationId, fileId })
  if (!opened) return undefined
  const target = createFile(makeWay())
  for await (const piece of opened.createReadStream() as AsyncIterable<Buffer>) target.write(piece)
  return target.close()
}

/** Within a transaction. */
async function* fileRows(client: pg.Client): AsyncGenerator<FileRow[]> {
  await client.query(
    'declare file_rows no scroll cursor for select id, organization_id, size::text as bytes, sha256 from files',
  )
  for (;;) {
    const { rows } = await client.query<FileRow>(`fetch ${PAGE} from file_rows`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close file_rows')
}

/** @throws VanishedFile when one of these rows was deleted since the snapshot, and its file with it */
const requireRows = async (now: pg.Client, ids: readonly string[]): Promise<void> => {
  const { rows } = await now.query('select from files where id = any ($1)', [ids])
  if (rows.length < ids.length) throw new VanishedFile()
}

/** Files directly in the directory of files, which are not uploads: uploads are in directories below it. */
const namesBeside = ({ kind, name: directory }: Storage): string[] => {
  if (kind !== 'directory') return []
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          /^[\w.-]+$/.test(entry.name) &&
          entry.name !== STORAGE_MARK &&
          !entry.name.endsWith(PARTIAL),
      )
      .map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** With fewer files, all of them may really have been lost. */
const TELLING_FILES = 10

/** @throws ConfigurationError when the storage has none of the files: it is the wrong one, or not mounted */
export const requireStorage = async (storage: Storage, { stored, missing }: FileDump['totals']): Promise<void> => {
  if (stored === 0 || missing < stored) return
  const isEmpty = (await storage.findAnything([])) === undefined
  if (isEmpty || stored >= TELLING_FILES) {
    throw new ConfigurationError([
      `${storage.setting}: ${storage.name} has none of the ${stored} files that the database names: is it the right ${storage.kind}${storage.kind === 'directory' ? ', and is it mounted' : ''}?`,
    ])
  }
}
