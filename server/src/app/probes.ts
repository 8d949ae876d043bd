import type { FastifyInstance } from 'fastify'
import { measureBackups } from '../features/instance/backup-metrics.ts'
import type { ConnectionSettings } from '../platform/database/open.ts'
import type { PreparedReader } from '../platform/database/prepared.ts'
import { notFound } from '../platform/errors.ts'
import type { Platform, Route } from '../platform/http/context.ts'
import type { CostGate } from '../platform/http/costs.ts'
import { mountHealth } from '../platform/http/health-route.ts'
import { mountMetrics } from '../platform/http/metrics-route.ts'
import type { RateLimiter } from '../platform/http/rate-limit.ts'
import { type RequestLimits, requestLimits } from '../platform/http/rate-limit.ts'
import { createHttpServer, type HttpServerOptions, type Readiness } from '../platform/http/server.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { WorkLabels } from '../platform/work-labels.ts'

export interface AppOptions {
  platform: Platform
  /** Looks up keys and sessions. */
  prepared: PreparedReader
  /** Where the database is, for the connection that hears events. */
  connection: ConnectionSettings
  limiter: RateLimiter
  /** Limits what is expensive; left out, by counters in the database. */
  admit?: CostGate
  metrics: Metrics
  readiness: Readiness
  /** The same that `openDatabase` reports slow statements with. */
  labels: WorkLabels
  shutdown?: Shutdown
}

/** How a process takes its leave. */
interface Shutdown {
  /** Requests are served still, but should go elsewhere. */
  isLeaving(): boolean
  /** Runs once it closes, while every answer ends its connection, and before the port is closed. */
  beforeClose(): Promise<void>
}

export interface App {
  http: FastifyInstance
  /** Everything that the contract declares, with its handler. */
  routes: readonly Route[]
  /** Writes what is noted in memory; also before closing. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** What a process that only does jobs listens for: whether it is well, and what it measures. */
export const createProbes = async (options: AppOptions): Promise<App> => {
  const { platform, limiter } = options
  const limits = requestLimits(limiter, platform.config)
  const http = await openHttp(options, limits, (request, reply) => limits.anonymous(reply, request.ip))
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
  limitUnknown: HttpServerOptions['limitUnknown'],
  beforeClose = shutdown?.beforeClose,
) => {
  const { config, keys, log } = platform
  const { requestSeconds, refused: onRefused, connectionClosed: onConnectionClosed } = metrics
  return createHttpServer({ config, keys, log, limits, readiness, labels, requestSeconds, onConnectionClosed, onRefused, limitUnknown, beforeClose })
}

/** Health and metrics, which every process has. */
export const mountProbes = (http: FastifyInstance, { platform, prepared, metrics, readiness, shutdown }: AppOptions, limits: RequestLimits): void => {
  const { config, clock } = platform
  const unready = () => readiness.waitingFor ?? (shutdown?.isLeaving() ? 'The server is stopping.' : undefined)
  mountHealth(http, { prepared, clock, limits, notReady: unready })
  measureBackups(metrics, platform)
  mountMetrics(http, config, metrics, limits)
}
