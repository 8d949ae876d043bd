import { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { type Raw, definedParams, text, word } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { IconSearch } from '../../ui/icons.tsx'
import { searchPaths } from './search.paths.ts'

const page = createRoute({
  getParentRoute: () => organization,
  path: '/search',
  // The router parses a numeric query as a number.
  validateSearch: (raw: Raw) =>
    definedParams({ q: text(typeof raw.q === 'number' ? String(raw.q) : raw.q), type: word(SEARCH_TYPES, raw.type), engagement: text(raw.engagement) }),
  component: lazyPage(() => import('./SearchPage.tsx'), 'SearchPage'),
})

export const search = feature({
  routes: { organization: [page] },
  navigation: [
    { area: 'work', label: 'Search', icon: IconSearch, to: ({ slug }) => searchPaths.search(slug), keywords: 'find everything full text', key: '/' },
  ],
})
