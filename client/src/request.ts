import type { Method } from '@sortie/contract/core/endpoint.ts'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@sortie/contract/core/errors.ts'
import type { CallOptions } from './calls.ts'
import { ApiError, ConnectionError } from './errors.ts'

/** The parts of an endpoint from which a request is made. */
export interface Target {
  method: Method
  /** Path with `:name` for parameters, from the origin on. */
  path: string
  /** The body is a Blob or a stream, sent unchanged. */
  consumes?: 'bytes'
  /** Query parameters whose values are given one by one: `field=a:1&field=b:2`. Others take lists with commas. */
  repeats?: readonly string[]
  /**
   * The answer is the text of a document (`text`), or the Response itself, for a stored file or for events (`file`).
   */
  produces?: 'text' | 'file'
}

export interface RawInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

export interface Transport {
  fetch: typeof globalThis.fetch
  /** Address before the path, without a trailing slash; empty for the page's own origin. */
  origin: string
  headers(): Record<string, string>
  /** Sends the cookies of the server. */
  withCookies: boolean
}

/**
 * @throws ApiError for a refusal, ConnectionError if no complete answer arrived, the signal's reason when it was
 *   aborted
 */
export const sendRequest = async (
  transport: Transport,
  target: Target,
  input: RawInput,
  options: CallOptions,
): Promise<unknown> => {
  const { signal } = options
  const address = transport.origin + addressOf(target, input)
  try {
    const response = await transport.fetch(address, {
      method: target.method,
      headers: {
        ...(typeof target.produces !== 'string' && { accept: 'application/json' }),
        ...contentType(target, input),
        ...transport.headers(),
        ...options.headers,
      },
      ...bodyOf(target, input),
      ...(signal && { signal }),
      ...(transport.withCookies && { credentials: 'same-origin' as const }),
    })
    if (response.ok && target.produces === 'file') return response
    if (response.status === 204) return null
    const text = await response.text()
    if (!response.ok) throw toApiError(response, text)
    return target.produces ? text : (JSON.parse(text) as unknown)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal?.aborted) throw signal.reason
    throw new ConnectionError(error)
  }
}

/** Path and query of a call, for links and for requests that are sent in another way. */
export const addressOf = ({ path, repeats }: Target, { params, query }: RawInput): string =>
  fillPath(path, params) + queryString(query, repeats)

const contentType = ({ consumes }: Target, { body }: RawInput): { 'content-type'?: string } => {
  if (body === undefined) return {}
  if (consumes !== 'bytes') return { 'content-type': 'application/json' }
  return { 'content-type': (body instanceof Blob && body.type) || 'application/octet-stream' }
}

const bodyOf = (
  { consumes }: Target,
  { body }: RawInput,
): { body?: Exclude<RequestInit['body'], undefined>; duplex?: 'half' } => {
  if (body === undefined) return {}
  if (consumes !== 'bytes') return { body: JSON.stringify(body) }
  // Streams are sent before the answer is read, and `fetch` requires this option for it.
  return { body: body as Blob | ReadableStream, ...(body instanceof ReadableStream && { duplex: 'half' as const }) }
}

const fillPath = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new TypeError(`params.${name} is missing`)
    return encodeURIComponent(value)
  })

const queryString = (query: Record<string, unknown> = {}, repeats: readonly string[] = []): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const pairs = given.flatMap(([name, value]) =>
    (Array.isArray(value) && repeats.includes(name) ? value : [value]).map((one): [string, string] => [
      name,
      String(one),
    ]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

const CODES = Object.entries(ERROR_STATUS) as [ErrorCode, number][]

/** A proxy in between may answer in another shape: then only the status decides. */
export const toApiError = (response: Response, text: string): ApiError => {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'))
  try {
    const { error } = JSON.parse(text) as ErrorBody
    if (typeof error.code === 'string' && typeof error.message === 'string') {
      return new ApiError(
        { code: error.code, message: error.message, statusCode: response.status },
        requestId,
        retryAfter,
      )
    }
  } catch {
    // Not JSON: described by its status below.
  }
  const fallback = response.status >= 500 ? 'INTERNAL_ERROR' : 'BAD_REQUEST'
  const code = CODES.find(([, status]) => status === response.status)?.[0] ?? fallback
  return new ApiError(
    { code, message: `The server answered ${response.status}.`, statusCode: response.status },
    requestId,
    retryAfter,
  )
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3). */
const retryAfterSeconds = (header: string | null): number | undefined => {
  if (!header) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}
