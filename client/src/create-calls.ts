import type { Door } from '@sortie/contract/core/endpoint.ts'
import type { CallTable } from './call-table.ts'
import type { CallOptions, Calls } from './calls.ts'
import { type RawInput, sendRequest, type Transport } from './request.ts'
import { DEFAULT_RETRY, type RetryPolicy, withRetry } from './retry.ts'

interface SendingOptions {
  retry?: Partial<RetryPolicy>
  fetch?: typeof globalThis.fetch
  /** POSTs carry an `Idempotency-Key`. */
  withKeys: boolean
}

/** One method per call of the table. */
export const createCalls = <D extends Door>(
  table: CallTable,
  options: SendingOptions,
  transport: Omit<Transport, 'fetch'>,
): Calls<D> => {
  const policy = { ...DEFAULT_RETRY, ...options.retry }
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const calls: Record<string, (input?: RawInput, options?: CallOptions) => Promise<unknown>> = {}
  for (const [name, target] of Object.entries(table)) {
    calls[name] = (input = {}, call = {}) => {
      const takesKey = options.withKeys && target.method === 'POST' && target.consumes === undefined
      const key = takesKey ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined
      const headers = { ...call.headers, ...(key !== undefined && { 'idempotency-key': key }) }
      const repeated = { method: target.method, hasKey: key !== undefined }
      const retries = input.body instanceof ReadableStream ? 0 : (call.retries ?? policy.retries)
      return withRetry({ ...policy, retries }, repeated, call.signal, () =>
        sendRequest({ ...transport, fetch }, target, input, { ...call, headers }),
      )
    }
  }
  return calls as Calls<D>
}
