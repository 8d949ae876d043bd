import { definedParams, flag, type Raw, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

export const FILTER_NAMES = [
  'severity',
  'state',
  'status',
  'authorId',
  'reviewerId',
  'clientStatus',
  'verification',
  'published',
  'cwe',
  'tag',
  'targetId',
] as const

export const SORTS = ['severity', 'number', 'position', 'updatedAt', 'createdAt'] as const

const filters = filterSearch(FILTER_NAMES)

/** Search params of the findings: filters, sort, preview, trash, and the dialog for a new one. */
export const findingsSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    trashed: flag(raw.trashed),
    create: flag(raw.create),
  }),
})
