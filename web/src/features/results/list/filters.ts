import type { Input } from '@sortie/client/calls.ts'
import { query } from '../../../api/api.ts'

export type ResultFilters = NonNullable<Input<'listResults'>['query']>

/** Fields that the server counts by. */
const FACETS = ['kind', 'state', 'severity', 'status', 'verdict'] as const
type Facet = (typeof FACETS)[number]

const isFacet = (name: string): name is Facet => (FACETS as readonly string[]).includes(name)

/** Counts by value of one filter, with the other filters applied. */
export const countBy = (organizationId: string, name: Facet, { [name]: _, ...others }: ResultFilters) => ({
  ...query(organizationId, 'countResults', { query: { ...others, by: [name] } }),
  select: ({ data }: { data: { [F in Facet]?: Record<string, number | null> | null } }) => data[name] ?? null,
})

/** @returns undefined for a filter whose values the server does not count */
export const countsOf = (organizationId: string, name: string, filters: ResultFilters) =>
  isFacet(name) ? countBy(organizationId, name, filters) : undefined
