import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { IconBroadcast } from '../../ui/icons.tsx'
import { operationsSearch } from './operations-search.ts'
import { operationsPaths } from './operations.paths.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/operations',
  validateSearch: operationsSearch,
  component: lazyPage(() => import('./OperationsPage.tsx'), 'OperationsPage'),
})

const ofOrganization = createRoute({
  getParentRoute: () => organization,
  path: '/operations',
  validateSearch: operationsSearch,
  component: lazyPage(() => import('./OrganizationOperationsPage.tsx'), 'OrganizationOperationsPage'),
})

export const operations = feature({
  routes: { organization: [ofOrganization], engagement: [list] },
  navigation: [
    {
      area: 'settings',
      label: 'Operation log',
      to: ({ slug }) => operationsPaths.organizationOperations(slug),
      icon: IconBroadcast,
      keywords: 'was that us traffic network deconfliction',
      isFor: isAdmin,
    },
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
