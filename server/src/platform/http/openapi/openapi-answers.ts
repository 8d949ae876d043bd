import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '@sortie/contract/core/errors.ts'
import type { Requirement } from '../../auth/guard.ts'
import type { Config } from '../../config.ts'
import { READ_TIMED_OUT } from '../../database/connection/failures.ts'
import { ApiError, internalError, tooLarge } from '../../errors.ts'
import { KEY_OF_ANOTHER_REQUEST, MALFORMED_KEY, takesIdempotencyKey } from '../routes/idempotency.ts'
import { requestParser } from '../routes/validate.ts'

type Answer = Record<string, unknown>

/** Default of `UPLOAD_LIMIT_BYTES`, for an example. */
const DEFAULT_UPLOAD_LIMIT = 1_073_741_824

const MEANINGS: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request cannot be read, or its path or query is not valid.',
  UNAUTHORIZED: 'The API key is missing, invalid or deleted.',
  FORBIDDEN: 'The API key lacks the needed scope.',
  NOT_FOUND: 'There is nothing with this id in the organization of the key.',
  CONFLICT: 'The request conflicts with data that exists.',
  VALIDATION_ERROR: 'The body can be read, but its data fails validation.',
  RATE_LIMITED: 'Too many requests. Try again after `Retry-After` seconds, with exponential backoff.',
  INTERNAL_ERROR: 'Something went wrong on the server.',
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** Headers of every answer. */
export const COMMON_HEADERS = {
  'X-RateLimit-Limit': header('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': header('X-RateLimit-Remaining'),
  'X-RateLimit-Reset': header('X-RateLimit-Reset'),
  'X-Request-Id': header('X-Request-Id'),
}

/** Headers of a success. */
export const successHeaders = (endpoint: Endpoint): Record<string, object> => ({
  ...COMMON_HEADERS,
  ...(takesIdempotencyKey(endpoint, 'key') && { 'Idempotency-Replayed': header('Idempotency-Replayed') }),
})

export const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed per window.',
    schema: { type: 'integer', minimum: 1 },
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer', minimum: 0 },
    example: 599,
  },
  'X-RateLimit-Reset': {
    description:
      'Unix timestamp, in seconds, at which the window resets. A window is opened by its first request (open point 18).',
    schema: { type: 'integer' },
    example: 1_795_250_460,
  },
  'X-Request-Id': {
    description: 'Names this request in the log of the server: quote it to the operator when something is wrong.',
    schema: { type: 'string', minLength: 8, maxLength: 128 },
    example: '3f1c9a52-7c1e-4b5e-9a55-0d9b6a3f2c11',
  },
  'Idempotency-Replayed': {
    description: '`true` if this answer repeats the first answer to this `Idempotency-Key`; otherwise absent.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'Content-Disposition': {
    description: '`inline` for a picture, else `attachment`; with the name of the file (RFC 6266).',
    schema: { type: 'string' },
    example: `attachment; filename="scan-results.xml"; filename*=UTF-8''scan-results.xml`,
  },
  'WWW-Authenticate': {
    description: 'The scheme that the server expects.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
}

/** Parameters that several operations share. */
export const PARAMETERS = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Made by the client, a new one for each request: a repetition within 24 hours gets the first answer again (open point 39)',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      examples: ['0b7e5a3c-2f64-4c1d-9d4b-8f1f6a7e2c90'],
    },
  },
}

const failure = (
  code: ErrorCode,
  messages: readonly string[],
  options: { status?: number; headers?: object; description?: string } = {},
): Answer => {
  const status = options.status ?? ERROR_STATUS[code]
  const bodies = [...new Set(messages)].map((message) => ({ error: { code, message, statusCode: status } }))
  return {
    description: options.description ?? MEANINGS[code],
    headers: { ...COMMON_HEADERS, ...options.headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          bodies.map((value, index) => [`${code.toLowerCase().replaceAll('_', '-')}-${index + 1}`, { value }]),
        ),
      },
    },
  }
}

const RETRY_AFTER = { 'Retry-After': header('Retry-After') }

/** Answers that every operation shares. */
export const sharedAnswers = (
  config: Pick<Config, 'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'>,
): Record<string, Answer> => ({
  NoHost: failure('BAD_REQUEST', ['The Host header is missing.', 'The Host header is given more than once.']),
  Unauthorized: failure(
    'UNAUTHORIZED',
    [
      'Send an API key: Authorization: Bearer <API_KEY>.',
      'This API key is not valid. It may have been deleted; create keys in the organization settings.',
    ],
    { headers: { 'WWW-Authenticate': header('WWW-Authenticate') } },
  ),
  KeyConflict: failure('CONFLICT', [KEY_OF_ANOTHER_REQUEST]),
  RateLimited: failure(
    'RATE_LIMITED',
    [`Too many requests: the limit is ${config.RATE_LIMIT_MAX} per ${config.RATE_LIMIT_WINDOW_SECONDS} seconds.`],
    {
      headers: RETRY_AFTER,
    },
  ),
  InternalError: failure('INTERNAL_ERROR', [internalError(undefined).message]),
  Unavailable: failure(
    'INTERNAL_ERROR',
    ['The database cannot be reached right now. Try again shortly.', 'The server is starting.', READ_TIMED_OUT],
    {
      status: 503,
      headers: RETRY_AFTER,
      description:
        'The server is starting, stopping or overloaded, its database is away, or took too long (open point 15). Try again after `Retry-After` seconds.',
    },
  ),
})

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Error answers of an operation that needs no key. */
export const publicFailures = (): Record<string, Answer> => ({
  '400': shared('NoHost'),
  '429': shared('RateLimited'),
  '500': shared('InternalError'),
  '503': shared('Unavailable'),
})

/** Error answers of the Model Context Protocol. @param refusal a message that the protocol cannot read */
export const mcpFailures = (refusal: object): Record<string, Answer> => ({
  '400': { description: 'The message cannot be read.', headers: COMMON_HEADERS, content: refusal },
  '401': shared('Unauthorized'),
  '403': failure('FORBIDDEN', ['Origin: must be that of this server, or be left out by programs.']),
  '429': shared('RateLimited'),
  '500': shared('InternalError'),
  '503': shared('Unavailable'),
})

/** Every error answer of this endpoint, with messages that it really sends. */
export const failuresOf = (endpoint: Endpoint, requirement: Requirement): Record<string, Answer> => ({
  '400': failure('BAD_REQUEST', unreadable(endpoint)),
  '401': shared('Unauthorized'),
  ...(typeof requirement === 'object' &&
    'scope' in requirement && { '403': failure('FORBIDDEN', [`This key lacks the scope ${requirement.scope}.`]) }),
  // Of an object whose parent decides which scope it needs.
  ...(endpoint.scope === 'any' &&
    endpoint.method !== 'GET' && { '403': failure('FORBIDDEN', ['This needs the scope reports:write.']) }),
  ...(namesObjects(endpoint) && { '404': failure('NOT_FOUND', ['There is nothing with this id.']) }),
  ...conflictsOf(endpoint),
  ...invalidOf(endpoint),
  '429': shared('RateLimited'),
  '500': shared('InternalError'),
  '503': shared('Unavailable'),
})

const invalidOf = (endpoint: Endpoint): Record<string, Answer> => {
  const sentences = endpoint.consumes === 'bytes' ? endpoint.refusals : invalidBodies(endpoint)
  return sentences ? { '422': failure('VALIDATION_ERROR', sentences) } : {}
}

/** Ids in the path, in a filter or required in the query: an unknown or hidden id is 404. */
const namesObjects = ({ params, query, body }: Endpoint): boolean =>
  Object.keys(params.properties).length > 0 ||
  'engagementId' in query.properties ||
  requiresIds(query) ||
  'filter' in (body?.properties ?? {})

const requiresIds = (query: Endpoint['query']): boolean => {
  const properties: Record<string, { pattern?: string }> = query.properties
  const required: readonly string[] = query.required ?? []
  return required.some((name) => /^\^[a-z]{3}_/.test(properties[name]?.pattern ?? ''))
}

const conflictsOf = (endpoint: Endpoint): Record<string, Answer> => {
  const takesKey = takesIdempotencyKey(endpoint, 'key')
  if (endpoint.conflicts)
    return { '409': failure('CONFLICT', [...endpoint.conflicts, ...(takesKey ? [KEY_OF_ANOTHER_REQUEST] : [])]) }
  return takesKey ? { '409': shared('KeyConflict') } : {}
}

const unreadable = (endpoint: Endpoint): string[] => {
  const { query } = requestParser(endpoint)
  const fields = Object.entries<{ type?: string; minimum?: number }>(endpoint.query.properties)
  const wrong = fields.map(([name, { type, minimum = 1 }]) =>
    type === 'integer' ? `${name}=${minimum - 1}` : `${name}=`,
  )
  return [
    ...(endpoint.body ? ['The body is not valid JSON.', 'Content-Type must be application/json, in UTF-8.'] : []),
    ...(endpoint.consumes === 'bytes'
      ? ['The body is empty: send the bytes of the file.', tooLarge(DEFAULT_UPLOAD_LIMIT).message]
      : []),
    ...[...wrong, 'surprise=1'].map((text) => messageOf(() => query(text))),
    ...(takesIdempotencyKey(endpoint, 'key') ? [MALFORMED_KEY] : []),
  ]
}

const invalidBodies = (endpoint: Endpoint): string[] => {
  const { body } = requestParser(endpoint)
  const good = (endpoint.example?.body ?? {}) as Record<string, unknown>
  const fields = Object.entries(endpoint.body?.properties ?? {}) as [string, { enum?: unknown; type?: unknown }][]
  const wrong = [
    ...(endpoint.body?.required ?? []).map((name) =>
      Object.fromEntries(Object.entries(good).filter(([field]) => field !== name)),
    ),
    ...fields.map(([name, schema]) => ({
      ...good,
      [name]: schema.enum || schema.type === 'integer' ? 'no such word' : 7,
    })),
    { ...good, surprise: 1 },
  ]
  return wrong.map((value) => messageOf(() => body(value)))
}

/** Takes the message from the validation itself, so the examples cannot drift from it. */
const messageOf = (refuse: () => unknown): string => {
  try {
    refuse()
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  throw new Error('an example of a refused request was accepted')
}
