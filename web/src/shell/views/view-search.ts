import type { Output } from '@sortie/client/calls.ts'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'

export type View = Output<'listViews'>['data'][number]

/** What of an address is open for the moment, and no part of a view: previews and dialogs. */
const PASSING = new Set(['peek', 'add', 'create', 'write', 'task'])

/** Filters and sort of an address as a view keeps them: in one order, so that they can be compared. */
export const viewSearch = (search: Readonly<Record<string, unknown>>): string =>
  defaultStringifySearch(
    Object.fromEntries(
      Object.entries(search)
        .filter(([name, value]) => !PASSING.has(name) && value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ).slice(1)

/** The address of a view, for the router; its route leaves out what it does not know. */
export const searchOf = ({ search }: Pick<View, 'search'>): Record<string, unknown> => defaultParseSearch(`?${search}`)
