import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { account as parent } from '../../shell/routing/parents.ts'
import { IconBell, IconDeviceLaptop, IconLock, IconShieldLock, IconUser } from '../../ui/icons.tsx'
import { accountPaths } from './account.paths.ts'

const profile = createRoute({
  getParentRoute: () => parent,
  path: '/profile',
  component: lazyPage(() => import('./ProfilePage.tsx'), 'ProfilePage'),
})
const password = createRoute({
  getParentRoute: () => parent,
  path: '/password',
  component: lazyPage(() => import('./PasswordPage.tsx'), 'PasswordPage'),
})
const secondFactor = createRoute({
  getParentRoute: () => parent,
  path: '/second-factor',
  component: lazyPage(() => import('./second-factor/SecondFactorPage.tsx'), 'SecondFactorPage'),
})
const sessions = createRoute({
  getParentRoute: () => parent,
  path: '/sessions',
  component: lazyPage(() => import('./SessionsPage.tsx'), 'SessionsPage'),
})
const notifications = createRoute({
  getParentRoute: () => parent,
  path: '/notifications',
  component: lazyPage(() => import('./NotificationsPage.tsx'), 'NotificationsPage'),
})

export const account = feature({
  routes: { account: [profile, password, secondFactor, sessions, notifications] },
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
    { area: 'account', label: 'Sessions', to: accountPaths.sessions, icon: IconDeviceLaptop, keywords: 'devices browsers' },
    { area: 'account', label: 'Notifications', to: accountPaths.notifications, icon: IconBell, keywords: 'mail' },
  ],
})
