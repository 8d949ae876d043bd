import { createRoute } from '@tanstack/react-router'
import { type Raw, definedParams, word } from '../../search.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'

const viewOf = (raw: Raw) => definedParams({ view: word(['edit', 'history'] as const, raw.view) })

const listOf = (raw: Raw) => definedParams({ view: word(['trash', 'new', 'all'] as const, raw.view) })

export const home = createRoute({
  getParentRoute: () => organization,
  path: '/wiki',
  validateSearch: listOf,
})

export const page = createRoute({
  getParentRoute: () => organization,
  path: '/wiki/$pageId',
  validateSearch: viewOf,
})

export const engagementHome = createRoute({
  getParentRoute: () => engagement,
  path: '/wiki',
  validateSearch: listOf,
})

export const engagementPage = createRoute({
  getParentRoute: () => engagement,
  path: '/wiki/$pageId',
  validateSearch: viewOf,
})
