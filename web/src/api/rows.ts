import type { Input, Output } from '@sortie/client/calls.ts'
import { call, type Tenant, type WebCall } from './api.ts'

/** Operations that are read by windows, each with the cursor of the next. */
type ListCall = {
  [N in WebCall]: Output<N> extends { data: unknown[]; meta: { nextCursor: string | null } } ? N : never
}[WebCall]

type RowWindow<N extends WebCall> =
  Output<N> extends { data: (infer Row)[]; meta: infer Meta extends { nextCursor: string | null } }
    ? { data: Row[]; meta: Meta }
    : never

/**
 * Key and reader of a long list, for `useRows` and `useParts`. The key is that of `query` and `rows`, because a list by
 * windows has another shape in the cache than a plain read of the same input.
 */
export const rows = <N extends ListCall>(tenant: Tenant, name: N, input?: Input<N>) => ({
  queryKey: [tenant, name, ...(input === undefined ? [] : [input]), 'rows'] as const,
  read: async (window: { perPage: number; cursor?: string }, signal: AbortSignal): Promise<RowWindow<N>> => {
    const { query = {}, ...others } = (input ?? {}) as { query?: object }
    // The window belongs to the query of every list; the type of a call by its name does not show that.
    return (await call(tenant, name, { ...others, query: { ...query, ...window } } as unknown as Input<N>, {
      signal,
    })) as RowWindow<N>
  },
})
