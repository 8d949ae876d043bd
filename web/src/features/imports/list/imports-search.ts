import { type Raw, definedParams, text, word } from '../../../search.ts'
import { type FilterDefinition, filterSearch } from '../../../ui/filters/filters.ts'
import { STATE_LABELS } from '../states.ts'

export const FILTERS: readonly FilterDefinition[] = [
  {
    name: 'state',
    label: 'State',
    kind: 'words',
    options: Object.entries(STATE_LABELS).map(([value, label]) => ({ value, label })),
  },
  { name: 'format', label: 'Format', kind: 'text' },
]

const filters = filterSearch(FILTERS.map(({ name }) => name))

/** Search params of the imports: filters, order and preview. */
export const importsSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({ order: word(['asc', 'desc'] as const, raw.order), peek: text(raw.peek) }),
})
