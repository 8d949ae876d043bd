import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, type Raw, definedParams } from '../../search.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins } from '../../shell/routing/parents.ts'
import { IconWorld } from '../../ui/icons.tsx'
import { domainsPaths } from './domains.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/domains',
  validateSearch: (raw: Raw) => definedParams({ claim: flag(raw.claim) }),
  component: lazyPage(() => import('./DomainsPage.tsx'), 'DomainsPage'),
})

export const domains = feature({
  routes: { admins: [settingsPage] },
  navigation: [{ area: 'settings', label: 'Domains', to: ({ slug }) => domainsPaths.domains(slug), icon: IconWorld, keywords: 'verified dns', isFor: isAdmin }],
})
