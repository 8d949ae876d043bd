import { SEVERITY_LABELS, STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { type FilterDefinition, type FilterValues } from '../../../ui/filters/filters.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { KIND_LABELS, STATE_LABELS, VERDICT_LABELS } from '../labels.ts'
import type { FILTER_NAMES } from './results-search.ts'

export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'kind', label: 'Kind', kind: 'words', options: optionsOf(KIND_LABELS) },
  {
    name: 'severity',
    label: 'Severity',
    kind: 'words',
    options: [...optionsOf(SEVERITY_LABELS), { value: 'none', label: 'None' }],
  },
  { name: 'status', label: 'Status', kind: 'words', options: optionsOf(STATUS_LABELS) },
  { name: 'state', label: 'State', kind: 'words', options: optionsOf(STATE_LABELS) },
  { name: 'verdict', label: 'Scope', kind: 'words', options: optionsOf(VERDICT_LABELS) },
  {
    name: 'assigneeId',
    label: 'Assignee',
    kind: 'words',
    options: [
      { value: 'me', label: 'Me' },
      { value: 'none', label: 'Unassigned' },
    ],
  },
  { name: 'tool', label: 'Tool', kind: 'text' },
  { name: 'port', label: 'Port', kind: 'text' },
  { name: 'tag', label: 'Tag', kind: 'text' },
  { name: 'seenSince', label: 'Seen since', kind: 'day' },
  { name: 'importId', label: 'Import', kind: 'text' },
  { name: 'scanId', label: 'Scan', kind: 'text' },
  { name: 'targetId', label: 'Target', kind: 'text' },
  { name: 'ruleId', label: 'Rule', kind: 'text' },
  { name: 'cwe', label: 'CWE', kind: 'text' },
  { name: 'findingId', label: 'Finding', kind: 'words', options: [{ value: 'none', label: 'Part of no finding' }] },
]

const LISTS: ReadonlySet<string> = new Set(FILTERS.map(({ name }) => name).filter((name) => name !== 'seenSince'))

/** Converts filters to a request body: multi-value filters become lists, ports become numbers. */
export const toBody = (values: FilterValues): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!LISTS.has(name)) return [name, value]
      const given = value.split(',')
      return [name, name === 'port' ? given.map(Number) : given]
    }),
  )
