import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { IconListSearch } from '../../ui/icons.tsx'
import { diffSearch } from './diff/diff-search.ts'
import { resultsSearch } from './list/results-search.ts'
import { resultsPaths } from './results.paths.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/results',
  validateSearch: resultsSearch,
  component: lazyPage(() => import('./list/ResultsPage.tsx'), 'ResultsPage'),
})

const diff = createRoute({
  getParentRoute: () => engagement,
  path: '/results/diff',
  validateSearch: diffSearch,
  component: lazyPage(() => import('./diff/DiffPage.tsx'), 'DiffPage'),
})

const one = createRoute({
  getParentRoute: () => readers,
  path: '/results/$resultId',
  component: lazyPage(() => import('./OpenResult.tsx'), 'OpenResult'),
})

export const results = feature({
  routes: { readers: [one], engagement: [list, diff] },
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
  live: { result: ['listResults', 'countResults', 'getResult', 'listObservations', 'diffResults', 'getResultSummary'], file: ['listResultFiles'] },
})
