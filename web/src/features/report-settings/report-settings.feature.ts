import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFlag } from '../../ui/icons.tsx'
import { reportSettingsPaths } from './report-settings.paths.ts'
import { settingsPage } from './report-settings.routes.ts'

export const reportSettings = feature({
  routes: { admins: [lazyPage(settingsPage, () => import('./ReportSettingsPage.tsx'), 'ReportSettingsPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Findings and reports',
      to: ({ slug }) => reportSettingsPaths.reportSettings(slug),
      icon: IconFlag,
      keywords: 'four-eyes review approval language',
      isFor: isAdmin,
    },
  ],
})
