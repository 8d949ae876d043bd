import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requireNoFormerDefault } from '../features/auth/accounts/published-password.service.ts'
import { createPasswords } from '../features/auth/passwords/passwords.ts'
import { compareStorage } from '../features/files/storage/compare-storage.ts'
import { createFirstOrganization } from '../features/instance/first-start.ts'
import { isoTime } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Platform } from '../platform/context.ts'
import { requireSameDatabase } from '../platform/database/connection/database-instance.ts'
import { isUnavailable } from '../platform/database/connection/failures.ts'
import type { ConnectionSettings } from '../platform/database/connection/open.ts'
import { withEveryRow } from '../platform/database/every-row.ts'
import { migrate } from '../platform/database/migrate.ts'
import { ApiError, ConfigurationError, unavailable } from '../platform/errors.ts'
import { bindStorage } from '../platform/files/binding.ts'
import { MAX_CONNECTIONS } from '../platform/http/limits/connections.ts'
import { METRICS_ADDRESS, type MetricsListener } from '../platform/http/server/metrics-listener.ts'
import { type Jobs, startJobs } from '../platform/jobs/jobs.ts'
import { FORCED_REASON } from '../platform/safe-mode/safe-mode.ts'
import { enterSafeModeOnce } from '../platform/safe-mode/state.ts'
import { JOB_TYPES, writesFiles } from './app.ts'

const LISTEN_RETRY_MS = 3_000
const LISTEN_PAUSE_MS = 250

/** Jobs that can be requested before the queue has started: until then the answer is 503. */
export interface LateJobs {
  jobs: Jobs
  set(started: Jobs): void
  stop(timeoutMs: number): Promise<void>
}

export const createLateJobs = (): LateJobs => {
  let started: Jobs | undefined
  const require = (): Jobs => {
    if (!started) throw unavailable('The server is starting.')
    return started
  }
  const jobs: Jobs = {
    enqueue: (tx, type, data, afterSeconds) => require().enqueue(tx, type, data, afterSeconds),
    enqueueAll: (tx, type, all, afterSeconds) => require().enqueueAll(tx, type, all, afterSeconds),
    work: (type, handler) => require().work(type, handler),
    repeat: (loop) => require().repeat(loop),
    schedule: (type, cron) => require().schedule(type, cron),
    stop: (timeoutMs) => require().stop(timeoutMs),
  }
  return {
    jobs,
    set: (real) => {
      started = real
    },
    stop: async (timeoutMs) => {
      const stopped = started
      started = undefined
      await stopped?.stop(timeoutMs).catch(() => undefined)
    },
  }
}

/**
 * Migrates, starts the job queue and its workers, and creates the first organization; waits for a database that is
 * away. Any number of processes may call this at the same time: one does it, the others find it done.
 *
 * @param startBackgroundJob undefined if jobs are left to other processes
 * @returns whether this was the first start
 * @throws ConfigurationError for what the operator has to change first
 */
export const prepareDatabase = async (
  platform: Platform,
  settings: ConnectionSettings,
  lateJobs: LateJobs,
  startBackgroundJob: (() => Promise<void>) | undefined,
): Promise<boolean> => {
  const { log, db, config, clock } = platform
  const passwords = createPasswords(config)
  let isFirstStart = false
  for (let pause = 250; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      await migrate(settings, log, async () => {
        await requireSameDatabase(db, log)
        await enterSafeModeIfCopied(platform)
        lateJobs.set(await startJobs(settings, log, JOB_TYPES, startBackgroundJob !== undefined))
        isFirstStart = (await createFirstOrganization(db, config, clock, passwords)) || isFirstStart
      })
      await requireNoFormerDefault(platform, passwords)
      await startBackgroundJob?.()
      return isFirstStart
    } catch (error) {
      await lateJobs.stop(0)
      const { code } = error as { code?: string }
      if (code === '28P01' || code === '28000' || code === '3D000') {
        throw new ConfigurationError([
          `DATABASE_URL: the database refused the connection (${(error as Error).message})`,
        ])
      }
      // insufficient_privilege
      if (code === '42501') {
        throw new ConfigurationError([
          `DATABASE_URL: the role may not create the tables of Sortie (${(error as Error).message}): let it own the database, or grant it CREATE on the database and on its schema public`,
        ])
      }
      const isStorageAway = error instanceof ApiError && error.status === 503
      if (!isUnavailable(error) && !isStorageAway) throw error
      log.warn(
        { err: error },
        `the ${isStorageAway ? 'storage of files' : 'database'} does not answer yet: trying again`,
      )
      await sleep(pause)
    }
  }
}

/**
 * Runs before everything else: the files must belong to the database, and an instance that looks like a copy sends
 * nothing.
 * @throws ConfigurationError
 */
const enterSafeModeIfCopied = async (platform: Platform): Promise<void> => {
  const { db, config, clock } = platform
  const looksCopied = writesFiles(config) ? await bindStorage(withEveryRow(platform), compareStorage) : undefined
  const reason = looksCopied ?? (config.SAFE_MODE ? FORCED_REASON : undefined)
  if (reason !== undefined) await enterSafeModeOnce(db, reason, isoTime(clock.now()))
}

/** Listens for requests. @throws ConfigurationError for a host or port that the system refuses */
export const listen = (
  http: FastifyInstance,
  { HOST: host, PORT: port }: Pick<Config, 'HOST' | 'PORT'>,
): Promise<void> => {
  // Every failed attempt leaves its listeners behind.
  http.server.setMaxListeners(4 * (LISTEN_RETRY_MS / LISTEN_PAUSE_MS))
  return whenFree({ variable: 'PORT', names: 'HOST, PORT', host, port }, () =>
    http.listenOn({ port, host, backlog: MAX_CONNECTIONS }),
  )
}

/** Listens for Prometheus. @throws ConfigurationError for a port that the system refuses */
export const listenForMetrics = (listener: MetricsListener, port: number): Promise<void> =>
  whenFree({ variable: 'METRICS_PORT', names: 'METRICS_PORT', host: METRICS_ADDRESS, port }, () =>
    listener.listen(port),
  )

interface ListenAddress {
  variable: string
  /** All variables that define where to listen. */
  names: string
  host: string
  port: number
}

/** Retries for a moment, while a predecessor that is closing still uses the port. */
const whenFree = async (
  { variable, names, host, port }: ListenAddress,
  attempt: () => Promise<void>,
): Promise<void> => {
  const deadline = performance.now() + LISTEN_RETRY_MS
  for (;;) {
    try {
      await attempt()
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && performance.now() < deadline) await sleep(LISTEN_PAUSE_MS)
      else if (code === 'EADDRINUSE')
        throw new ConfigurationError([`${variable}: ${port} on ${host} is in use by another program`])
      else if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
        throw new ConfigurationError([`${names}: cannot listen on ${host} port ${port} (${code})`])
      } else throw error
    }
  }
}
