import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, requireKnownJobs } from '../app/app.ts'
import { createProbes } from '../app/probes.ts'
import { createLateJobs, listen, listenForMetrics, prepareDatabase } from '../app/start-up.ts'
import { startWorkers } from '../app/workers.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Platform } from '../platform/context.ts'
import { deriveKeys } from '../platform/crypto.ts'
import { type ConnectionSettings, databaseLimits, openDatabase } from '../platform/database/connection/open.ts'
import { createRefusals } from '../platform/database/connection/refusals.ts'
import { readSchemaVersion } from '../platform/database/history.ts'
import { countLeftFiles } from '../platform/files/binding.ts'
import type { Storage } from '../platform/files/storage.ts'
import { LocalRateLimiter, type RateLimiter } from '../platform/http/limits/rate-limit.ts'
import { createMetricsListener } from '../platform/http/server/metrics-listener.ts'
import type { Readiness } from '../platform/http/server/server.ts'
import { observeStatements, JobLabels } from '../platform/jobs/job-labels.ts'
import type { Logger } from '../platform/log.ts'
import { createMailer } from '../platform/mail/mailer.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { describePolicy } from '../platform/outbound/policy.ts'
import { createSafeMode, type SafeModeState } from '../platform/safe-mode/safe-mode.ts'
import { createTraces } from '../platform/traces/traces.ts'
import { BUILD } from '../platform/version.ts'

/** Time for requests in progress, once no new ones are accepted. */
const DRAIN_TIMEOUT_MS = 10_000
const JOBS_STOP_TIMEOUT_MS = 5_000

export interface Serving {
  /** Listens, prepares the database and serves; waits while the database is away. @throws ConfigurationError */
  start(): Promise<{ port: number; isFirstStart: boolean; safeMode: SafeModeState | undefined }>
  /**
   * Finishes requests and jobs in progress, each within its time limit, and closes everything that this process opened.
   */
  stop(): Promise<void>
}

interface ServingOptions {
  /** To listen on. */
  port: number
  /** Errors of the process, for the metrics. */
  uncaughtErrors(): number
}

/** One server in its role (`SORTIE_ROLE`), from its database connections to its port. */
export const createServing = async (
  config: Config,
  log: Logger,
  settings: ConnectionSettings,
  storage: Storage,
  { port, uncaughtErrors }: ServingOptions,
): Promise<Serving> => {
  requireKnownJobs(config)
  const servesHttp = config.SORTIE_ROLE !== 'worker'
  const runsJobs = config.SORTIE_ROLE !== 'api'
  const labels = new JobLabels()
  const onBroken = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  const refusals = createRefusals(systemClock)
  const traces = await createTraces(config, log)
  const observer = observeStatements(config, log, labels, traces)
  const database = openDatabase(settings, onBroken, databaseLimits(config), observer, refusals.note)
  const safeMode = createSafeMode(database.prepared, config)
  const metrics = createMetrics(database.load, uncaughtErrors, {
    isLive: safeMode.isLive,
    countLeftFiles: () => countLeftFiles(database.db),
  })
  const metricsListener = createMetricsListener({ config, metrics, log })
  const limiter = await createLimiter(config, log, metrics)
  const mailer = runsJobs ? createMailer(config, safeMode) : undefined
  const lateJobs = createLateJobs()
  const platform: Platform = {
    config,
    log,
    keys: deriveKeys(config.SESSION_SECRET),
    clock: systemClock,
    db: database.db,
    scopedTo: database.scopedTo,
    waitForTurn: database.waitForTurn,
    jobs: lateJobs.jobs,
    safeMode,
    storage,
    traces,
  }
  const readiness: Readiness = { waitingFor: 'The server is starting.' }
  let isLeaving = false
  /** Before it is ready, there is no traffic to move elsewhere. */
  let delayMs = 0
  const shutdown = { isLeaving: () => isLeaving, beforeClose: () => sleep(delayMs) }
  const app = await (servesHttp ? createApp : createProbes)({
    platform,
    prepared: database.prepared,
    refusals,
    connection: settings,
    limiter,
    metrics,
    readiness,
    labels,
    shutdown,
  })
  return {
    start: async () => {
      await listen(app.http, { HOST: config.HOST, PORT: port })
      if (config.METRICS_PORT !== undefined) await listenForMetrics(metricsListener, config.METRICS_PORT)
      const isFirstStart = await prepareDatabase(
        platform,
        settings,
        lateJobs,
        mailer && (() => startWorkers(platform, mailer, labels)),
      )
      readiness.waitingFor = undefined
      log.info({ ...BUILD, schema: await readSchemaVersion(database.db) }, 'Sortie is ready')
      if (mailer) log.info(mailer.description)
      log.info(describePolicy(config))
      const state = await safeMode.find()
      if (state?.isOn)
        log.warn(
          { reason: state.reason, since: state.since },
          'this instance is in safe mode: it starts no scans and sends no requests and no mail',
        )
      return { port: (app.http.server.address() as AddressInfo).port, isFirstStart, safeMode: state }
    },
    stop: async () => {
      isLeaving = true
      if (readiness.waitingFor === undefined) delayMs = config.SHUTDOWN_DELAY_SECONDS * 1000
      const force = setTimeout(() => app.http.server.closeAllConnections(), delayMs + DRAIN_TIMEOUT_MS)
      await app.close()
      clearTimeout(force)
      await metricsListener.close()
      await lateJobs.stop(JOBS_STOP_TIMEOUT_MS)
      mailer?.close()
      await database.close()
      await traces.close()
    },
  }
}

const createLimiter = async (config: Config, log: Logger, metrics: Metrics): Promise<RateLimiter> => {
  const { REDIS_URL: url, RATE_LIMIT_WINDOW_SECONDS: windowSeconds } = config
  if (!url || config.SORTIE_ROLE === 'worker') return new LocalRateLimiter(systemClock, windowSeconds)
  const { RedisRateLimiter } = await import('../platform/http/limits/redis-rate-limit.ts')
  return new RedisRateLimiter(url, systemClock, windowSeconds, log, metrics.limiterDegraded)
}
