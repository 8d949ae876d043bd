import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { copyFile, createFile, listTree, syncAll } from '../files.ts'
import { inNewDirectory } from '../new-directory.ts'
import type { Report, SocketSettings } from '../types.ts'
import { readBaseBackup } from './base-backup.ts'
import {
  DATABASE,
  type Facts,
  FILES,
  type FileEntry,
  formatManifest,
  MANIFEST,
  type Manifest,
  newManifest,
} from './manifest.ts'

export interface BackupOptions {
  settings: SocketSettings
  /** Directory of the files that belong to the database; it may be missing. */
  files: string
  /** A new directory. */
  target: string
  /** Called once the database has been copied. */
  facts(): Promise<Facts>
  report: Report
  /** Ends the backup and removes what it has written. */
  signal: AbortSignal
}

/** Names the listening process: Postgres copies it along, since its socket is in its directory. */
const SOCKET_LOCK = /^\.s\.PGSQL\.\d+\.lock$/

/**
 * Copies the running database and the files that belong to it into a new directory, which gets its name when everything
 * is on the disk. Contains everything that was committed before the start.
 *
 * @throws EmbeddedPostgresError if the target exists, or cannot be written
 */
export const makeBackup = (options: BackupOptions): Promise<Manifest> =>
  inNewDirectory({ target: options.target, outside: options.files, report: options.report }, (directory) =>
    fill(directory, options),
  )

const fill = async (
  directory: string,
  { settings, files, facts, report, signal }: BackupOptions,
): Promise<Manifest> => {
  const startedAt = new Date().toISOString()
  const contents = collect(directory, report)
  const copying = copyFiles(path.resolve(files), contents, report)
  await copying.copy(signal)
  contents.addDirectory(DATABASE)
  const { systemIdentifier, startLsn, endLsn } = await readBaseBackup(settings, contents.sink(DATABASE), signal)
  const found = await facts()
  const finishedAt = new Date().toISOString()
  // A file exists before the row that names it: with the files that arrived since, every row of the copy has its file.
  await copying.copy(signal)
  const manifest = newManifest({
    facts: found,
    systemIdentifier,
    startedAt,
    startLsn,
    finishedAt,
    endLsn,
    directories: contents.directories,
    files: [...contents.files.values()],
  })
  const file = createFile(path.join(directory, MANIFEST))
  file.write(Buffer.from(formatManifest(manifest)))
  file.close()
  const inside = (name: string) => path.join(directory, name)
  await syncAll(
    [inside(MANIFEST), ...[...contents.files.keys()].map(inside)],
    [...contents.directories.map(inside), directory],
  )
  signal.throwIfAborted()
  return manifest
}

/** Writes copied data below the backup's directory, and records it for the manifest. */
const collect = (root: string, report: BackupOptions['report']) => {
  const directories: string[] = []
  const files = new Map<string, FileEntry>()
  let copied = 0
  const count = (bytes: number) => {
    copied += bytes
    report({ bytes: copied, files: files.size })
  }
  const addDirectory = (name: string) => {
    mkdirSync(path.join(root, name), { mode: 0o700 })
    directories.push(name)
  }
  const sink = (below: string) => {
    let file: ReturnType<typeof createFile> | undefined
    let current = ''
    return {
      directory: (name: string) => addDirectory(path.posix.join(below, name)),
      begin: (name: string) => {
        current = path.posix.join(below, name)
        file = SOCKET_LOCK.test(name) ? undefined : createFile(path.join(root, current))
      },
      data: (bytes: Buffer) => {
        file?.write(bytes)
        count(bytes.length)
      },
      end: () => {
        if (file) files.set(current, { path: current, ...file.close() })
      },
    }
  }
  return { root, directories, files, addDirectory, sink, count }
}

type Contents = ReturnType<typeof collect>

/** Each call copies files that are new or changed since the last one. */
const copyFiles = (storage: string, contents: Contents, report: BackupOptions['report']) => {
  const seen = new Map<string, string>()
  const copyOne = (name: string) => {
    const from = path.join(storage, name)
    const { size, mtimeMs } = statSync(from)
    const state = `${size} ${mtimeMs}`
    if (seen.get(name) === state) return
    seen.set(name, state)
    const to = `${FILES}/${name}`
    rmSync(path.join(contents.root, to), { force: true })
    const written = copyFile(from, path.join(contents.root, to))
    contents.files.set(to, { path: to, ...written })
    contents.count(written.bytes)
  }
  return {
    copy: async (signal: AbortSignal): Promise<void> => {
      if (!contents.directories.includes(FILES)) contents.addDirectory(FILES)
      if (!existsSync(storage)) return
      const tree = listTree(storage)
      for (const name of tree.directories)
        if (!contents.directories.includes(`${FILES}/${name}`)) contents.addDirectory(`${FILES}/${name}`)
      for (const name of tree.others)
        if (!seen.has(name)) report(`left out, since it is neither file nor directory: ${path.join(storage, name)}`)
      for (const name of tree.others) seen.set(name, '')
      for (const name of tree.files) {
        try {
          copyOne(name)
        } catch (error) {
          // Deleted between being listed and being read.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
          if (!existsSync(path.join(contents.root, FILES, name))) contents.files.delete(`${FILES}/${name}`)
        }
        await nextTurn()
        signal.throwIfAborted()
      }
    },
  }
}
