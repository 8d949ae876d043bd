import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconWorld } from '../../ui/icons.tsx'
import { domainsPaths } from './domains.paths.ts'
import { settingsPage } from './domains.routes.ts'

export const domains = feature({
  routes: { admins: [lazyPage(settingsPage, () => import('./DomainsPage.tsx'), 'DomainsPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Domains',
      to: ({ slug }) => domainsPaths.domains(slug),
      icon: IconWorld,
      keywords: 'verified dns',
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listDomains'] },
})
