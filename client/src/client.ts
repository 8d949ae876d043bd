import { ENDPOINTS } from '@sortie/contract/contract.ts'
import { DOOR_PATHS, type Door } from '@sortie/contract/endpoint.ts'
import type { CallOptions, Calls } from './calls.ts'
import { type RawInput, sendRequest, type Transport } from './request.ts'
import { DEFAULT_RETRY, type RetryPolicy, withRetry } from './retry.ts'

export interface ClientOptions {
  /** Instance address as the specification writes it, ending in `/api`: `https://sortie.example.com/api`. */
  baseUrl: string
  apiKey: string
  retry?: Partial<RetryPolicy>
  fetch?: typeof globalThis.fetch
}

/**
 * The API at `/api/v1` as functions: one per operation, named as in the OpenAPI document.
 *
 * Every call rejects with an ApiError for a refusal and a ConnectionError when no answer came. 429 is tried again, and
 * 503 for all but PATCH (see withRetry): a PATCH that was answered 503, or that got no answer, may have been carried out.
 * Each POST carries an `Idempotency-Key`, so it is tried again also where its answer was lost, and takes effect once.
 */
export const createClient = (options: ClientOptions): Calls<'key'> => {
  const origin = withoutTrailingSlashes(options.baseUrl).replace(/\/api$/, '')
  const headers = { authorization: `Bearer ${options.apiKey}` }
  return createCalls(['key'], options, { origin, headers: () => headers, withCookies: false })
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

export interface WebClientOptions {
  /** Id of the organization that calls are about, read at every call; undefined for none. */
  organizationId?: () => string | undefined
  /** Origin of the server; absent: the page's own. */
  origin?: string
  retry?: Partial<RetryPolicy>
  fetch?: typeof globalThis.fetch
}

/** The same for the web interface: the session cookie instead of a key, under `/api/web` and `/api/auth`. */
export const createWebClient = (options: WebClientOptions = {}): Calls<'web' | 'auth'> => {
  const headers = (): Record<string, string> => {
    const id = options.organizationId?.()
    return id ? { 'x-organization': id } : {}
  }
  return createCalls(['web', 'auth'], options, { origin: options.origin ?? '', headers, withCookies: true })
}

const createCalls = <D extends Door>(
  doors: readonly D[],
  options: { retry?: Partial<RetryPolicy>; fetch?: typeof globalThis.fetch },
  transport: Omit<Transport, 'fetch'>,
): Calls<D> => {
  const policy = { ...DEFAULT_RETRY, ...options.retry }
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const calls: Record<string, (input?: RawInput, options?: CallOptions) => Promise<unknown>> = {}
  for (const endpoint of ENDPOINTS) {
    const door = doors.find((candidate) => endpoint.doors.includes(candidate))
    if (!door) continue
    const target = { method: endpoint.method, path: DOOR_PATHS[door] + endpoint.path, takes: endpoint.takes, produces: endpoint.produces }
    calls[endpoint.id] = (input = {}, call = {}) => {
      const takesKey = door === 'key' && target.method === 'POST' && target.takes === undefined
      const key = takesKey ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined
      const headers = { ...call.headers, ...(key !== undefined && { 'idempotency-key': key }) }
      const repeated = { method: target.method, hasKey: key !== undefined }
      const retries = input.body instanceof ReadableStream ? 0 : (call.retries ?? policy.retries)
      return withRetry({ ...policy, retries }, repeated, call.signal, () => sendRequest({ ...transport, fetch }, target, input, { ...call, headers }))
    }
  }
  return calls as Calls<D>
}
