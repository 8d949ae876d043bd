import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { IconCrown } from '../../ui/icons.tsx'
import { ownershipPaths } from './ownership.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => organization,
  path: '/settings/ownership',
  component: lazyPage(() => import('./OwnershipPage.tsx'), 'OwnershipPage'),
})

export const ownership = feature({
  routes: { organization: [settingsPage] },
  navigation: [
    {
      area: 'settings',
      label: 'Ownership',
      to: ({ slug }) => ownershipPaths.ownership(slug),
      icon: IconCrown,
      keywords: 'transfer owner',
      isFor: ({ role }) => role === 'owner',
    },
  ],
})
