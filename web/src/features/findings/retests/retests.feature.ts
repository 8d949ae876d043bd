import { feature } from '../../../feature.ts'
import { lazyPage } from '../../../shell/routing/lazy-page.ts'
import { IconRefresh } from '../../../ui/icons.tsx'
import { retestsPaths } from './retests.paths.ts'
import { list, one } from './retests.routes.ts'

export const retests = feature({
  routes: {
    engagement: [
      lazyPage(list, () => import('./list/RetestsPage.tsx'), 'RetestsPage'),
      lazyPage(one, () => import('./retest/RetestPage.tsx'), 'RetestPage'),
    ],
  },
  navigation: [
    {
      area: 'engagement',
      group: 'deliver',
      label: 'Retests',
      to: ({ slug, engagementId }) => retestsPaths.retests(slug, engagementId),
      icon: IconRefresh,
      keywords: 'remediation verify fixed again deliver',
    },
  ],
  live: {
    retest: ['listRetests', 'getRetest', 'listRetestItems'],
    finding: ['listRetestItems'],
  },
})
