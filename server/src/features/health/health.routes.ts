import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { PreparedReader } from '../../platform/database/prepared.ts'
import type { RequestLimits } from '../../platform/http/limits.ts'

const PROBE = { name: 'health', text: 'select 1 as alive' }
/** After this an answer to another query counts as well. */
const PROBE_SOON_MS = 30
/** A database that answered a query so lately is not asked again: under load, who asks for health waits for nothing. */
const ANSWERED_LATELY_MS = 100
/** A database that has not answered anything for this long does not answer. */
const PROBE_TIMEOUT_MS = 1_500

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
      config: { servesAlways: true },
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

/**
 * Whether the database answers. A probe that waits behind the queries of many requests says nothing against a database
 * that has just answered one of them; and while one probe hangs, nobody waits for another.
 */
const databaseProbe = (prepared: PreparedReader): (() => Promise<boolean>) => {
  let hangingSince: number | undefined
  const answersWithin = async (probe: Promise<boolean>, ms: number): Promise<boolean | undefined> => {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, ms, undefined)
    })
    return Promise.race([probe, timeout]).finally(() => clearTimeout(timer))
  }
  return async () => {
    const startedAt = performance.now()
    if (startedAt - prepared.answeredAt < ANSWERED_LATELY_MS) return true
    const since = hangingSince ?? startedAt
    hangingSince ??= startedAt
    const probe = prepared.query(PROBE, []).then(
      () => true,
      () => false,
    )
    void probe.then(() => {
      hangingSince = undefined
    })
    const soon = await answersWithin(probe, PROBE_SOON_MS)
    if (soon !== undefined) return soon
    if (performance.now() - prepared.answeredAt < PROBE_TIMEOUT_MS) return true
    return (await answersWithin(probe, Math.max(0, since + PROBE_TIMEOUT_MS - performance.now()))) ?? false
  }
}
