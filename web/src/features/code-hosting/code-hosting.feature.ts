import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins, instance } from '../../shell/routing/parents.ts'
import { IconGitBranch } from '../../ui/icons.tsx'
import { codeHostingPaths } from './code-hosting.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/code-hosting',
  component: lazyPage(() => import('./CodeHostingPage.tsx'), 'CodeHostingPage'),
})
const instancePage = createRoute({
  getParentRoute: () => instance,
  path: '/code-hosting',
  component: lazyPage(() => import('./InstanceCodeHostingPage.tsx'), 'InstanceCodeHostingPage'),
})

export const codeHosting = feature({
  routes: { admins: [settingsPage], instance: [instancePage] },
  navigation: [
    {
      area: 'settings',
      label: 'Code hosting',
      to: ({ slug }) => codeHostingPaths.codeHosting(slug),
      icon: IconGitBranch,
      keywords: 'github repositories',
      isFor: isAdmin,
    },
    { area: 'instance', label: 'Code hosting', to: codeHostingPaths.instanceCodeHosting, icon: IconGitBranch },
  ],
})
