import type { CallTable } from './call-table.ts'
import type { Calls } from './calls.ts'
import { createCalls } from './create-calls.ts'
import type { RetryPolicy } from './retry.ts'

export interface WebClientOptions {
  /** Id of the organization that calls are about, read at every call; undefined for none. */
  organizationId?: () => string | undefined
  /** Origin of the server; by default, the page's own. */
  origin?: string
  retry?: Partial<RetryPolicy>
  fetch?: typeof globalThis.fetch
}

/**
 * The API for the web interface: the session cookie instead of a key, under `/api/web` and `/api/auth`.
 *
 * @param table of the contract, made when the interface is built: it does not ship the contract itself
 */
export const createWebClient = (table: CallTable, options: WebClientOptions = {}): Calls<'web' | 'auth'> => {
  const headers = (): Record<string, string> => {
    const id = options.organizationId?.()
    return id ? { 'x-organization': id } : {}
  }
  return createCalls(
    table,
    { ...options, withKeys: false },
    { origin: options.origin ?? '', headers, withCookies: true },
  )
}
