import type { FastifyRequest } from 'fastify'
import type { LabelFields } from '../work-labels.ts'

/** What log lines say about a request: never its address, which may hold secrets. */
export const labelOf = (request: FastifyRequest): LabelFields => ({
  reqId: request.id,
  method: request.method,
  route: request.routeOptions.url ?? 'unknown',
  organization: request.caller?.actor?.organizationId,
})
