import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { organization } from '../../shell/routing/parents.ts'
import { filterSearch } from '../../ui/filters/filters.ts'

const filters = filterSearch([])

export const list = createRoute({
  getParentRoute: () => organization,
  path: '/methodologies',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({
      sort: word(['name', 'createdAt', 'updatedAt'] as const, raw.sort),
      order: word(['asc', 'desc'] as const, raw.order),
      create: flag(raw.create),
    }),
  }),
})

export const methodology = createRoute({
  getParentRoute: () => organization,
  path: '/methodologies/$methodologyId',
  validateSearch: (raw: Raw) =>
    definedParams({ peek: text(raw.peek), dialog: word(['details', 'item'] as const, raw.dialog) }),
})
