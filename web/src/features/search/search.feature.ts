import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconSearch } from '../../ui/icons.tsx'
import { searchPaths } from './search.paths.ts'
import { page } from './search.routes.ts'

export const search = feature({
  routes: { organization: [lazyPage(page, () => import('./SearchPage.tsx'), 'SearchPage')] },
  navigation: [
    {
      area: 'work',
      label: 'Search',
      icon: IconSearch,
      to: ({ slug }) => searchPaths.search(slug),
      keywords: 'find everything full text',
      key: '/',
    },
  ],
})
