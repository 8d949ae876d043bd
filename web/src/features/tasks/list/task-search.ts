import { flag, type Raw, definedParams, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

export const FILTER_NAMES = [
  'status',
  'priority',
  'assigneeId',
  'label',
  'dueBefore',
  'outcome',
  'methodologyId',
  'targetId',
] as const

const SORTS = ['position', 'createdAt', 'updatedAt', 'dueOn', 'priority'] as const
const filters = filterSearch(FILTER_NAMES)

/**
 * Search params of a task list: filters, sort, preview, view mode, the create dialog, whether the open task fills the
 * page, and the board shows checks.
 */
export const taskSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    view: word(['list'] as const, raw.view),
    create: flag(raw.create),
    full: flag(raw.full),
    checks: flag(raw.checks),
  }),
})

export const coverageSearch = (raw: Raw) => definedParams({ methodology: text(raw.methodology), peek: text(raw.peek) })
