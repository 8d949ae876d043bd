import { createRoute } from '@tanstack/react-router'
import { definedParams, type Raw, text, word } from '../../search.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { findingsSearch } from './list/findings-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/findings',
  validateSearch: findingsSearch,
})

export const finding = createRoute({
  getParentRoute: () => engagement,
  path: '/findings/$findingId',
  validateSearch: (raw: Raw) =>
    definedParams({
      view: word(['edit', 'assets', 'history', 'library'] as const, raw.view),
      side: word(['properties', 'comments'] as const, raw.side),
      peek: text(raw.peek),
    }),
})

export const suggestions = createRoute({
  getParentRoute: () => engagement,
  path: '/findings/suggestions',
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/findings/$findingId',
})
