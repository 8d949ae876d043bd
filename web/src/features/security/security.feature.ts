import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins } from '../../shell/routing/parents.ts'
import { IconShieldLock } from '../../ui/icons.tsx'
import { securityPaths } from './security.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/security',
  component: lazyPage(() => import('./SecurityPage.tsx'), 'SecurityPage'),
})

export const security = feature({
  routes: { admins: [settingsPage] },
  navigation: [
    {
      area: 'settings',
      label: 'Security',
      to: ({ slug }) => securityPaths.security(slug),
      icon: IconShieldLock,
      keywords: 'sso single sign-on saml 2fa mfa',
      isFor: isAdmin,
    },
  ],
})
