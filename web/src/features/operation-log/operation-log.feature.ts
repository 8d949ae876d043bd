import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBroadcast } from '../../ui/icons.tsx'
import { operationsPaths } from './operation-log.paths.ts'
import { list, ofOrganization } from './operation-log.routes.ts'

export const operations = feature({
  routes: {
    organization: [
      lazyPage(ofOrganization, () => import('./OrganizationOperationsPage.tsx'), 'OrganizationOperationsPage'),
    ],
    engagement: [lazyPage(list, () => import('./OperationsPage.tsx'), 'OperationsPage')],
  },
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
