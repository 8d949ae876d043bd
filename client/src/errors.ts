import type { ErrorCode } from '@sortie/contract/core/errors.ts'

/** The server refused, in the terms of the specification's section 7. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** HTTP status. */
  readonly statusCode: number
  /** `X-Request-Id` of the answer: identifies the request to an operator. */
  readonly requestId: string | undefined
  /** Seconds of `Retry-After`, if the answer had one. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    error: { code: ErrorCode; message: string; statusCode: number },
    requestId?: string,
    retryAfterSeconds?: number,
  ) {
    super(error.message)
    this.name = 'ApiError'
    this.code = error.code
    this.statusCode = error.statusCode
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer arrived: it is unknown whether the request was carried out. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'ConnectionError'
  }
}
