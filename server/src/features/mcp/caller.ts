import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Platform } from '../../platform/context.ts'
import { translateFailure } from '../../platform/database/connection/failures.ts'
import { ApiError, internalError } from '../../platform/errors.ts'
import type { Dispatcher } from '../../platform/http/routes/dispatch.ts'
import { labelOf } from '../../platform/http/routes/request-label.ts'
import { type Arguments, partsFor } from './tools/input.ts'
import type { Reply, ToolCall } from './tools/tool.ts'

/** What the tools and resources of one request act with. */
export interface McpCaller {
  request: FastifyRequest
  actor: Actor
  permits: ToolCall['permits']
  call: ToolCall['call']
  /** Turns what was thrown into an answer, and logs what no client caused. */
  toError(thrown: unknown): ApiError
}

/** The caller of an admitted request; `actor` is that of its key. */
export const callerOf = (
  { log }: Pick<Platform, 'log'>,
  dispatcher: Dispatcher,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
): McpCaller => ({
  request,
  actor,
  permits: (endpoint) => dispatcher.permits(actor, endpoint),
  call: async (endpoint, args: Arguments, file) =>
    (await dispatcher.call(request, reply, endpoint, partsFor(endpoint, args, file))) as Reply,
  toError: (thrown) => {
    const failure = translateFailure(thrown, request.method)
    const error = failure instanceof ApiError ? failure : internalError(failure)
    if (error.status >= 500 && error.overloadReason === undefined)
      log.error({ ...labelOf(request), err: error.cause ?? error }, error.message)
    return error
  },
})
