import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { perMinute } from '../../concurrency/per-minute.ts'
import { translateFailure } from '../../database/connection/failures.ts'
import { statementOf } from '../../database/connection/statements.ts'
import { ApiError, badRequest, internalError, type OverloadReason, tooLarge, unavailable } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'
import { labelOf } from '../routes/request-label.ts'

/** Lines a minute of each status: a client that makes requests fail must not fill the disk (S39). */
const MAX_FAILURES = 60

/**
 * Turns everything that a hook or handler throws into the one error shape, and logs errors that clients did not cause.
 */
export const handleErrors = (
  app: FastifyInstance,
  log: Logger,
  limits: RequestLimits,
  noteRefusal: (reason: OverloadReason) => void,
): void => {
  const mayLog = perMinute(MAX_FAILURES, (requests) =>
    log.error({ requests }, 'more requests failed in the last minute, by status'),
  )
  app.setErrorHandler(async (error, request, reply) => {
    const isBrokenOff = request.raw.destroyed && !request.raw.complete
    const answer = isBrokenOff ? badRequest('The request is incomplete.') : toApiError(error, request)
    // If not even the caller could be determined, nothing was counted yet.
    if (!reply.hasHeader('x-ratelimit-limit')) await limits.uncounted(reply, request.ip)
    // Logged in summary: there may be thousands.
    if (answer.overloadReason) noteRefusal(answer.overloadReason)
    else if (answer.status >= 500 && mayLog(String(answer.status))) {
      const cause = answer.cause ?? answer
      // A deliberate refusal is not a failure.
      if (answer.status === 503 && answer.cause === undefined) log.warn(labelOf(request), answer.message)
      else log.error({ ...labelOf(request), statement: statementOf(cause), err: cause }, answer.message)
    }
    return sendError(reply, answer)
  })
}

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply => {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(error.body))
}

/** The system has no descriptor, memory or thread left for this process; a moment later it may. */
const EXHAUSTED = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'ERR_WORKER_INIT_FAILED',
  'ERR_WORKER_OUT_OF_MEMORY',
])

/** Turns what was thrown into one of the eight codes; internal errors become a fixed sentence. */
const toApiError = (thrown: unknown, { method, routeOptions: { bodyLimit, config } }: FastifyRequest): ApiError => {
  const error = translateFailure(thrown, method)
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit)
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return badRequest('The body is not as long as Content-Length says.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && config.isUpload)
    return badRequest('Content-Type is not a media type: application/octet-stream fits every file.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return badRequest('Content-Type must be application/json, in UTF-8.')
  if (code !== undefined && EXHAUSTED.has(code))
    return unavailable('The server has no resources left for this request. Try again shortly.', error)
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return unavailable('The response took too long.', error)
  if (code?.startsWith('FST_ERR_CTP') || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return badRequest('The request cannot be read.')
  }
  return internalError(error)
}
