import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { listSearch } from './list/list-search.ts'

export const list = createRoute({
  getParentRoute: () => readers,
  path: '/engagements',
  validateSearch: listSearch,
})

export const overview = createRoute({
  getParentRoute: () => engagement,
  path: '/',
})

export const edit = createRoute({
  getParentRoute: () => engagement,
  path: '/edit',
})

export const activity = createRoute({
  getParentRoute: () => engagement,
  path: '/activity',
})

export const files = createRoute({
  getParentRoute: () => engagement,
  path: '/files',
  validateSearch: (raw: Raw) =>
    definedParams({ order: word(['asc', 'desc'] as const, raw.order), peek: text(raw.peek) }),
})

export const settings = createRoute({
  getParentRoute: () => engagement,
  path: '/settings',
  validateSearch: (raw: Raw) => definedParams({ clone: flag(raw.clone) }),
})
