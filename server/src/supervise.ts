import { announce } from './announce.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { LocalRateLimiter } from './platform/http/rate-limit.ts'
import type { Logger } from './platform/log.ts'
import { createSupervisorMetrics } from './platform/metrics.ts'
import { createSupervisor } from './platform/processes/supervisor.ts'
import { stopOnSignals } from './signals.ts'
import { DRAIN_TIMEOUT_MS, JOBS_STOP_TIMEOUT_MS, LEAVE_TIMEOUT_MS } from './stop-times.ts'

/** For whatever else a process closes at its end. */
const END_SLACK_MS = 10_000

/** The server as several processes: this one has the port, the embedded database and the counters, and watches the others. */
export const superviseServer = async (config: Config, log: Logger): Promise<void> => {
  const withWorker = config.SORTIE_ROLE === 'all'
  const processes = config.SORTIE_API_PROCESSES + (withWorker ? 1 : 0)
  const starting = config.DATABASE_URL ? undefined : startEmbedded(config.DATA_DIR, log, processes)
  let stop = async () => (await starting)?.stop()
  let renew = () => undefined as void
  stopOnSignals(
    log,
    () => stop(),
    () => renew(),
  )
  const embedded = await starting
  const supervisor = createSupervisor({
    settings: embedded?.settings ?? { connectionString: config.DATABASE_URL as string },
    apiProcesses: config.SORTIE_API_PROCESSES,
    withWorker,
    limiter: new LocalRateLimiter(systemClock, config.RATE_LIMIT_WINDOW_SECONDS),
    metrics: createSupervisorMetrics(),
    log,
    endTimeoutMs: Math.max(config.SHUTDOWN_DELAY_SECONDS * 1000, LEAVE_TIMEOUT_MS) + DRAIN_TIMEOUT_MS + JOBS_STOP_TIMEOUT_MS + END_SLACK_MS,
  })
  stop = async () => {
    await supervisor.stop()
    await embedded?.stop()
  }
  try {
    const { port, isFirstStart } = await supervisor.start()
    renew = () => void supervisor.renew()
    announce(config, port, isFirstStart)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}
