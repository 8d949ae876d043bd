import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { callTable } from './call-table.ts'
import type { Calls } from './calls.ts'
import { createCalls } from './create-calls.ts'
import type { RetryPolicy } from './retry.ts'

export interface ClientOptions {
  /** Instance address in the specification's form, ending in `/api`: `https://sortie.example.com/api`. */
  baseUrl: string
  apiKey: string
  retry?: Partial<RetryPolicy>
  fetch?: typeof globalThis.fetch
}

/**
 * The API at `/api/v1` as functions: one per operation, named as in the OpenAPI document.
 *
 * Every call rejects with an ApiError for a refusal and a ConnectionError if no answer arrived. Retries 429 always, and
 * 503 for all methods except PATCH (see withRetry): a PATCH that was answered 503, or that got no answer, may have been
 * carried out. Each POST carries an `Idempotency-Key`, so it is retried even if its answer was lost, and takes effect
 * once.
 */
export const createClient = (options: ClientOptions): Calls<'key'> => {
  const origin = withoutTrailingSlashes(options.baseUrl).replace(/\/api$/, '')
  const headers = { authorization: `Bearer ${options.apiKey}` }
  return createCalls(
    callTable(ENDPOINTS, ['key']),
    { ...options, withKeys: true },
    { origin, headers: () => headers, withCookies: false },
  )
}

const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
