import { feature, type PageAddress } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconClipboardText, IconFiles, IconHistory, IconPlus, IconSettings, IconTarget } from '../../ui/icons.tsx'
import { engagementsPaths } from './engagements.paths.ts'
import { list, deleted, overview, edit, activity, files, settings } from './engagements.routes.ts'

const at =
  (address: (slug: string, engagementId: string) => string) =>
  ({ slug, engagementId }: PageAddress) =>
    address(slug, engagementId)

export const engagements = feature({
  routes: {
    admins: [lazyPage(deleted, () => import('./deleted/DeletedEngagementsPage.tsx'), 'DeletedEngagementsPage')],
    readers: [lazyPage(list, () => import('./list/EngagementsPage.tsx'), 'EngagementsPage')],
    engagement: [
      lazyPage(overview, () => import('./workspace/overview/OverviewPage.tsx'), 'OverviewPage'),
      edit,
      lazyPage(activity, () => import('./workspace/ActivityPage.tsx'), 'ActivityPage'),
      lazyPage(files, () => import('./files/FilesPage.tsx'), 'FilesPage'),
      lazyPage(settings, () => import('./settings/SettingsPage.tsx'), 'SettingsPage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Engagements',
      to: ({ slug }) => engagementsPaths.engagements(slug),
      icon: IconTarget,
      isFor: ({ permissions }) => permissions.readEngagements,
      key: 'E',
    },
    {
      area: 'settings',
      label: 'Deleted engagements',
      to: ({ slug }) => engagementsPaths.deletedEngagements(slug),
      icon: IconHistory,
      keywords: 'trash restore purge recycle bin',
      isFor: isAdmin,
      isLast: true,
    },
    {
      area: 'engagement',
      group: 'overview',
      label: 'Overview',
      to: at(engagementsPaths.engagement),
      icon: IconClipboardText,
      key: 'O',
      isOnBar: true,
    },
    {
      area: 'engagement',
      label: 'Files',
      to: at(engagementsPaths.engagementFiles),
      icon: IconFiles,
      key: 'F',
      keywords: 'uploads',
    },
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
      isFor: ({ permissions }) => permissions.createEngagements,
    },
  ],
  live: {
    engagement: [
      'listEngagementSummaries',
      'countEngagementSummaries',
      'listEngagements',
      'listTrashedEngagements',
      'getEngagement',
      'getEngagementDetails',
    ],
    file: ['listFiles'],
    any: ['listEngagementActivity', 'getEngagementOverview'],
  },
})
