import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconCrown } from '../../ui/icons.tsx'
import { ownershipPaths } from './ownership.paths.ts'
import { settingsPage } from './ownership.routes.ts'

export const ownership = feature({
  routes: { organization: [lazyPage(settingsPage, () => import('./OwnershipPage.tsx'), 'OwnershipPage')] },
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
