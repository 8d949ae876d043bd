import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { isoTime } from '../clock.ts'
import type { PreparedReader } from '../database/prepared.ts'
import type { RequestLimits } from './rate-limit.ts'

const PROBE = { name: 'health', text: 'select 1 as alive' }
const PROBE_TIMEOUT_MS = 1_500
/** An answer of the database counts for this long: a flood of requests asks it no more often (S30). */
const PROBE_LIFETIME_MS = 1_000

/**
 * `GET /api/health`: no key, never refused for its rate, 503 while the database does not answer (open point 21).
 * `GET /api/health/live`: whether the process itself answers, for supervisors that restart what does not.
 */
export const mountHealth = (
  app: FastifyInstance,
  options: { prepared: PreparedReader; clock: Clock; limits: RequestLimits; notReady(): string | undefined },
) => {
  const { prepared, clock, limits } = options
  const respond = (url: string, healthy: () => Promise<boolean>) =>
    app.route({
      method: 'GET',
      url,
      config: { servesAlways: true, servesUnderLoad: true, servesAnyHost: true },
      onRequest: (request, reply) => limits.uncounted(reply, request.ip),
      handler: async (_request, reply) => {
        const ok = await healthy()
        if (!ok) reply.code(503).header('retry-after', '2')
        return { status: ok ? 'ok' : 'unavailable', timestamp: isoTime(clock.now()) }
      },
    })
  const databaseAnswers = databaseProbe(prepared)
  respond('/api/health', async () => options.notReady() === undefined && (await databaseAnswers()))
  respond('/api/health/live', async () => true)
}

/** Whether the database answers in time, as of at most a second ago. While a probe hangs, everybody waits for the same one. */
const databaseProbe = (prepared: PreparedReader): (() => Promise<boolean>) => {
  let probe: Promise<boolean> | undefined
  let endsAt = Number.POSITIVE_INFINITY
  const ask = () => {
    endsAt = Number.POSITIVE_INFINITY
    const answered = prepared.query(PROBE, []).then(
      () => true,
      () => false,
    )
    // After the event loop was held up, the answer is there but not read yet when the timer ends.
    const late = sleep(PROBE_TIMEOUT_MS, false, { ref: false }).then(() => nextTurn(false))
    return Promise.race([answered, late]).finally(() => {
      endsAt = performance.now() + PROBE_LIFETIME_MS
    })
  }
  return () => {
    if (probe === undefined || performance.now() > endsAt) probe = ask()
    return probe
  }
}
