import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { IconSettings } from '../../ui/icons.tsx'
import { organizationsPaths } from './organizations.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => organization,
  path: '/settings/general',
  component: lazyPage(() => import('./GeneralPage.tsx'), 'GeneralPage'),
})

export const organizations = feature({
  routes: { organization: [settingsPage] },
  navigation: [
    { area: 'settings', label: 'General', to: ({ slug }) => organizationsPaths.general(slug), icon: IconSettings, keywords: 'organization name slug' },
  ],
})
