import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFlag } from '../../ui/icons.tsx'
import { findingsPaths } from './findings.paths.ts'
import { finding, list, one, suggestions } from './findings.routes.ts'

export const findings = feature({
  routes: {
    readers: [lazyPage(one, () => import('./OpenFinding.tsx'), 'OpenFinding')],
    engagement: [
      lazyPage(list, () => import('./list/FindingsPage.tsx'), 'FindingsPage'),
      lazyPage(suggestions, () => import('./suggestions/SuggestionsPage.tsx'), 'SuggestionsPage'),
      lazyPage(finding, () => import('./finding/FindingPage.tsx'), 'FindingPage'),
    ],
  },
  navigation: [
    {
      area: 'engagement',
      group: 'deliver',
      label: 'Findings',
      to: ({ slug, engagementId }) => findingsPaths.findings(slug, engagementId),
      icon: IconFlag,
      key: 'D',
      keywords: 'report vulnerabilities issues deliver',
    },
  ],
  live: {
    finding: [
      'listFindings',
      'countFindings',
      'getFinding',
      'listAffected',
      'listFindingRevisions',
      'listFindingSuggestions',
      'listFindingComments',
      'listFindingViewers',
    ],
    result: ['listFindingSuggestions', 'listAffected', 'getResultExcerpt'],
    file: ['listFindingFiles'],
  },
})
