import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, JOB_TYPES, startWorkers } from './app.ts'
import { createPasswords } from './features/accounts/passwords.ts'
import { createFirstOrganization } from './features/organizations/first-start.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, DEFAULT_ADMIN_PASSWORD, readConfig } from './platform/config.ts'
import { deriveKeys } from './platform/crypto.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { isUnavailable } from './platform/database/failures.ts'
import { migrate } from './platform/database/migrate.ts'
import { type ConnectionSettings, openDatabase } from './platform/database/open.ts'
import { ConfigurationError, unavailable } from './platform/errors.ts'
import type { Platform } from './platform/http/context.ts'
import { LocalRateLimiter } from './platform/http/rate-limit.ts'
import { RedisRateLimiter } from './platform/http/redis-rate-limit.ts'
import { type Jobs, startJobs } from './platform/jobs/jobs.ts'
import { createLogger, type Logger } from './platform/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { createMetrics } from './platform/metrics.ts'

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78
const DRAIN_TIMEOUT_MS = 10_000
const JOBS_STOP_TIMEOUT_MS = 5_000
const LISTEN_RETRY_MS = 3_000
/** Ctrl-C reaches a process both from the terminal and from the parent that passes it on: one wish, not two. */
const SAME_SIGNAL_MS = 500

const start = async (): Promise<void> => {
  const config = readConfig()
  const log = createLogger(config.LOG_LEVEL)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing caught: the process ends')
    process.exit(1)
  })
  prepareDirectory('STORAGE_PATH', config.STORAGE_PATH)
  const starting = config.DATABASE_URL ? undefined : startEmbedded(config.DATA_DIR, log)
  let stop = async () => (await starting)?.stop()
  stopOnSignals(log, () => stop())
  const embedded = await starting
  const settings = embedded?.settings ?? { connectionString: config.DATABASE_URL as string }
  const database = openDatabase(settings, (error) => log.warn({ err: error }, 'a database connection broke'))
  const metrics = createMetrics(database.load)
  const limiter = config.REDIS_URL
    ? new RedisRateLimiter(config.REDIS_URL, systemClock, config.RATE_LIMIT_WINDOW_SECONDS, log, metrics.limiterDegraded)
    : new LocalRateLimiter(systemClock, config.RATE_LIMIT_WINDOW_SECONDS)
  const mailer = createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, directory: path.join(config.DATA_DIR, 'mail') })
  const lateJobs = createLateJobs()
  const platform: Platform = {
    config,
    log,
    keys: deriveKeys(config.SESSION_SECRET),
    clock: systemClock,
    db: database.db,
    prepared: database.prepared,
    ofOrganization: database.ofOrganization,
    jobs: lateJobs.jobs,
  }
  let waitingFor: string | undefined = 'The server is starting.'
  const app = await createApp({ platform, limiter, metrics, notReady: () => waitingFor })

  stop = async () => {
    waitingFor = undefined
    const force = setTimeout(() => app.http.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
    await app.close()
    clearTimeout(force)
    await lateJobs.stop(JOBS_STOP_TIMEOUT_MS)
    mailer.close()
    await database.close()
    await embedded?.stop()
  }
  try {
    await listen(app.http, config)
    const isFirstStart = await prepareDatabase(platform, settings, lateJobs, () => startWorkers(platform, mailer))
    waitingFor = undefined
    log.info(mailer.description)
    announce(config, (app.http.server.address() as AddressInfo).port, isFirstStart)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

const prepareDirectory = (variable: string, directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new ConfigurationError([`${variable}: the directory ${directory} cannot be made (${(error as NodeJS.ErrnoException).code})`])
  }
}

/** Jobs can be asked for before the queue has started: until then the answer is 503. */
const createLateJobs = () => {
  let started: Jobs | undefined
  const require = (): Jobs => {
    if (!started) throw unavailable('The server is starting.')
    return started
  }
  const jobs: Jobs = {
    enqueue: (tx, type, data, afterSeconds) => require().enqueue(tx, type, data, afterSeconds),
    work: (type, handler) => require().work(type, handler),
    schedule: (type, cron) => require().schedule(type, cron),
    stop: (timeoutMs) => require().stop(timeoutMs),
  }
  return {
    jobs,
    set: (real: Jobs) => {
      started = real
    },
    stop: async (timeoutMs: number) => {
      const stopped = started
      started = undefined
      await stopped?.stop(timeoutMs).catch(() => undefined)
    },
  }
}

/**
 * Migrates, starts the job queue and its workers, and makes the first organization; waits for a database that is away.
 *
 * @returns whether this was the first start
 */
const prepareDatabase = async (
  platform: Platform,
  settings: ConnectionSettings,
  lateJobs: ReturnType<typeof createLateJobs>,
  startWork: () => Promise<void>,
): Promise<boolean> => {
  const { log, db, config, clock } = platform
  let isFirstStart = false
  for (let pause = 250; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      await migrate(settings, log, async () => {
        lateJobs.set(await startJobs(settings, log, JOB_TYPES))
        isFirstStart = (await createFirstOrganization(db, config, clock, createPasswords())) || isFirstStart
      })
      await startWork()
      return isFirstStart
    } catch (error) {
      await lateJobs.stop(0)
      const { code } = error as { code?: string }
      if (code === '28P01' || code === '28000' || code === '3D000') {
        throw new ConfigurationError([`DATABASE_URL: the database refused the connection (${(error as Error).message})`])
      }
      if (!isUnavailable(error)) throw error
      log.warn({ err: error }, 'the database does not answer yet: trying again')
      await sleep(pause)
    }
  }
}

/** A predecessor that is still closing gets a moment to leave the port. */
const listen = async (http: { listen(options: { port: number; host: string }): Promise<string> }, config: Config): Promise<void> => {
  const deadline = performance.now() + LISTEN_RETRY_MS
  for (;;) {
    try {
      await http.listen({ port: config.PORT, host: config.HOST })
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && performance.now() < deadline) await sleep(250)
      else if (code === 'EADDRINUSE') throw new ConfigurationError([`PORT: ${config.PORT} on ${config.HOST} is in use by another program`])
      else if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
        throw new ConfigurationError([`HOST, PORT: cannot listen on ${config.HOST} port ${config.PORT} (${code})`])
      } else throw error
    }
  }
}

/** For the person at the terminal, apart from the log. */
const announce = (config: Config, port: number, isFirstStart: boolean): void => {
  const here = `http://${config.HOST === '0.0.0.0' || config.HOST === '::' ? 'localhost' : config.HOST}:${port}`
  const password = config.ADMIN_PASSWORD === DEFAULT_ADMIN_PASSWORD ? config.ADMIN_PASSWORD : 'the one in ADMIN_PASSWORD'
  const lines = [
    `Sortie is ready at ${here}${config.FRONTEND_URL === here ? '' : ` (public address: ${config.FRONTEND_URL})`}`,
    isFirstStart
      ? `Sign in as ${config.ADMIN_EMAIL}, password: ${password}`
      : `Sign in as ${config.ADMIN_EMAIL} (or any account) with the password it has; npm run sortie -- reset-password makes a new one`,
    `API reference: ${here}/api/docs`,
  ]
  process.stderr.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`)
}

/** The first signal drains and ends with 0, a second one ends at once. So does the end of the process that launched this one. */
const stopOnSignals = (log: Logger, stop: () => Promise<void>): void => {
  let stoppingSince: number | undefined
  const onSignal = (reason: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ reason }, 'stopping: requests under way are finished first')
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('disconnect', () => onSignal('the launching process ended'))
}

start().catch((error) => {
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) process.stderr.write(`sortie: ${line}\n`)
    process.exit(EXIT_CONFIGURATION)
  }
  process.stderr.write(`sortie: could not start: ${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
