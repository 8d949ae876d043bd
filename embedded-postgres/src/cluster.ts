import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { requireNoRestore } from './backup/restore-mark.ts'
import { bundledVersion, chooseIdentity, type Identity, runnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { currentUser } from './users.ts'

/** A complete Postgres data directory, with everything needed to run Postgres on it. */
export interface Cluster {
  /** The Postgres data directory. */
  directory: string
  /** That directory, or a short link to it if the socket's path would be too long. */
  socketDirectory: string
  logFile: string
  binaries: string
  identity: Identity
  /** Name of the user and the database, and of this program within Postgres. */
  name: string
  cleanUp(): void
}

export const PORT = 5432

/** Takes seconds; a minute on a slow disk. */
const INITDB_TIMEOUT_MS = 10 * 60 * 1000
const NFS_MAGIC = 0x6969
/** Longest path of a Unix socket that every platform accepts, in bytes. */
const MAX_SOCKET_PATH = 100
/** Age after which the remains of a killed first start are removed. */
const ABANDONED_AFTER_MS = 10 * 60 * 1000
const UNUSABLE = ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'ENOSPC']

/**
 * Opens the cluster below a directory; creates a missing one.
 *
 * @param restoring for the restore itself: all other processes are refused until it is complete
 * @param mayPrepare see `EmbeddedOptions.mayPrepare`
 * @throws EmbeddedPostgresError if the directory cannot be used, with the reason
 */
export const openCluster = async (
  directory: string,
  name: string,
  restoring: boolean,
  mayPrepare: boolean,
): Promise<Cluster> => {
  const cluster = path.join(directory, 'postgres')
  try {
    mkdirSync(directory, { recursive: true })
    if (statfsSync(directory).type === NFS_MAGIC) {
      throw new EmbeddedPostgresError(
        'directory',
        `${directory} is on NFS, where a database is not safe; use a local disk, or a Postgres of your own`,
      )
    }
    const identity = chooseIdentity(cluster)
    const binaries = runnableBinaries(directory, name, identity, mayPrepare)
    if (!restoring) requireNoRestore(directory, cluster)
    removeUnfinished(directory)
    if (!existsSync(cluster)) await initialize(directory, cluster, name, binaries, identity)
    requireWhole(cluster, binaries)
    return {
      directory: cluster,
      ...shortSocketDirectory(cluster, name),
      logFile: path.join(directory, 'postgres.log'),
      binaries,
      identity,
      name,
    }
  } catch (error) {
    const { code = '', path: refused = directory } = error as NodeJS.ErrnoException
    if (!UNUSABLE.includes(code)) throw error
    throw new EmbeddedPostgresError(
      'directory',
      `${refused} cannot be used by user ${currentUser()} (${code}); ${directory} must be writable and belong to the user that starts the server`,
    )
  }
}

/**
 * Creates the cluster in a separate directory and renames it when it is complete: a killed first start leaves nothing
 * that looks like a database, and of two first starts one wins.
 */
const initialize = async (
  directory: string,
  cluster: string,
  name: string,
  binaries: string,
  identity: Identity,
): Promise<void> => {
  const unfinished = mkdtempSync(path.join(directory, 'postgres.new-'))
  try {
    chmodSync(unfinished, 0o700)
    if (identity) chownSync(unfinished, identity.uid, identity.gid)
    const options = [
      '-D',
      selfReference(unfinished),
      '-U',
      name,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
    ]
    await promisify(execFile)(path.join(binaries, 'bin/initdb'), options, {
      ...identity,
      cwd: unfinished,
      env: childEnvironment(),
      timeout: INITDB_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    if (!existsSync(cluster)) renameSync(unfinished, cluster)
  } catch (error) {
    if (!existsSync(cluster)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const removeUnfinished = (directory: string) => {
  for (const name of readdirSync(directory).filter((entry) => entry.startsWith('postgres.new-'))) {
    const leftover = path.join(directory, name)
    if (Date.now() - statSync(leftover).mtimeMs > ABANDONED_AFTER_MS) rmSync(leftover, { recursive: true, force: true })
  }
}

const requireWhole = (cluster: string, binaries: string) => {
  const versionFile = path.join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile) || !existsSync(path.join(cluster, 'global/pg_control'))) {
    throw new EmbeddedPostgresError(
      'directory',
      `${cluster} is not a whole Postgres directory; restore it from a backup, or choose another directory`,
    )
  }
  const found = readFileSync(versionFile, 'utf8').trim()
  const bundled = bundledVersion(binaries)
  if (found !== bundled.split('.')[0]) {
    throw new EmbeddedPostgresError(
      'directory',
      `${cluster} was made by Postgres ${found}, this build brings ${bundled}`,
      'upgrade',
    )
  }
}

/**
 * The child's start directory, by a path that the child itself can use. The child of root may be unable to reach that
 * directory by its path, but it is its working directory; Postgres and all its processes stay there.
 */
export const selfReference = (directory: string): string =>
  existsSync('/proc/self/cwd') ? '/proc/self/cwd' : directory

export const childEnvironment = () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

export const shortSocketDirectory = (cluster: string, name: string) => {
  if (Buffer.byteLength(path.join(cluster, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH) {
    return { socketDirectory: cluster, cleanUp: () => undefined }
  }
  const holder = mkdtempSync(path.join(os.tmpdir(), `${name}-`))
  const socketDirectory = path.join(holder, 'pg')
  symlinkSync(cluster, socketDirectory)
  return { socketDirectory, cleanUp: () => rmSync(holder, { recursive: true, force: true }) }
}
