import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Cluster, openCluster } from './cluster.ts'
import { defaultMemoryMb } from './memory.ts'
import { connectWatch, ensureRunning, settingsOf, stopPostgres, WATCH } from './postgres.ts'
import type { Log, SocketSettings } from './types.ts'

export interface EmbeddedOptions {
  /** Holds the database, its log and, if necessary, a copy of the programs. */
  directory: string
  /** Name of the user and the database, and of this program within Postgres: one word. */
  name: string
  log: Log
  /** Postgres's limit, if this process starts it. */
  maxConnections?: number
  /** Memory for rows and indexes (`shared_buffers`) in MB, if this process starts Postgres; by default `defaultMemoryMb`. */
  memoryMb?: number
  /** For the restore itself: all other processes are refused until it is complete. */
  restoring?: boolean
  /**
   * Whether a first start may complete the installed package, which lacks the links between its libraries. If false, it
   * runs a copy outside of the installation instead. True by default.
   */
  mayPrepare?: boolean
}

/**
 * The embedded database: real Postgres binaries, supervised, reachable only through a Unix socket in the directory.
 *
 * Several processes may share one directory: the first starts Postgres, the others find it, the last to leave stops it,
 * and any process that notices its death starts it again. Postgres's own lock file decides every race.
 */
export interface EmbeddedPostgres {
  settings: SocketSettings
  /** Stops Postgres unless another process still uses it; further calls wait for the first. */
  stop(): Promise<void>
}

/** The default of Postgres. */
const MAX_CONNECTIONS = 100
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** @throws EmbeddedPostgresError if the directory cannot be used, with the reason */
export const startEmbedded = async ({
  directory,
  name,
  log,
  maxConnections = MAX_CONNECTIONS,
  memoryMb = defaultMemoryMb(),
  restoring = false,
  mayPrepare = true,
}: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const cluster = { ...(await openCluster(directory, name, restoring, mayPrepare)), maxConnections, memoryMb }
  await ensureRunning(cluster, log)
  let watch = await connectWatch(cluster)
  let stopping: Promise<void> | undefined
  const supervise = async () => {
    while (!stopping) {
      await watch.ended
      for (let pauseMs = FIRST_PAUSE_MS; !stopping; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        try {
          log.error({}, 'the embedded Postgres has stopped: restarting it')
          await ensureRunning(cluster, log)
          watch = await connectWatch(cluster)
          break
        } catch (error) {
          log.error({ err: error }, 'the embedded Postgres did not start')
          await sleep(pauseMs)
        }
      }
    }
  }
  const supervision = supervise()
  const stop = async () => {
    const isLast = await isLastUser(watch.client, cluster)
    await watch.client.end().catch(() => undefined)
    await supervision
    // The watch may have been starting Postgres again.
    await watch.client.end().catch(() => undefined)
    if (isLast) await stopPostgres(cluster)
    cluster.cleanUp()
  }
  return {
    settings: settingsOf(cluster),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const isLastUser = async (watch: pg.Client, cluster: Cluster): Promise<boolean> => {
  try {
    const { rows } = await watch.query(
      'select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [`${cluster.name}-${WATCH}`],
    )
    return rows[0].others === 0
  } catch {
    return true
  }
}
