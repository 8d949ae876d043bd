import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { account as parent } from '../../shell/parents.ts'
import { IconBell, IconDeviceLaptop, IconLock, IconShieldLock, IconUser } from '../../ui/icons.tsx'
import { accountPaths } from './account.paths.ts'

const profile = createRoute({
  getParentRoute: () => parent,
  path: '/profile',
  component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'ProfilePage'),
})
const password = createRoute({
  getParentRoute: () => parent,
  path: '/password',
  component: lazyRouteComponent(() => import('./PasswordPage.tsx'), 'PasswordPage'),
})
const secondFactor = createRoute({
  getParentRoute: () => parent,
  path: '/second-factor',
  component: lazyRouteComponent(() => import('./SecondFactorPage.tsx'), 'SecondFactorPage'),
})
const sessions = createRoute({
  getParentRoute: () => parent,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./SessionsPage.tsx'), 'SessionsPage'),
})
const notifications = createRoute({
  getParentRoute: () => parent,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./NotificationsPage.tsx'), 'NotificationsPage'),
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
