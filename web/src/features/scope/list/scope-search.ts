import { type Raw, definedParams, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

export const FILTER_NAMES = ['effect', 'kind'] as const

const filters = filterSearch(FILTER_NAMES)

/** Search params of the page: filters, sort, preview, and the dialog that adds rules. */
export const scopeSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(['createdAt', 'pattern'] as const, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    add: word(['one', 'many'] as const, raw.add),
  }),
})
