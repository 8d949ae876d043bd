import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { type Raw, definedParams, word } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { IconBook, IconFilePlus } from '../../ui/icons.tsx'
import { wikiPaths } from './wiki.paths.ts'

const viewOf = (raw: Raw) => definedParams({ view: word(['edit', 'history'] as const, raw.view) })
const listOf = (raw: Raw) => definedParams({ view: word(['trash', 'new'] as const, raw.view) })

const home = createRoute({
  getParentRoute: () => organization,
  path: '/wiki',
  validateSearch: listOf,
  component: lazyPage(() => import('./WikiPages.tsx'), 'OrganizationWiki'),
})
const page = createRoute({
  getParentRoute: () => organization,
  path: '/wiki/$pageId',
  validateSearch: viewOf,
  component: lazyPage(() => import('./WikiPages.tsx'), 'OrganizationWikiPage'),
})
const engagementHome = createRoute({
  getParentRoute: () => engagement,
  path: '/wiki',
  validateSearch: listOf,
  component: lazyPage(() => import('./WikiPages.tsx'), 'EngagementWiki'),
})
const engagementPage = createRoute({
  getParentRoute: () => engagement,
  path: '/wiki/$pageId',
  validateSearch: viewOf,
  component: lazyPage(() => import('./WikiPages.tsx'), 'EngagementWikiPage'),
})

export const wiki = feature({
  routes: { organization: [home, page], engagement: [engagementHome, engagementPage] },
  navigation: [
    { area: 'work', label: 'Wiki', icon: IconBook, to: ({ slug }) => wikiPaths.wiki(slug), keywords: 'pages notes handbook library' },
    {
      area: 'engagement',
      group: 'work',
      label: 'Wiki',
      icon: IconBook,
      to: ({ slug, engagementId }) => wikiPaths.engagementWiki(slug, engagementId),
      key: 'W',
      keywords: 'pages notes',
      isOnBar: true,
    },
  ],
  commands: [
    {
      id: 'new-page',
      label: 'New page',
      icon: IconFilePlus,
      keywords: 'wiki write create add note',
      to: ({ slug, engagementId }) => `${engagementId ? wikiPaths.engagementWiki(slug, engagementId) : wikiPaths.wiki(slug)}?view=new`,
    },
  ],
  live: { page: ['listWikiPages', 'getWikiPage', 'listWikiViewers', 'listWikiLinks', 'listWikiBacklinks', 'listWikiRevisions'] },
})
