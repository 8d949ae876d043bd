import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconArrowsExchange } from '../../ui/icons.tsx'
import { requestsPaths } from './requests.paths.ts'
import { home, open, engagementHome, engagementOpen } from './requests.routes.ts'

export const requests = feature({
  routes: {
    organization: [
      lazyPage(home, () => import('./RequestPages.tsx'), 'OrganizationRequests'),
      lazyPage(open, () => import('./RequestPages.tsx'), 'OrganizationRequests'),
    ],
    engagement: [
      lazyPage(engagementHome, () => import('./RequestPages.tsx'), 'EngagementRequests'),
      lazyPage(engagementOpen, () => import('./RequestPages.tsx'), 'EngagementRequests'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Requests',
      icon: IconArrowsExchange,
      to: ({ slug }) => requestsPaths.requests(slug),
      keywords: 'http curl postman library',
    },
    {
      area: 'engagement',
      group: 'work',
      label: 'Requests',
      icon: IconArrowsExchange,
      to: ({ slug, engagementId }) => requestsPaths.engagementRequests(slug, engagementId),
      key: 'Q',
      keywords: 'http curl postman repeater environments',
    },
  ],
  live: {
    request: [
      'listApiRequests',
      'getApiRequest',
      'listRequestFolders',
      'getRequestFolder',
      'listEnvironments',
      'getEnvironment',
      'listRequestRuns',
      'listRequestSequences',
      'getRequestSequence',
    ],
    file: ['listApiRequestFiles'],
  },
})
