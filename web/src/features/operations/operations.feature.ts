import { IconBroadcast } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { engagement } from '../../shell/parents.ts'
import { operationsPaths } from './operations.paths.ts'
import { operationsSearch } from './operations-search.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/operations',
  validateSearch: operationsSearch,
  component: lazyRouteComponent(() => import('./OperationsPage.tsx'), 'OperationsPage'),
})

export const operations = feature({
  routes: { engagement: [list] },
  navigation: [
    {
      area: 'engagement',
      label: 'Operation log',
      to: ({ slug, engagementId }) => operationsPaths.operations(slug, engagementId),
      icon: IconBroadcast,
      keywords: 'was that us traffic network deconfliction activity',
    },
  ],
  live: { operation: ['listOperations'] },
})
