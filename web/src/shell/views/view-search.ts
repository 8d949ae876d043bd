import type { Output } from '@sortie/client/calls.ts'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'

export type View = Output<'listViews'>['data'][number]

/** Temporary search params that are not part of a view: previews and dialogs. */
const PASSING = new Set(['peek', 'add', 'create', 'write', 'task'])

/** Filters and sort of an address in canonical order, so that views are comparable. */
export const viewSearch = (search: Readonly<Record<string, unknown>>): string =>
  defaultStringifySearch(
    Object.fromEntries(
      Object.entries(search)
        .filter(([name, value]) => !PASSING.has(name) && value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ).slice(1)

/** Search params of a view, for the router; the route drops unknown ones. */
export const searchOf = ({ search }: Pick<View, 'search'>): Record<string, unknown> => defaultParseSearch(`?${search}`)
