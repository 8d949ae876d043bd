import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconGitBranch } from '../../ui/icons.tsx'
import { codeHostingPaths } from './code-hosting.paths.ts'
import { settingsPage, instancePage } from './code-hosting.routes.ts'

export const codeHosting = feature({
  routes: {
    admins: [lazyPage(settingsPage, () => import('./CodeHostingPage.tsx'), 'CodeHostingPage')],
    instance: [lazyPage(instancePage, () => import('./InstanceCodeHostingPage.tsx'), 'InstanceCodeHostingPage')],
  },
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
  live: { setting: ['listRepositories'] },
})
