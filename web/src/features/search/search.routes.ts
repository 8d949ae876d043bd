import { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import { createRoute } from '@tanstack/react-router'
import { type Raw, definedParams, text, word } from '../../search.ts'
import { organization } from '../../shell/routing/parents.ts'

export const page = createRoute({
  getParentRoute: () => organization,
  path: '/search',
  // The router parses a numeric query as a number.
  validateSearch: (raw: Raw) =>
    definedParams({
      q: text(typeof raw.q === 'number' ? String(raw.q) : raw.q),
      type: word(SEARCH_TYPES, raw.type),
      engagement: text(raw.engagement),
    }),
})
