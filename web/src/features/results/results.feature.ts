import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconListSearch } from '../../ui/icons.tsx'
import { resultsPaths } from './results.paths.ts'
import { list, diff, one } from './results.routes.ts'

export const results = feature({
  routes: {
    readers: [lazyPage(one, () => import('./OpenResult.tsx'), 'OpenResult')],
    engagement: [
      lazyPage(list, () => import('./list/ResultsPage.tsx'), 'ResultsPage'),
      lazyPage(diff, () => import('./diff/DiffPage.tsx'), 'DiffPage'),
    ],
  },
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
  live: {
    result: [
      'listResults',
      'countResults',
      'getResult',
      'listObservations',
      'diffResults',
      'getResultSummary',
      'listResultComments',
    ],
    file: ['listResultFiles'],
  },
})
