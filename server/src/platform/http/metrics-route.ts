import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { constantTimeEqual, sha256 } from '../crypto.ts'
import { notFound } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { bearerOf } from './doors.ts'
import type { RequestLimits } from './rate-limit.ts'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * `GET /metrics` for a Prometheus on this machine, or for one that sends `METRICS_TOKEN`. For anybody else it does not
 * exist. A request that a proxy passed on does not come from this machine.
 */
export const mountMetrics = (app: FastifyInstance, config: Config, metrics: Metrics, limits: RequestLimits): void => {
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { servesAlways: true, servesUnderLoad: true },
    onRequest: async (request, reply) => {
      const token = bearerOf(request)
      const isLocal =
        LOOPBACK.test(request.raw.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
      const isTrusted = config.METRICS_TOKEN !== undefined && token !== undefined && constantTimeEqual(sha256(token), sha256(config.METRICS_TOKEN))
      if (isTrusted || (isLocal && config.METRICS_TOKEN === undefined)) return limits.uncounted(reply, request.ip)
      await limits.anonymous(reply, request.ip)
      throw notFound('There is no such endpoint.')
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await metrics.render()
      return reply.type(contentType).send(text)
    },
  })
}
