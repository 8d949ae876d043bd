import { createRoute } from '@tanstack/react-router'
import { definedParams, type Raw, text, word } from '../../search.ts'
import { organization } from '../../shell/routing/parents.ts'
import { librarySearch } from './list/library-search.ts'

export const list = createRoute({
  getParentRoute: () => organization,
  path: '/library',
  validateSearch: librarySearch,
})

export const entry = createRoute({
  getParentRoute: () => organization,
  path: '/library/$entryId',
  validateSearch: (raw: Raw) =>
    definedParams({ view: word(['edit', 'versions'] as const, raw.view), language: text(raw.language) }),
})
