import { type Raw, definedParams, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

export const FILTER_NAMES = ['verdict', 'kind', 'tag', 'criticality', 'source', 'parentId'] as const

export const SORTS = ['createdAt', 'canonical', 'lastSeenAt', 'criticality'] as const

const filters = filterSearch(FILTER_NAMES)

/** Search params of the list: filters, sort, preview, and the dialog that adds targets. */
export const targetsSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    add: word(['one', 'many'] as const, raw.add),
  }),
})
