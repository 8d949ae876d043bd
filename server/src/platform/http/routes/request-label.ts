import type { FastifyRequest } from 'fastify'
import type { LabelFields } from '../../jobs/job-labels.ts'

/** Fields of a request for log lines, without its URL, which may contain secrets. */
export const labelOf = (request: FastifyRequest): LabelFields => ({
  reqId: request.id,
  method: request.method,
  route: request.routeOptions.url ?? 'unknown',
  organization: request.caller?.actor?.organizationId,
  ...(request.tool !== undefined && { tool: request.tool }),
})
