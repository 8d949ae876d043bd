import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { type Raw, definedParams, text } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { IconApi } from '../../ui/icons.tsx'
import { requestsPaths } from './requests.paths.ts'

/** `run`: the run whose response is shown. */
const shownOf = (raw: Raw) => definedParams({ run: text(raw.run) })

const home = createRoute({
  getParentRoute: () => organization,
  path: '/requests',
  component: lazyPage(() => import('./RequestPages.tsx'), 'OrganizationRequests'),
})
const open = createRoute({
  getParentRoute: () => organization,
  path: '/requests/$objectId',
  validateSearch: shownOf,
  component: lazyPage(() => import('./RequestPages.tsx'), 'OrganizationRequests'),
})
const engagementHome = createRoute({
  getParentRoute: () => engagement,
  path: '/requests',
  component: lazyPage(() => import('./RequestPages.tsx'), 'EngagementRequests'),
})
const engagementOpen = createRoute({
  getParentRoute: () => engagement,
  path: '/requests/$objectId',
  validateSearch: shownOf,
  component: lazyPage(() => import('./RequestPages.tsx'), 'EngagementRequests'),
})

export const requests = feature({
  routes: { organization: [home, open], engagement: [engagementHome, engagementOpen] },
  navigation: [
    { area: 'work', label: 'Requests', icon: IconApi, to: ({ slug }) => requestsPaths.requests(slug), keywords: 'http curl postman library' },
    {
      area: 'engagement',
      group: 'work',
      label: 'Requests',
      icon: IconApi,
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
  },
})
