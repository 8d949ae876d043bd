import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chooseIdentity } from '../binaries.ts'
import { startEmbedded } from '../embedded.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { copyFile, listTree, syncAll } from '../files.ts'
import type { Log, Report } from '../types.ts'
import { DATABASE, FILES, type Manifest, requireFitting } from './manifest.ts'
import { RESTORE_MARK } from './restore-mark.ts'
import { requireSame } from './verify.ts'

export interface RestoreTarget {
  /** Directory of the database, empty or missing. */
  directory: string
  /** Directory of the files that belong to it, empty or missing; it may be within the other. */
  files: string
  /** See `startEmbedded`. */
  name: string
  report: Report
  log: Log
}

export interface RestoreOptions extends RestoreTarget {
  backup: string
  manifest: Manifest
  signal: AbortSignal
}

/** State of an incomplete restore. */
interface Mark {
  pid: number
  files: string
}

/** The Postgres directory until it is complete. */
const GROWING = 'postgres.restoring'
/**
 * Entries that a restore, and the Postgres that it starts, create in the directory; in addition `postgres.new-...` of a
 * killed initdb.
 */
const MADE = ['postgres', GROWING, 'postgres.log', 'runtime']

/**
 * Restores a backup into empty directories and then runs `complete` on it.
 *
 * @throws EmbeddedPostgresError if a directory is not empty or in use, or if the backup is damaged or does not fit
 */
export const restoreBackup = async (options: RestoreOptions, complete: () => Promise<void>): Promise<void> => {
  requireFitting(options.backup, options.manifest)
  await restoreInto(options, async () => {
    await copyBack(options)
    await complete()
  })
}

/**
 * Runs `fill` on empty directories; no server starts on them before it has returned. After a kill at any point, the
 * next restore into the directory starts from the beginning. A failure leaves the directories empty.
 *
 * @throws EmbeddedPostgresError if a directory is not empty or in use
 */
export const restoreInto = async (target: RestoreTarget, fill: () => Promise<void>): Promise<void> => {
  const { directory } = target
  const mark = path.join(directory, RESTORE_MARK)
  mkdirSync(directory, { recursive: true })
  await begin(mark, target)
  try {
    await fill()
  } catch (error) {
    await removeRestored(target)
    rmSync(mark)
    throw error
  }
  rmSync(mark)
  await syncAll([], [directory])
}

/** Marks the directory as in use; of two restores at the same moment one is refused. */
const begin = async (mark: string, options: RestoreTarget) => {
  const { directory, files, report } = options
  const own: Mark = { pid: process.pid, files: path.resolve(files) }
  const interrupted = existsSync(mark) ? readMark(mark) : undefined
  if (interrupted) {
    if (isAlive(interrupted.pid)) {
      const other = `another restore into ${directory} is under way (process ${interrupted.pid})`
      throw new EmbeddedPostgresError(
        'directory',
        `${other}; if that process is another program, remove all contents of ${directory}`,
      )
    }
    report('an earlier restore was interrupted: its files are removed, and the restore starts over')
    await removeRestored({ ...options, files: interrupted.files })
    rmSync(mark)
  }
  // Only an empty directory is marked: everything in a marked one may be removed.
  requireEmpty(directory, path.resolve(files))
  try {
    writeFileSync(mark, JSON.stringify(own), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new EmbeddedPostgresError('directory', `another restore into ${directory} is under way`)
  }
  await syncAll([mark], [directory])
  try {
    // A process that started before the mark did not see it.
    requireEmpty(directory, path.resolve(files))
  } catch (error) {
    rmSync(mark)
    throw error
  }
}

const readMark = (mark: string): Mark | undefined => {
  try {
    return JSON.parse(readFileSync(mark, 'utf8')) as Mark
  } catch {
    // Killed before the mark was written: nothing else was started.
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

/** The files may be within the directory of the database; nothing else may be there. */
const requireEmpty = (directory: string, files: string) => {
  if (existsSync(path.join(directory, 'postgres/postmaster.pid'))) {
    throw new EmbeddedPostgresError(
      'directory',
      `a server runs on ${directory}, or was killed there; a restore needs an empty directory`,
    )
  }
  const isOnTheWay = (name: string) => files === name || files.startsWith(`${name}${path.sep}`)
  const found = listTree(directory)
  const inTheWay =
    [...found.files, ...found.others].find((name) => name !== RESTORE_MARK) ??
    found.directories.find((name) => !isOnTheWay(path.resolve(directory, name)))
  if (inTheWay !== undefined) {
    throw new EmbeddedPostgresError(
      'directory',
      `${directory} is not empty, it holds ${inTheWay}; a restore needs an empty directory`,
    )
  }
  if (existsSync(files) && readdirSync(files).length > 0) {
    throw new EmbeddedPostgresError('files', `${files} is not empty; a restore needs an empty directory`)
  }
}

/** Undoes only the restore: both directories were empty before it. */
const removeRestored = async ({
  directory,
  files,
  name,
  log,
}: Pick<RestoreTarget, 'directory' | 'files' | 'name' | 'log'>) => {
  // A Postgres that the killed restore started continues to run.
  if (existsSync(path.join(directory, 'postgres/postmaster.pid')))
    await (await startEmbedded({ directory, name, log, restoring: true, mayPrepare: false })).stop()
  const made = readdirSync(directory).filter((entry) => MADE.includes(entry) || entry.startsWith('postgres.new-'))
  for (const entry of made) rmSync(path.join(directory, entry), { recursive: true, force: true, maxRetries: 5 })
  if (!existsSync(files)) return
  for (const file of readdirSync(files)) rmSync(path.join(files, file), { recursive: true, force: true })
}

const copyBack = async ({ backup, manifest, directory, files, report, signal }: RestoreOptions) => {
  const growing = path.join(directory, GROWING)
  const roots: readonly [part: string, root: string][] = [
    [DATABASE, growing],
    [FILES, path.resolve(files)],
  ]
  const place = (name: string): string => {
    const [part, root] = roots.find(([each]) => name === each || name.startsWith(`${each}/`)) as [string, string]
    return path.join(root, name.slice(part.length + 1))
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
  renameSync(growing, path.join(directory, 'postgres'))
  await syncAll([], [directory])
}

const readBack = (from: string, to: string) => {
  try {
    return copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
