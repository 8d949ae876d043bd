import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startEmbedded } from '../database/embedded.ts'
import { chooseIdentity } from '../database/embedded-binaries.ts'
import { RESTORE_MARK } from '../database/restore-mark.ts'
import { ConfigurationError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { copyFile, listTree, syncAll } from './files.ts'
import { DATABASE, FILES, type Manifest } from './manifest.ts'

export interface RestoreOptions {
  backup: string
  manifest: Manifest
  dataDir: string
  storagePath: string
  report(progress: { bytes: number; files: number } | string): void
  signal: AbortSignal
  log: Logger
}

/** What is known of a restore while it is not complete. */
interface Mark {
  pid: number
  storagePath: string
}

/** Where the Postgres directory grows until it is whole. */
const GROWING = 'postgres.restoring'

/**
 * Puts a backup into empty directories and then runs `complete` on it; no server starts on them before that has returned.
 * Killed at any point, the next restore into the same directory begins anew. A failure leaves the directories empty.
 *
 * @throws ConfigurationError when a directory is not empty or in use, or when the backup is damaged
 */
export const restoreBackup = async (options: RestoreOptions, complete: () => Promise<void>): Promise<void> => {
  const { dataDir, storagePath, log } = options
  const mark = path.join(dataDir, RESTORE_MARK)
  mkdirSync(dataDir, { recursive: true })
  await begin(mark, options)
  try {
    await copyBack(options)
    await complete()
  } catch (error) {
    await removeRestored(dataDir, storagePath, log)
    rmSync(mark)
    throw error
  }
  rmSync(mark)
  await syncAll([], [dataDir])
}

/** Marks the directory as taken; of two restores at the same moment one is refused. */
const begin = async (mark: string, { dataDir, storagePath, report, log }: RestoreOptions) => {
  const own: Mark = { pid: process.pid, storagePath: path.resolve(storagePath) }
  const interrupted = existsSync(mark) ? readMark(mark) : undefined
  if (interrupted) {
    if (isAlive(interrupted.pid)) {
      throw new ConfigurationError([
        `DATA_DIR: another restore into ${dataDir} is under way (process ${interrupted.pid}); if that process is another program, remove all that lies in ${dataDir}`,
      ])
    }
    report('an earlier restore was interrupted: what it left is removed, and the restore begins anew')
    await removeRestored(dataDir, interrupted.storagePath, log)
    rmSync(mark)
  }
  // Only a directory that was seen empty is ever marked: what lies in a marked one may be removed.
  requireEmpty(dataDir, storagePath)
  try {
    writeFileSync(mark, JSON.stringify(own), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ConfigurationError([`DATA_DIR: another restore into ${dataDir} is under way`])
    throw error
  }
  await syncAll([mark], [dataDir])
  try {
    // Whoever came in between did not see the mark.
    requireEmpty(dataDir, storagePath)
  } catch (error) {
    rmSync(mark)
    throw error
  }
}

const readMark = (mark: string): Mark | undefined => {
  try {
    return JSON.parse(readFileSync(mark, 'utf8')) as Mark
  } catch {
    // Killed before the mark was written: nothing else was begun.
    rmSync(mark, { force: true })
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** STORAGE_PATH may lie within DATA_DIR; nothing else may be there. */
const requireEmpty = (dataDir: string, storagePath: string) => {
  const storage = path.resolve(storagePath)
  if (existsSync(path.join(dataDir, 'postgres/postmaster.pid'))) {
    throw new ConfigurationError([`DATA_DIR: a server runs on ${dataDir}, or was killed there; a restore needs an empty directory`])
  }
  const isOnTheWay = (directory: string) => storage === directory || storage.startsWith(`${directory}${path.sep}`)
  const { directories, files, others } = listTree(dataDir)
  const inTheWay = [...files, ...others].find((name) => name !== RESTORE_MARK) ?? directories.find((name) => !isOnTheWay(path.resolve(dataDir, name)))
  if (inTheWay !== undefined) throw new ConfigurationError([`DATA_DIR: ${dataDir} is not empty, it holds ${inTheWay}; a restore needs an empty directory`])
  if (existsSync(storage) && readdirSync(storage).length > 0) {
    throw new ConfigurationError([`STORAGE_PATH: ${storagePath} is not empty; a restore needs an empty directory`])
  }
}

/** Undoes what a restore did, and nothing else: both directories were empty before it. */
const removeRestored = async (dataDir: string, storagePath: string, log: Logger) => {
  const postgres = path.join(dataDir, 'postgres')
  // A Postgres that the killed restore started goes on running.
  if (existsSync(path.join(postgres, 'postmaster.pid'))) await (await startEmbedded(dataDir, log, 1, true)).stop()
  for (const name of ['postgres', GROWING, 'postgres.log']) rmSync(path.join(dataDir, name), { recursive: true, force: true })
  if (!existsSync(storagePath)) return
  for (const name of readdirSync(storagePath)) rmSync(path.join(storagePath, name), { recursive: true, force: true })
}

const copyBack = async ({ backup, manifest, dataDir, storagePath, report, signal }: RestoreOptions) => {
  const growing = path.join(dataDir, GROWING)
  const storage = path.resolve(storagePath)
  const roots: readonly [name: string, directory: string][] = [
    [DATABASE, growing],
    [FILES, storage],
  ]
  const place = (name: string): string => {
    const [part, directory] = roots.find(([root]) => name === root || name.startsWith(`${root}/`)) as [string, string]
    return path.join(directory, name.slice(part.length + 1))
  }
  const owner = chooseIdentity(growing)
  const own = (name: string, target: string) => {
    if (owner && name.startsWith(DATABASE)) chownSync(target, owner.uid, owner.gid)
  }
  for (const name of manifest.directories) {
    const target = place(name)
    mkdirSync(target, { recursive: true, mode: 0o700 })
    if (target.startsWith(growing)) chmodSync(target, 0o700)
    own(name, target)
  }
  let bytes = 0
  for (const [index, entry] of manifest.files.entries()) {
    const target = place(entry.path)
    requireSame(backup, entry, readBack(path.join(backup, entry.path), target))
    own(entry.path, target)
    report({ bytes: (bytes += entry.bytes), files: index + 1 })
    await nextTurn()
    signal.throwIfAborted()
  }
  await syncAll(
    manifest.files.map((entry) => place(entry.path)),
    manifest.directories.map(place),
  )
  renameSync(growing, path.join(dataDir, 'postgres'))
  await syncAll([], [dataDir])
}

const readBack = (from: string, to: string) => {
  try {
    return copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const requireSame = (backup: string, entry: Manifest['files'][number], read: ReturnType<typeof copyFile> | undefined) => {
  const name = path.join(backup, entry.path)
  if (!read) throw new ConfigurationError([`the backup is damaged: ${name} is missing`])
  if (read.bytes !== entry.bytes || read.sha256 !== entry.sha256) throw new ConfigurationError([`the backup is damaged: ${name} is not as it was written`])
}
