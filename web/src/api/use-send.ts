import type { Input, Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call, reportFailure, type Tenant, type WebCall } from './api.ts'

/**
 * A write for forms: resolves with the response, then refetches stale reads in the background. Never retried.
 * @param invalidates reads to invalidate afterwards
 * @returns function that sends; throws ApiError and ConnectionError
 */
export const useSend = <N extends WebCall>(
  tenant: Tenant,
  name: N,
  invalidates: readonly (readonly [Tenant, WebCall])[] = [],
) => {
  const cache = useQueryClient()
  return async (input: Input<N>): Promise<Output<N>> => {
    try {
      return await call(tenant, name, input, { retries: 0 })
    } catch (error) {
      reportFailure(error)
      throw error
    } finally {
      for (const queryKey of invalidates) void cache.invalidateQueries({ queryKey })
    }
  }
}
