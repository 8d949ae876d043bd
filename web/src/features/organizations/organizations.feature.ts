import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconSettings } from '../../ui/icons.tsx'
import { organizationsPaths } from './organizations.paths.ts'
import { settingsPage } from './organizations.routes.ts'

export const organizations = feature({
  routes: { organization: [lazyPage(settingsPage, () => import('./GeneralPage.tsx'), 'GeneralPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'General',
      to: ({ slug }) => organizationsPaths.general(slug),
      icon: IconSettings,
      keywords: 'organization name slug',
    },
  ],
  live: { setting: ['getOrganization', 'listViews', 'getReportSettings', 'getSigningCertificate'] },
})
