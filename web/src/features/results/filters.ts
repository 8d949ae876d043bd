import type { Input } from '@sortie/client/calls.ts'
import { query } from '../../api.ts'

export type ResultFilters = NonNullable<Input<'listResults'>['query']>

/** What the server counts by. */
const FACETS = ['kind', 'state', 'severity', 'status', 'verdict'] as const
type Facet = (typeof FACETS)[number]

const isFacet = (name: string): name is Facet => (FACETS as readonly string[]).includes(name)

/** The numbers of rows by value of one filter, with the others as they are. */
export const countsOf = (organizationId: string, name: string, filters: ResultFilters) => {
  if (!isFacet(name)) return { queryKey: ['no counts'], queryFn: () => null }
  const { [name]: _, ...others } = filters
  return {
    ...query(organizationId, 'countResults', { query: { ...others, by: [name] } }),
    select: ({ data }: { data: { [F in Facet]?: Record<string, number | null> | null } }) => data[name] ?? null,
  }
}
