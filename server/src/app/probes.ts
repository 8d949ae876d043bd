import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { measureInstance } from '../features/instance/metrics/instance-metrics.ts'
import type { Platform } from '../platform/context.ts'
import type { ConnectionSettings } from '../platform/database/connection/open.ts'
import type { PreparedReader } from '../platform/database/connection/prepared.ts'
import type { Refusals } from '../platform/database/connection/refusals.ts'
import { notFound } from '../platform/errors.ts'
import type { CostGate } from '../platform/http/limits/costs.ts'
import type { RateLimiter } from '../platform/http/limits/rate-limit.ts'
import { type RequestLimits, requestLimits } from '../platform/http/limits/rate-limit.ts'
import type { Route } from '../platform/http/routes/route.ts'
import { mountDoctor } from '../platform/http/server/doctor-route.ts'
import { databaseProbe, mountHealth } from '../platform/http/server/health-route.ts'
import { mountMetrics } from '../platform/http/server/metrics-route.ts'
import { createHttpServer, type HttpServerOptions, type Readiness } from '../platform/http/server/server.ts'
import type { JobLabels } from '../platform/jobs/job-labels.ts'
import type { Metrics } from '../platform/metrics.ts'

export interface AppOptions {
  platform: Platform
  /** Looks up keys and sessions. */
  prepared: PreparedReader
  /** What `openDatabase` reports failed statements to. */
  refusals: Refusals
  /** Address of the database, for the connection that receives events. */
  connection: ConnectionSettings
  limiter: RateLimiter
  /** Limits expensive requests; by default, with counters in the database. */
  admit?: CostGate
  metrics: Metrics
  readiness: Readiness
  /** Output of the web interface's build; by default, that of this repository. */
  webDirectory?: string
  /** The object with which `openDatabase` reports slow statements. */
  labels: JobLabels
  shutdown?: Shutdown
}

/** Graceful shutdown. */
interface Shutdown {
  /** Requests are still served, but load balancers should send them elsewhere. */
  isLeaving(): boolean
  /** Runs once it closes, while every answer ends its connection, and before the port is closed. */
  beforeClose(): Promise<void>
}

export interface App {
  http: FastifyInstance
  /** Every endpoint of the contract, with its handler. */
  routes: readonly Route[]
  /** Writes data buffered in memory; also before closing. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Serves health and metrics for a process that only runs jobs. */
export const createProbes = async (options: AppOptions): Promise<App> => {
  const { platform, limiter } = options
  const limits = requestLimits(limiter, platform.config)
  const http = await openHttp(options, limits, {
    limitUnknown: (request, reply) => limits.anonymous(reply, request.ip),
    isForPage: () => false,
  })
  mountProbes(http, options, limits)
  http.setNotFoundHandler(async () => {
    throw notFound('There is no such endpoint.')
  })
  await http.ready()
  return {
    http,
    routes: [],
    flush: async () => undefined,
    close: async () => {
      await http.close()
      await limiter.close()
    },
  }
}

/** The HTTP server, without routes. */
export const openHttp = (
  { platform, metrics, readiness, labels, shutdown }: AppOptions,
  limits: RequestLimits,
  unrouted: Pick<HttpServerOptions, 'limitUnknown' | 'isForPage'>,
  beforeClose = shutdown?.beforeClose,
) => {
  const { config, keys, log } = platform
  const { requestSeconds, refused: onRefused, connectionClosed: onConnectionClosed } = metrics
  return createHttpServer({
    config,
    keys,
    log,
    limits,
    readiness,
    labels,
    onTrace: platform.traces.onRequest,
    requestSeconds,
    onConnectionClosed,
    onRefused,
    ...unrouted,
    beforeClose,
  })
}

/** Scrapes do not wait for a database that hangs. */
const ANSWERS_WITHIN_MS = 900

/**
 * Health and metrics, which every process has.
 *
 * @param describe what callers who may see it learn from `/api/health?verbose`
 */
export const mountProbes = (
  http: FastifyInstance,
  { platform, prepared, refusals, metrics, readiness, shutdown }: AppOptions,
  limits: RequestLimits,
  describe: (request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined> = async () => undefined,
): void => {
  const { config, clock, keys } = platform
  const unready = () => readiness.waitingFor ?? (shutdown?.isLeaving() ? 'The server is stopping.' : undefined)
  const databaseAnswers = databaseProbe(prepared)
  mountHealth(http, { databaseAnswers, clock, limits, notReady: unready, describe })
  metrics.gauge('sortie_database_up', '1 while the database answers.', async () =>
    (await Promise.race([databaseAnswers(), sleep(ANSWERS_WITHIN_MS, false, { ref: false })])) ? 1 : 0,
  )
  measureInstance(metrics, { platform, refusals })
  mountDoctor(http, { config, keys, clock, limits })
  mountMetrics(http, config, metrics, limits)
}
