import { flag, type Raw, definedParams, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

export const FILTER_NAMES = [
  'kind',
  'severity',
  'status',
  'state',
  'verdict',
  'assigneeId',
  'tool',
  'port',
  'tag',
  'seenSince',
  'importId',
  'scanId',
  'targetId',
  'ruleId',
  'cwe',
  'findingId',
] as const

export const SORTS = ['severity', 'lastSeenAt', 'firstSeenAt', 'asset', 'createdAt'] as const

const filters = filterSearch(FILTER_NAMES)

/** Search params of the results: filters, sort, preview, and the vulnerability dialog with its task. */
export const resultsSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    write: flag(raw.write),
    task: text(raw.task),
  }),
})
