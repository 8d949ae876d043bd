import { createRoute, redirect } from '@tanstack/react-router'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { admins, engagement, readers } from '../../shell/routing/parents.ts'
import { listSearch } from './list/list-search.ts'

export const list = createRoute({
  getParentRoute: () => readers,
  path: '/engagements',
  validateSearch: listSearch,
})

export const deleted = createRoute({
  getParentRoute: () => admins,
  path: '/settings/deleted-engagements',
})

export const overview = createRoute({
  getParentRoute: () => engagement,
  path: '/',
  validateSearch: (raw: Raw) => definedParams({ edit: flag(raw.edit) }),
})

/** Former page of name and description, which are edited on the overview. */
export const edit = createRoute({
  getParentRoute: () => engagement,
  path: '/edit',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/engagements/$engagementId', params, search: { edit: true }, replace: true } as never)
  },
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
