import type { ErrorCode } from '@sortie/contract/errors.ts'

/** The server refused, in the words of the specification's section 7. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** HTTP status. */
  readonly statusCode: number
  /** `X-Request-Id` of the answer: what an operator finds the request by. */
  readonly requestId: string | undefined
  /** Seconds of `Retry-After`, where the answer had one. */
  readonly retryAfterSeconds: number | undefined

  constructor(error: { code: ErrorCode; message: string; statusCode: number }, requestId?: string, retryAfterSeconds?: number) {
    super(error.message)
    this.name = 'ApiError'
    this.code = error.code
    this.statusCode = error.statusCode
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer came: whether the request was carried out is not known. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'ConnectionError'
  }
}
