import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, createProbes, startWorkers } from './app.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { deriveKeys } from './platform/crypto.ts'
import { type ConnectionSettings, openDatabase } from './platform/database/open.ts'
import type { Platform } from './platform/http/context.ts'
import { watchListeners } from './platform/http/leave.ts'
import { LocalRateLimiter } from './platform/http/rate-limit.ts'
import { RedisRateLimiter } from './platform/http/redis-rate-limit.ts'
import type { Logger } from './platform/log.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { mergeMetrics } from './platform/processes/merge-metrics.ts'
import { SupervisedRateLimiter } from './platform/processes/supervised-rate-limit.ts'
import type { SupervisorLink } from './platform/processes/supervisor-link.ts'
import { createLateJobs, listen, prepareDatabase } from './start-up.ts'
import { DRAIN_TIMEOUT_MS, JOBS_STOP_TIMEOUT_MS, LEAVE_TIMEOUT_MS } from './stop-times.ts'

export interface ServeOptions {
  config: Config
  log: Logger
  settings: ConnectionSettings
  /** Answers the requests of the API and of the web interface. */
  answers: boolean
  /** Does jobs. */
  works: boolean
  /** Listen before the database is prepared, and answer 503 until it is. */
  listensAtOnce: boolean
  /** What this process is within a server of several. */
  supervised?: { link: SupervisorLink; name: string; apiProcesses: number; listens: boolean }
}

export interface Serving {
  /** Prepares the database and serves; waits while the database is away. @throws ConfigurationError */
  start(): Promise<{ port: number; isFirstStart: boolean }>
  /** @param isReplaced another process takes the connections already: only those that are open still count */
  stop(isReplaced?: boolean): Promise<void>
}

/** One process of the server, from its database connections to its port. */
export const createServing = async (options: ServeOptions): Promise<Serving> => {
  const { config, log, settings, answers, works, supervised } = options
  const database = openDatabase(settings, (error) => log.warn({ err: error }, 'a database connection broke'))
  const metrics = measure(database.load, supervised)
  const limiter = createLimiter(options, metrics)
  const mailer = works ? createMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, directory: path.join(config.DATA_DIR, 'mail') }) : undefined
  const lateJobs = createLateJobs()
  const listeners = watchListeners()
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
  let leaving: 'replaced' | 'stopped' | undefined
  const beforeClose = async () => {
    if (leaving === 'replaced') await listeners.leave(LEAVE_TIMEOUT_MS)
    else if (config.SHUTDOWN_DELAY_SECONDS > 0) await sleep(config.SHUTDOWN_DELAY_SECONDS * 1000)
  }
  const isLeaving = () => leaving === 'stopped'
  const app = await (answers ? createApp : createProbes)({
    platform,
    limiter,
    metrics,
    notReady: () => waitingFor,
    processes: supervised?.apiProcesses ?? 1,
    shutdown: { isLeaving, beforeClose },
  })
  const listens = supervised?.listens ?? true
  const listenNow = async () => {
    if (listens) await listen(app.http, config)
  }
  return {
    start: async () => {
      if (options.listensAtOnce) await listenNow()
      const isFirstStart = await prepareDatabase(platform, settings, lateJobs, mailer && (() => startWorkers(platform, mailer)))
      waitingFor = undefined
      if (!options.listensAtOnce) await listenNow()
      if (mailer) log.info(mailer.description)
      return { port: listens ? (app.http.server.address() as AddressInfo).port : config.PORT, isFirstStart }
    },
    stop: async (isReplaced = false) => {
      // Before it is ready, nobody has anything to take elsewhere.
      const delayMs = isReplaced ? LEAVE_TIMEOUT_MS : waitingFor === undefined ? config.SHUTDOWN_DELAY_SECONDS * 1000 : 0
      if (waitingFor === undefined || isReplaced) leaving = isReplaced ? 'replaced' : 'stopped'
      waitingFor = undefined
      const force = setTimeout(() => listeners.closeAllConnections(), delayMs + DRAIN_TIMEOUT_MS)
      await app.close()
      clearTimeout(force)
      await lateJobs.stop(JOBS_STOP_TIMEOUT_MS)
      mailer?.close()
      await database.close()
    },
  }
}

const measure = (load: Parameters<typeof createMetrics>[0], supervised: ServeOptions['supervised']): Metrics => {
  if (!supervised) return createMetrics(load)
  const { link, name } = supervised
  const own = createMetrics(load, name)
  link.onMetrics(async () => (await own.render()).text)
  return {
    ...own,
    render: async () => ({ contentType: (await own.render()).contentType, text: mergeMetrics(await link.collectMetrics()) }),
  }
}

/** Counters are shared through Redis where there is one, else by the processes of this server. */
const createLimiter = ({ config, log, supervised, answers }: ServeOptions, metrics: Metrics) => {
  const windowSeconds = config.RATE_LIMIT_WINDOW_SECONDS
  const own = supervised ? new SupervisedRateLimiter(supervised.link, systemClock, windowSeconds, log) : new LocalRateLimiter(systemClock, windowSeconds)
  if (!config.REDIS_URL || !answers) return own
  return new RedisRateLimiter(config.REDIS_URL, systemClock, windowSeconds, log, metrics.limiterDegraded, own)
}
