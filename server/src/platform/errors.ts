import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@sortie/contract/core/errors.ts'

/** The limit that a request exceeded. */
export type OverloadReason = 'requests under way' | 'event loop' | 'memory' | 'database connections' | 'request bodies'

interface Details {
  /** For the operator's log: never sent to a client. */
  cause?: unknown
  /** Seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number
  /** Set if the request was refused because of overload. */
  overloadReason?: OverloadReason
  /** HTTP status if it differs from the code's own: 503 with `INTERNAL_ERROR` (open point 15). */
  status?: number
}

/** An error answer: one sentence for the client and, separately, the cause for the operator. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly overloadReason: OverloadReason | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = details.status ?? ERROR_STATUS[code]
    this.retryAfterSeconds = details.retryAfterSeconds
    this.overloadReason = details.overloadReason
  }

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message, statusCode: this.status } }
  }
}

export const badRequest = (message: string) => new ApiError('BAD_REQUEST', message)
/** 400 for a body over the limit of its endpoint, in bytes. */
export const tooLarge = (maxBytes: number) => badRequest(`The body is larger than ${maxBytes} bytes.`)
export const unauthorized = (message: string) => new ApiError('UNAUTHORIZED', message)
export const forbidden = (message: string) => new ApiError('FORBIDDEN', message)
export const notFound = (message = 'There is nothing with this id.') => new ApiError('NOT_FOUND', message)
export const conflict = (message: string) => new ApiError('CONFLICT', message)
export const invalid = (message: string) => new ApiError('VALIDATION_ERROR', message)
export const rateLimited = (message: string, retryAfterSeconds: number) =>
  new ApiError('RATE_LIMITED', message, { retryAfterSeconds })

/** 500 with a fixed sentence: the details are for the log. */
export const internalError = (cause: unknown) =>
  new ApiError('INTERNAL_ERROR', 'Something went wrong on the server. Give the request id to its operator.', { cause })

/** 503: try again shortly (open point 15). */
export const unavailable = (message: string, cause?: unknown, retryAfterSeconds = 2) =>
  new ApiError('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds, cause })

/** 503: refused because of overload. */
export const overloaded = (overloadReason: OverloadReason) =>
  new ApiError('INTERNAL_ERROR', 'The server is overloaded. Try again shortly.', {
    status: 503,
    retryAfterSeconds: 2,
    overloadReason,
  })

/** Start-up cannot continue until the operator changes something; ends the process with exit code 78 (EX_CONFIG). */
export class ConfigurationError extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigurationError'
    this.lines = lines
  }
}
