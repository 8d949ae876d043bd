import { createRoute } from '@tanstack/react-router'
import { definedParams, flag, type Raw, word } from '../../search.ts'
import { readers } from '../../shell/routing/parents.ts'
import { filterSearch } from '../../ui/filters/filters.ts'

export const SORTS = ['name', 'createdAt', 'updatedAt'] as const

const filters = filterSearch([])

export const list = createRoute({
  getParentRoute: () => readers,
  path: '/clients',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({
      sort: word(SORTS, raw.sort),
      order: word(['asc', 'desc'] as const, raw.order),
      create: flag(raw.create),
    }),
  }),
})

export const client = createRoute({
  getParentRoute: () => readers,
  path: '/clients/$clientId',
})
