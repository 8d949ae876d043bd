import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { isoTime } from '../../clock.ts'
import type { PreparedReader } from '../../database/connection/prepared.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'

const PROBE = { name: 'health', text: 'select 1 as alive' }
const PROBE_TIMEOUT_MS = 1_500
/** Lifetime of a database probe in the cache: a flood of requests probes no more often (S30). */
const PROBE_LIFETIME_MS = 1_000

/**
 * `GET /api/health`: no key, no rate limit, 503 while the database does not answer (open point 21). `GET
 * /api/health/live`: reports only that the process answers, for supervisors that restart it.
 *
 * `GET /api/health?verbose` adds to a healthy answer what `describe` returns; undefined for callers who may not see it.
 */
export const mountHealth = (
  app: FastifyInstance,
  options: {
    databaseAnswers(): Promise<boolean>
    clock: Clock
    limits: RequestLimits
    notReady(): string | undefined
    describe(request: FastifyRequest, reply: FastifyReply): Promise<object | undefined>
  },
) => {
  const { clock, limits } = options
  const respond = (url: string, healthy: () => Promise<boolean>, isWhole = false) =>
    app.route({
      method: 'GET',
      url,
      config: { servesAlways: true, servesUnderLoad: true, servesAnyHost: true },
      onRequest: (request, reply) => limits.uncounted(reply, request.ip),
      handler: async (request, reply) => {
        const ok = await healthy()
        if (!ok) reply.code(503).header('retry-after', '2')
        const details = ok && isWhole && isVerbose(request) ? await options.describe(request, reply) : undefined
        return { status: ok ? 'ok' : 'unavailable', timestamp: isoTime(clock.now()), ...details }
      },
    })
  respond('/api/health', async () => options.notReady() === undefined && (await options.databaseAnswers()), true)
  respond('/api/health/live', async () => true)
}

const isVerbose = ({ raw }: FastifyRequest): boolean => new URLSearchParams(raw.url?.split('?')[1]).has('verbose')

/**
 * Reports whether the database answers in time, at most a second old. While a probe hangs, all requests wait for that
 * probe.
 */
export const databaseProbe = (prepared: PreparedReader): (() => Promise<boolean>) => {
  let probe: Promise<boolean> | undefined
  let endsAt = Number.POSITIVE_INFINITY
  const ask = () => {
    endsAt = Number.POSITIVE_INFINITY
    const answered = prepared.query(PROBE, []).then(
      () => true,
      () => false,
    )
    // After a delay of the event loop, the answer has arrived but is not read yet when the timer fires.
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
