import { createRoute } from '@tanstack/react-router'
import { feature, type PageAddress } from '../../feature.ts'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { IconClipboardText, IconFiles, IconHistory, IconPlus, IconSettings, IconTarget } from '../../ui/icons.tsx'
import { engagementsPaths } from './engagements.paths.ts'
import { listSearch } from './list/list-search.ts'

const list = createRoute({
  getParentRoute: () => readers,
  path: '/engagements',
  validateSearch: listSearch,
  component: lazyPage(() => import('./list/EngagementsPage.tsx'), 'EngagementsPage'),
})
const overview = createRoute({
  getParentRoute: () => engagement,
  path: '/',
  component: lazyPage(() => import('./workspace/overview/OverviewPage.tsx'), 'OverviewPage'),
})
const edit = createRoute({
  getParentRoute: () => engagement,
  path: '/edit',
  component: lazyPage(() => import('./settings/EditPage.tsx'), 'EditPage'),
})
const activity = createRoute({
  getParentRoute: () => engagement,
  path: '/activity',
  component: lazyPage(() => import('./workspace/ActivityPage.tsx'), 'ActivityPage'),
})
const files = createRoute({
  getParentRoute: () => engagement,
  path: '/files',
  validateSearch: (raw: Raw) => definedParams({ order: word(['asc', 'desc'] as const, raw.order), peek: text(raw.peek) }),
  component: lazyPage(() => import('./files/FilesPage.tsx'), 'FilesPage'),
})

const settings = createRoute({
  getParentRoute: () => engagement,
  path: '/settings',
  validateSearch: (raw: Raw) => definedParams({ clone: flag(raw.clone) }),
  component: lazyPage(() => import('./settings/SettingsPage.tsx'), 'SettingsPage'),
})

const at =
  (address: (slug: string, engagementId: string) => string) =>
  ({ slug, engagementId }: PageAddress) =>
    address(slug, engagementId)

export const engagements = feature({
  routes: { readers: [list], engagement: [overview, edit, activity, files, settings] },
  navigation: [
    {
      area: 'work',
      label: 'Engagements',
      to: ({ slug }) => engagementsPaths.engagements(slug),
      icon: IconTarget,
      isFor: ({ permissions }) => permissions.readEngagements,
      key: 'E',
    },
    { area: 'engagement', group: 'overview', label: 'Overview', to: at(engagementsPaths.engagement), icon: IconClipboardText, key: 'O', isOnBar: true },
    { area: 'engagement', label: 'Files', to: at(engagementsPaths.engagementFiles), icon: IconFiles, key: 'F', keywords: 'uploads' },
    {
      area: 'engagement',
      label: 'Activity',
      to: at(engagementsPaths.engagementActivity),
      icon: IconHistory,
      key: 'A',
      keywords: 'history log changes',
    },
    {
      area: 'engagement',
      label: 'Settings',
      to: at(engagementsPaths.engagementSettings),
      icon: IconSettings,
      keywords: 'details team dates access delete',
      isLast: true,
    },
  ],
  commands: [
    {
      id: 'new-engagement',
      label: 'Create an engagement',
      icon: IconPlus,
      keywords: 'new add',
      to: ({ slug }) => `${engagementsPaths.engagements(slug)}?create=true`,
      isFor: ({ permissions }) => permissions.changeEngagements,
    },
  ],
  live: {
    engagement: ['listEngagementSummaries', 'countEngagementSummaries', 'listEngagements', 'getEngagement', 'getEngagementDetails'],
    file: ['listFiles'],
    any: ['listEngagementActivity', 'getEngagementOverview'],
  },
})
