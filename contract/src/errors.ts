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

/** The body of every answer that is not a success. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; statusCode: number }
}
