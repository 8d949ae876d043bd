import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBell, IconDeviceLaptop, IconLock, IconShieldLock, IconUser } from '../../ui/icons.tsx'
import { accountPaths } from './account.paths.ts'
import { profile, password, secondFactor, sessions, notifications } from './account.routes.ts'

export const account = feature({
  routes: {
    account: [
      lazyPage(profile, () => import('./ProfilePage.tsx'), 'ProfilePage'),
      lazyPage(password, () => import('./PasswordPage.tsx'), 'PasswordPage'),
      lazyPage(secondFactor, () => import('./second-factor/SecondFactorPage.tsx'), 'SecondFactorPage'),
      lazyPage(sessions, () => import('./SessionsPage.tsx'), 'SessionsPage'),
      lazyPage(notifications, () => import('./NotificationsPage.tsx'), 'NotificationsPage'),
    ],
  },
  navigation: [
    { area: 'account', label: 'Profile', to: accountPaths.profile, icon: IconUser, keywords: 'name email me' },
    { area: 'account', label: 'Password', to: accountPaths.password, icon: IconLock, keywords: 'change' },
    {
      area: 'account',
      label: 'Two-factor authentication',
      to: accountPaths.secondFactor,
      icon: IconShieldLock,
      keywords: '2fa mfa two-factor authentication totp passkey webauthn recovery codes',
    },
    {
      area: 'account',
      label: 'Sessions',
      to: accountPaths.sessions,
      icon: IconDeviceLaptop,
      keywords: 'devices browsers',
    },
    { area: 'account', label: 'Notifications', to: accountPaths.notifications, icon: IconBell, keywords: 'mail' },
  ],
})
