// The server with a limiter of choice: `LIMITER` is none, local or redis. For P7; a real server always has one.
import { createApp, JOB_TYPES } from '../../server/src/app/app.ts'
import { systemClock } from '../../server/src/platform/clock.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { deriveKeys } from '../../server/src/platform/crypto.ts'
import { openDatabase } from '../../server/src/platform/database/open.ts'
import { LocalRateLimiter, type RateLimiter, windowOf } from '../../server/src/platform/http/rate-limit.ts'
import { RedisRateLimiter } from '../../server/src/platform/http/redis-rate-limit.ts'
import { startJobs } from '../../server/src/platform/jobs/jobs.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { createMetrics } from '../../server/src/platform/metrics.ts'

const config = readConfig()
const log = createLogger(config.LOG_LEVEL)
const settings = { connectionString: config.DATABASE_URL as string }
const database = openDatabase(settings, (error) => log.warn({ err: error }, 'a database connection broke'))
const metrics = createMetrics(database.load)

/** Counts nothing: every window is new. */
const open = (_bucket: string, limit: number) => windowOf(limit, 0, 0, 1_000)
const none: RateLimiter = { consume: open, peek: open, known: open, isDegraded: false, close: async () => undefined }

const limiters: Record<string, () => RateLimiter> = {
  none: () => none,
  local: () => new LocalRateLimiter(systemClock, config.RATE_LIMIT_WINDOW_SECONDS),
  redis: () => new RedisRateLimiter(config.REDIS_URL as string, systemClock, config.RATE_LIMIT_WINDOW_SECONDS, log, metrics.limiterDegraded),
}
const limiter = limiters[process.env.LIMITER ?? '']
if (!limiter) throw new Error('LIMITER must be none, local or redis')

const platform = {
  config,
  log,
  keys: deriveKeys(config.SESSION_SECRET),
  clock: systemClock,
  db: database.db,
  scopedTo: database.scopedTo,
  jobs: await startJobs(settings, log, JOB_TYPES),
}
const app = await createApp({ platform, prepared: database.prepared, limiter: limiter(), connection: settings, metrics, readiness: { waitingFor: undefined } })
await app.http.listen({ host: config.HOST, port: config.PORT })
process.once('SIGTERM', () => process.exit(0))
