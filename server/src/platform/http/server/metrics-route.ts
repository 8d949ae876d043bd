import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { constantTimeEqual, sha256 } from '../../crypto.ts'
import { notFound } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'
import { bearerOf } from '../routes/doors.ts'

/**
 * `GET /metrics` for requests that send `METRICS_TOKEN`. Without that setting, and for all other requests, the path
 * does not exist: behind a reverse proxy every client has a local address, so an address cannot grant access (finding
 * S28).
 */
export const mountMetrics = (app: FastifyInstance, config: Config, metrics: Metrics, limits: RequestLimits): void => {
  app.route({
    method: 'GET',
    url: '/metrics',
    // Prometheus connects by IP address; the token keeps pages of other sites out.
    config: { servesAlways: true, servesUnderLoad: true, servesAnyHost: config.METRICS_TOKEN !== undefined },
    onRequest: async (request, reply) => {
      if (isMetricsToken(bearerOf(request), config)) return limits.uncounted(reply, request.ip)
      await limits.anonymous(reply, request.ip)
      throw notFound('There is no such endpoint.')
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await metrics.render()
      return reply.type(contentType).send(text)
    },
  })
}

/** Compares with `METRICS_TOKEN` in constant time; false if that is not set. */
export const isMetricsToken = (token: string | undefined, { METRICS_TOKEN }: Pick<Config, 'METRICS_TOKEN'>): boolean =>
  METRICS_TOKEN !== undefined && token !== undefined && constantTimeEqual(sha256(token), sha256(METRICS_TOKEN))
