import { flag, type Raw, definedParams, text, word } from '../../../search.ts'
import { type FilterDefinition, filterSearch } from '../../../ui/filters/filters.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { OUTCOME_LABELS, PRIORITY_LABELS, STATUS_LABELS } from '../labels.tsx'

/** Static filters. The lists add those that depend on the organization: members, methodologies, targets. */
export const FILTERS: readonly FilterDefinition[] = [
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

const SORTS = ['position', 'createdAt', 'updatedAt', 'dueOn', 'priority'] as const
const filters = filterSearch(FILTERS)

/** Search params of a task list: filters, sort, preview, view mode, and the create dialog. */
export const taskSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    view: word(['list'] as const, raw.view),
    create: flag(raw.create),
  }),
})

export const coverageSearch = (raw: Raw) => definedParams({ methodology: text(raw.methodology) })
