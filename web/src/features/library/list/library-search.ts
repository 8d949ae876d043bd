import { definedParams, flag, type Raw, text, word } from '../../../search.ts'
import { filterSearch } from '../../../ui/filters/filters.ts'

const SORTS = ['title', 'severity', 'key', 'updatedAt', 'createdAt'] as const

export const FILTER_NAMES = ['severity', 'state', 'builtIn', 'language', 'tool', 'cwe', 'tag'] as const

const filters = filterSearch(FILTER_NAMES)

export const librarySearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    create: flag(raw.create),
    import: flag(raw.import),
  }),
})
