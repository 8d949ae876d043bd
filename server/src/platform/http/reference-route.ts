import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument } from './openapi.ts'
import type { RequestLimits } from './rate-limit.ts'
import { renderReference } from './reference-page.ts'

/**
 * `GET /api/v1/openapi.json` and `GET /api/docs`: no key, counted per client address. Both are made once: nothing in
 * them depends on who asks.
 */
export const mountReference = (app: FastifyInstance, document: OpenApiDocument, limits: RequestLimits): void => {
  const json = Buffer.from(JSON.stringify(document))
  const page = renderReference(document)
  const config = { servesAlways: true }
  app.route({
    method: 'GET',
    url: '/api/v1/openapi.json',
    config,
    onRequest: (request, reply) => limits.anonymous(reply, request.ip),
    handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(json),
  })
  app.route({
    method: 'GET',
    url: '/api/docs',
    config,
    onRequest: (request, reply) => limits.anonymous(reply, request.ip),
    handler: (_request, reply) => reply.type('text/html; charset=utf-8').header('content-security-policy', page.contentSecurityPolicy).send(page.html),
  })
}
