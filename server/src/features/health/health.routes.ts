import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { PreparedReader } from '../../platform/database/prepared.ts'
import type { RequestLimits } from '../../platform/http/limits.ts'

const PROBE = { name: 'health', text: 'select 1 as alive' }
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
  respond('/api/health', async () => options.notReady() === undefined && (await answers(prepared)))
  respond('/api/health/live', async () => true)
}

const answers = async (prepared: PreparedReader): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false)
  })
  const probe = prepared.query(PROBE, []).then(
    () => true,
    () => false,
  )
  return Promise.race([probe, timeout]).finally(() => clearTimeout(timer))
}
