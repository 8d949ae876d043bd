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

/** `Filter by text or status:open`: the first value of the status, or of the first filter that has values. */
export const placeholderOf = (definitions: readonly FilterDefinition[]): string => {
  const examples = definitions.flatMap((definition) =>
    definition.kind === 'words'
      ? definition.options
          .filter(({ value }) => value !== 'none')
          .slice(0, 1)
          .map(({ value }) => `${definition.name}:${value}`)
      : [],
  )
  const example = examples.find((each) => each.startsWith('status:')) ?? examples[0]
  return example === undefined ? 'Filter by text' : `Filter by text or ${example}`
}

/** What was done in the field before its completion is loaded. */
export interface Meanwhile {
  /** Undefined without the focus. */
  typed: string | undefined
  /** Whether the names of the filters were asked for. */
  isOpened: boolean
  /** Why the typed text was submitted, but not applied. */
  mistake: string | undefined
}

export const NOTHING_DONE: Meanwhile = { typed: undefined, isOpened: false, mistake: undefined }
