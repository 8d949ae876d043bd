import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconShieldLock } from '../../ui/icons.tsx'
import { securityPaths } from './security.paths.ts'
import { settingsPage } from './security.routes.ts'

export const security = feature({
  routes: { admins: [lazyPage(settingsPage, () => import('./SecurityPage.tsx'), 'SecurityPage')] },
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
  live: { setting: ['getSecurityOverview'], member: ['getSecurityOverview'] },
})
