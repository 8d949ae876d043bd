import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, childEnvironment, PORT, selfReference } from './cluster.ts'
import type { Log, SocketSettings } from './types.ts'

/** Suffix of the name of the connection that each process keeps open while it uses Postgres. */
export const WATCH = 'supervisor'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
const LOG_LIMIT_BYTES = 10 * 1024 * 1024

interface RunnableCluster extends Cluster {
  maxConnections: number
}

export const settingsOf = (cluster: Cluster): SocketSettings => ({
  host: cluster.socketDirectory,
  port: PORT,
  user: cluster.name,
  database: cluster.name,
})

/** Takes over a Postgres that runs on the directory, or starts one; returns when it answers. */
export const ensureRunning = async (cluster: RunnableCluster, log: Log): Promise<void> => {
  const deadline = performance.now() + START_TIMEOUT_MS
  let child: ChildProcess | undefined
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    const state = await probe(cluster)
    if (state === 'ready') return
    if (state === 'no database') await createDatabase(cluster)
    else if (state === 'absent' && (!child || child.exitCode !== null)) child = launch(cluster, log)
    if (performance.now() > deadline) {
      throw new Error(`the embedded Postgres did not become ready; its log is ${cluster.logFile}`)
    }
    await sleep(pauseMs)
  }
}

const probe = async (cluster: Cluster): Promise<'ready' | 'starting' | 'no database' | 'absent'> => {
  const client = new pg.Client({
    ...settingsOf(cluster),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: `${cluster.name}-probe`,
  })
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
    await client.query(`create database ${client.escapeIdentifier(cluster.name)}`)
    await reserveLog(client)
  } catch (error) {
    // Another process created it at the same moment.
    const { code } = error as { code?: string }
    if (code !== '42P04' && code !== '23505') throw error
  } finally {
    await client.end()
  }
}

const SPARE_SEGMENTS = 2

/**
 * Creates spare files for the write-ahead log. Postgres stops if a full disk prevents another one; it keeps those that
 * it has written, and a new cluster has none.
 */
const reserveLog = async (client: pg.Client) => {
  for (let i = 0; i < SPARE_SEGMENTS; i++) {
    // Postgres keeps a segment for reuse only if something was written to it.
    await client.query(`select pg_create_restore_point('reserve'), pg_switch_wal()`)
  }
  await client.query('checkpoint')
}

const MB = 1024 * 1024
const [LEAST_SHARED_MB, MOST_SHARED_MB] = [128, 1024]

/**
 * An eighth of the memory of the machine or of the container, for pages of tables. With the default of Postgres, 128 MB,
 * a search in a table of a million rows gets each page from the operating system and takes up to three times as long.
 */
const sharedBuffersMb = (): number => {
  const limit = process.constrainedMemory()
  const bytes = limit ? Math.min(limit, os.totalmem()) : os.totalmem()
  return Math.min(MOST_SHARED_MB, Math.max(LEAST_SHARED_MB, Math.floor(bytes / 8 / MB)))
}

const launch = (cluster: RunnableCluster, log: Log): ChildProcess => {
  if (existsSync(cluster.logFile) && statSync(cluster.logFile).size > LOG_LIMIT_BYTES) truncateSync(cluster.logFile)
  const settings = [
    'listen_addresses=',
    `port=${PORT}`,
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    `max_connections=${cluster.maxConnections}`,
    'jit=off',
    `shared_buffers=${sharedBuffersMb()}MB`,
    `cluster_name=${cluster.name}`,
    'log_line_prefix=%m [%p] ',
  ]
  const logFile = openSync(cluster.logFile, 'a', 0o600)
  const child = spawn(
    path.join(cluster.binaries, 'bin/postgres'),
    ['-D', selfReference(cluster.directory), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...cluster.identity,
      cwd: cluster.directory,
      env: childEnvironment(),
      stdio: ['ignore', logFile, logFile],
      detached: true,
    },
  )
  closeSync(logFile)
  child.on('error', (error) => log.error({ err: error }, 'the embedded Postgres could not be started'))
  child.unref()
  return child
}

/**
 * Opens a connection that does nothing except end when Postgres does, and count as a user of it until then. It does not
 * use the program's own database, which can be copied during that time.
 */
export const connectWatch = async (cluster: Cluster) => {
  const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS }
  const client = new pg.Client({
    ...settingsOf(cluster),
    database: 'postgres',
    application_name: `${cluster.name}-${WATCH}`,
    ...limits,
  })
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
  })
  client.on('error', () => undefined)
  await client.connect()
  return { client, ended }
}

/** Fast shutdown: open transactions are rolled back, everything acknowledged is on disk. */
export const stopPostgres = async (cluster: Cluster): Promise<void> => {
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
