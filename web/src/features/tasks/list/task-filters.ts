import { type FilterDefinition } from '../../../ui/filters/filters.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { OUTCOME_LABELS, PRIORITY_LABELS, STATUS_LABELS } from '../labels.tsx'
import type { FILTER_NAMES } from './task-search.ts'

/** Static filters. The lists add those that depend on the organization: members, methodologies, targets. */
export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'status', label: 'Status', kind: 'words', options: optionsOf(STATUS_LABELS) },
  { name: 'priority', label: 'Priority', kind: 'words', options: optionsOf(PRIORITY_LABELS) },
  {
    name: 'assigneeId',
    label: 'Assignee',
    kind: 'words',
    options: [
      { value: 'me', label: 'Me' },
      { value: 'none', label: 'Unassigned' },
    ],
  },
  { name: 'label', label: 'Label', kind: 'text' },
  { name: 'dueBefore', label: 'Due before', kind: 'day' },
  { name: 'outcome', label: 'Outcome', kind: 'words', options: optionsOf(OUTCOME_LABELS) },
  { name: 'methodologyId', label: 'Methodology', kind: 'words', options: [{ value: 'none', label: 'None' }] },
  { name: 'targetId', label: 'Target', kind: 'words', options: [] },
]
