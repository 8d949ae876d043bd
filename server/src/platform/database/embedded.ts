import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConfigurationError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { bundledVersion, chooseIdentity, type Identity, runnableBinaries } from './embedded-binaries.ts'
import type { ConnectionSettings } from './open.ts'
import { requireNoRestore } from './restore-mark.ts'

/**
 * The embedded database: real Postgres binaries, supervised, reachable through a Unix socket in the data directory only.
 *
 * Several processes may share one data directory: the first starts Postgres, the others find it, whoever leaves last
 * stops it, and whoever notices that it died starts it again. Postgres's own lock file decides every race.
 */
export interface EmbeddedPostgres {
  settings: ConnectionSettings
  /** Stops Postgres unless another process still uses it. */
  stop(): Promise<void>
}

const USER = 'sortie'
const PORT = 5432
const SUPERVISOR = 'sortie-supervisor'
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 15_000
/** Room for a second server on the same directory, and for the operator's commands. */
const MIN_CONNECTIONS = 100
const CONNECTIONS_PER_PROCESS = 20
const LOG_LIMIT_BYTES = 10 * 1024 * 1024
const NFS_MAGIC = 0x6969
/** Longest path of a Unix socket that every platform takes, in bytes. */
const MAX_SOCKET_PATH = 100

/**
 * @param processes how many processes of this server will connect
 * @param restoring for the restore itself: everybody else is refused until that is complete
 * @throws ConfigurationError when the data directory cannot be used, saying why
 */
export const startEmbedded = async (dataDir: string, log: Logger, processes = 1, restoring = false): Promise<EmbeddedPostgres> => {
  const cluster = { ...openCluster(dataDir, log, restoring), maxConnections: Math.max(MIN_CONNECTIONS, (processes + 1) * CONNECTIONS_PER_PROCESS) }
  await ensureRunning(cluster)
  let stopping = false
  let watch = await connectSupervisor(cluster)
  const supervise = async () => {
    while (!stopping) {
      await watch.ended
      for (let pause = 50; !stopping; pause = Math.min(pause * 2, 1_000)) {
        try {
          log.error('the embedded Postgres is gone: starting it again')
          await ensureRunning(cluster)
          watch = await connectSupervisor(cluster)
          break
        } catch (error) {
          log.error({ err: error }, 'the embedded Postgres did not start')
          await sleep(pause)
        }
      }
    }
  }
  const supervision = supervise()
  return {
    settings: settingsOf(cluster),
    stop: async () => {
      stopping = true
      const last = await isLast(watch.client)
      await watch.client.end().catch(() => undefined)
      await supervision
      if (last) await stopPostgres(cluster)
      cluster.cleanUp()
    },
  }
}

interface Cluster {
  /** The Postgres data directory, `postgres` below the data directory. */
  directory: string
  /** The same, or a short link to it where the socket's path would be too long. */
  socketDirectory: string
  logFile: string
  binaries: string
  identity: Identity
  log: Logger
  maxConnections: number
  cleanUp(): void
}

const settingsOf = (cluster: Cluster): ConnectionSettings => ({
  host: cluster.socketDirectory,
  port: PORT,
  user: USER,
  database: 'sortie',
})

const openCluster = (dataDir: string, log: Logger, restoring: boolean): Omit<Cluster, 'maxConnections'> => {
  const directory = path.join(dataDir, 'postgres')
  try {
    mkdirSync(dataDir, { recursive: true })
    if (statfsSync(dataDir).type === NFS_MAGIC)
      throw new ConfigurationError([`DATA_DIR: ${dataDir} is on NFS, where a database is not safe; use a local disk or DATABASE_URL`])
    const identity = chooseIdentity(directory)
    const binaries = runnableBinaries(dataDir, identity)
    if (!restoring) requireNoRestore(dataDir, directory)
    removeUnfinished(dataDir)
    if (!existsSync(directory)) initialize(dataDir, directory, binaries, identity)
    requireCluster(directory, binaries)
    return { directory, ...shortSocketDirectory(directory), logFile: path.join(dataDir, 'postgres.log'), binaries, identity, log }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR' || code === 'ENOSPC') {
      throw new ConfigurationError([`DATA_DIR: ${dataDir} cannot be used by this user (${code}); it must be writable and belong to whoever starts the server`])
    }
    throw error
  }
}

/**
 * Makes the cluster in a directory of its own and renames it when it is whole: a killed first start leaves nothing that
 * looks like a database, and of two first starts one wins.
 */
const initialize = (dataDir: string, directory: string, binaries: string, identity: Identity) => {
  const unfinished = mkdtempSync(path.join(dataDir, 'postgres.new-'))
  chmodSync(unfinished, 0o700)
  if (identity) chownSync(unfinished, identity.uid, identity.gid)
  const result = spawnSync(
    path.join(binaries, 'bin/initdb'),
    ['-D', selfReference(unfinished), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions'],
    { ...identity, cwd: unfinished, env: childEnvironment(), encoding: 'utf8' },
  )
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`)
  }
  try {
    renameSync(unfinished, directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
}

const ABANDONED_AFTER_MS = 10 * 60 * 1000

const removeUnfinished = (dataDir: string) => {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith('postgres.new-'))) {
    const leftover = path.join(dataDir, name)
    if (Date.now() - statSync(leftover).mtimeMs > ABANDONED_AFTER_MS) rmSync(leftover, { recursive: true, force: true })
  }
}

const requireCluster = (directory: string, binaries: string) => {
  const versionFile = path.join(directory, 'PG_VERSION')
  if (!existsSync(versionFile) || !existsSync(path.join(directory, 'global/pg_control'))) {
    throw new ConfigurationError([`DATA_DIR: ${directory} is not a whole Postgres directory; restore it from a backup, or choose another DATA_DIR`])
  }
  const found = readFileSync(versionFile, 'utf8').trim()
  const bundled = bundledVersion(binaries)
  if (found !== bundled.split('.')[0]) {
    throw new ConfigurationError([
      `DATA_DIR: ${directory} was made by Postgres ${found}, this build brings ${bundled}; see "Upgrading Postgres" in docs/operating.md`,
    ])
  }
}

/**
 * The directory a child starts in, as the child itself names it. The child of root may not be able to reach that
 * directory by its path, but it stands in it; Postgres and all its processes stay there.
 */
const selfReference = (directory: string): string => (existsSync('/proc/self/cwd') ? '/proc/self/cwd' : directory)

const childEnvironment = () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

const shortSocketDirectory = (directory: string) => {
  if (Buffer.byteLength(path.join(directory, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH) {
    return { socketDirectory: directory, cleanUp: () => undefined }
  }
  const holder = mkdtempSync(path.join(os.tmpdir(), 'sortie-'))
  const socketDirectory = path.join(holder, 'pg')
  symlinkSync(directory, socketDirectory)
  return { socketDirectory, cleanUp: () => rmSync(holder, { recursive: true, force: true }) }
}

/** Takes over a Postgres that runs on the directory, or starts one; returns when it answers. */
const ensureRunning = async (cluster: Cluster): Promise<void> => {
  const deadline = performance.now() + START_TIMEOUT_MS
  let child: ChildProcess | undefined
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    const state = await probe(cluster)
    if (state === 'ready') return
    if (state === 'no database') await createDatabase(cluster)
    else if (state === 'absent' && (!child || child.exitCode !== null)) child = launch(cluster)
    if (performance.now() > deadline) {
      throw new Error(`the embedded Postgres did not become ready; its log is ${cluster.logFile}`)
    }
    await sleep(pause)
  }
}

const probe = async (cluster: Cluster): Promise<'ready' | 'starting' | 'no database' | 'absent'> => {
  const client = new pg.Client({ ...settingsOf(cluster), connectionTimeoutMillis: 5_000, application_name: 'sortie-probe' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '57P03') return 'starting'
    if (code === '3D000') return 'no database'
    return 'absent'
  } finally {
    await client.end().catch(() => undefined)
  }
}

const createDatabase = async (cluster: Cluster) => {
  const client = new pg.Client({ ...settingsOf(cluster), database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('create database sortie')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== '42P04' && code !== '23505') throw error
  } finally {
    await client.end()
  }
}

const SETTINGS = [
  'listen_addresses=',
  `port=${PORT}`,
  'unix_socket_directories=.',
  'unix_socket_permissions=0700',
  'jit=off',
  'cluster_name=sortie',
  'log_line_prefix=%m [%p] ',
]

const launch = (cluster: Cluster): ChildProcess => {
  if (existsSync(cluster.logFile) && statSync(cluster.logFile).size > LOG_LIMIT_BYTES) truncateSync(cluster.logFile)
  const logFile = openSync(cluster.logFile, 'a', 0o600)
  const child = spawn(
    path.join(cluster.binaries, 'bin/postgres'),
    ['-D', selfReference(cluster.directory), ...[...SETTINGS, `max_connections=${cluster.maxConnections}`].flatMap((setting) => ['-c', setting])],
    { ...cluster.identity, cwd: cluster.directory, env: childEnvironment(), stdio: ['ignore', logFile, logFile], detached: true },
  )
  closeSync(logFile)
  child.on('error', (error) => cluster.log.error({ err: error }, 'the embedded Postgres could not be started'))
  child.unref()
  return child
}

/** A connection that does nothing but end when Postgres does, and count as a user of it until then. */
const connectSupervisor = async (cluster: Cluster) => {
  const client = new pg.Client({ ...settingsOf(cluster), application_name: SUPERVISOR, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
  })
  client.on('error', () => undefined)
  await client.connect()
  return { client, ended }
}

const isLast = async (watch: pg.Client): Promise<boolean> => {
  try {
    const { rows } = await watch.query('select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
      SUPERVISOR,
    ])
    return rows[0].others === 0
  } catch {
    return true
  }
}

/** Fast shutdown: open transactions are rolled back, everything acknowledged is on disk. */
const stopPostgres = async (cluster: Cluster) => {
  const pidFile = path.join(cluster.directory, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const deadline = performance.now() + STOP_TIMEOUT_MS
  try {
    process.kill(pid, 'SIGINT')
    while (existsSync(pidFile) && performance.now() < deadline) {
      await sleep(20)
      process.kill(pid, 0)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
