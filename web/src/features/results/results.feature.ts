import { IconListSearch } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { engagement } from '../../shell/parents.ts'
import { resultsPaths } from './results.paths.ts'
import { resultsSearch } from './results-search.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/results',
  validateSearch: resultsSearch,
  component: lazyRouteComponent(() => import('./ResultsPage.tsx'), 'ResultsPage'),
})

export const results = feature({
  routes: { engagement: [list] },
  navigation: [
    {
      area: 'engagement',
      group: 'recon',
      label: 'Results',
      to: ({ slug, engagementId }) => resultsPaths.results(slug, engagementId),
      icon: IconListSearch,
      key: 'R',
      keywords: 'findings vulnerabilities services hosts inventory',
      isOnBar: true,
    },
  ],
  live: { result: ['listResults', 'countResults', 'getResult', 'listObservations'], file: ['listResultFiles'] },
})
