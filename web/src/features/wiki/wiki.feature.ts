import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBook, IconFilePlus } from '../../ui/icons.tsx'
import { wikiPaths } from './wiki.paths.ts'
import { home, page, engagementHome, engagementPage } from './wiki.routes.ts'

/** Whether this is the input of a read of all pages. */
const isWholeTree = (input: unknown): boolean =>
  (input as { query?: { tree?: boolean } } | undefined)?.query?.tree === true

export const wiki = feature({
  routes: {
    organization: [
      lazyPage(home, () => import('./WikiPages.tsx'), 'OrganizationWiki'),
      lazyPage(page, () => import('./WikiPages.tsx'), 'OrganizationWikiPage'),
    ],
    engagement: [
      lazyPage(engagementHome, () => import('./WikiPages.tsx'), 'EngagementWiki'),
      lazyPage(engagementPage, () => import('./WikiPages.tsx'), 'EngagementWikiPage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Wiki',
      icon: IconBook,
      to: ({ slug }) => wikiPaths.wiki(slug),
      keywords: 'pages notes handbook library',
    },
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
      to: ({ slug, engagementId }) =>
        `${engagementId ? wikiPaths.engagementWiki(slug, engagementId) : wikiPaths.wiki(slug)}?view=new`,
    },
  ],
  live: {
    page: [
      'listWikiPages',
      'getWikiPage',
      'listWikiViewers',
      'listWikiLinks',
      'listWikiBacklinks',
      'listWikiRevisions',
    ],
    file: ['listWikiPageFiles'],
  },
  // A page that is saved or opened by someone keeps its place: its title comes with the pages that changed last.
  isUnaffected: ([, , input], { type, id, change }) =>
    type === 'page' && id !== null && change === 'updated' && isWholeTree(input),
})
