import { IconFilter } from '../icons.tsx'
import type { FilterDefinition, FilterValues } from './filters.ts'

export interface FilterFieldProps {
  definitions: readonly FilterDefinition[]
  values: FilterValues
  onChange: (values: FilterValues) => void
}

export const FILTER_COMMANDS = {
  filter: { id: 'filter', label: 'Filter the list', group: 'This page', icon: IconFilter, shortcut: '/' },
  names: { id: 'filter-names', label: 'Choose a filter', group: 'This page', icon: IconFilter, shortcut: 'f' },
} as const

export const placeholderOf = (definitions: readonly FilterDefinition[]): string =>
  `Filter by text or ${definitions[0]?.name ?? 'name'}:value`
