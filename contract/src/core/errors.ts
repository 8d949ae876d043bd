/** The closed table of error codes and their HTTP statuses (specification, section 7). */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The 409 of every action that a user starts by hand and that would send from an instance in safe mode. */
export const IN_SAFE_MODE =
  'This instance is in safe mode: it starts no scans and sends no requests and no mail. An instance administrator ends that in the web interface, or the operator with "npm run operator -- go-live".'

/** The body of every error response. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; statusCode: number }
}
