import { createRoute } from '@tanstack/react-router'
import { definedParams, flag, type Raw, text, word } from '../../search.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { filterSearch } from '../../ui/filters/filters.ts'

const filters = filterSearch(['state', 'kind'])

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/reports',
  validateSearch: (raw: Raw) => ({
    ...filters(raw),
    ...definedParams({
      sort: word(['createdAt', 'updatedAt'] as const, raw.sort),
      order: word(['asc', 'desc'] as const, raw.order),
      create: flag(raw.create),
    }),
  }),
})

export const report = createRoute({
  getParentRoute: () => engagement,
  path: '/reports/$reportId',
  validateSearch: (raw: Raw) =>
    definedParams({
      view: word(['renders', 'editions', 'compare', 'settings'] as const, raw.view),
      section: text(raw.section),
      side: word(['preview', 'checks', 'comments'] as const, raw.side),
      from: text(raw.from),
      to: text(raw.to),
    }),
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/reports/$reportId',
})
