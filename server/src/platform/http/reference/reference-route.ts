import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { RequestLimits } from '../limits/rate-limit.ts'
import type { OpenApiDocument } from '../openapi/openapi.ts'
import { renderReference } from './reference-page.ts'

/**
 * `GET /api/v1/openapi.json` and `GET /api/docs`: no key, counted per client address. Both are made once, on the first
 * request: they do not depend on the caller.
 */
export const mountReference = (
  app: FastifyInstance,
  makeDocument: () => Promise<OpenApiDocument>,
  limits: RequestLimits,
): void => {
  let making: ReturnType<typeof render> | undefined
  const render = async () => {
    const document = await makeDocument()
    return { json: Buffer.from(JSON.stringify(document)), page: renderReference(document) }
  }
  const rendered = () => (making ??= render())
  const options: RouteShorthandOptions = {
    config: { servesAlways: true },
    onRequest: (request, reply) => limits.anonymous(reply, request.ip),
  }
  app.get('/api/v1/openapi.json', options, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((await rendered()).json),
  )
  app.get('/api/docs', options, async (_request, reply) => {
    const { page } = await rendered()
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', page.contentSecurityPolicy)
      .send(page.html)
  })
}
