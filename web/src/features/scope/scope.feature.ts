import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconShieldCheck } from '../../ui/icons.tsx'
import { scopePaths } from './scope.paths.ts'
import { page } from './scope.routes.ts'

export const scope = feature({
  routes: { engagement: [lazyPage(page, () => import('./list/ScopePage.tsx'), 'ScopePage')] },
  navigation: [
    {
      area: 'engagement',
      group: 'plan',
      label: 'Scope',
      to: ({ slug, engagementId }) => scopePaths.scope(slug, engagementId),
      icon: IconShieldCheck,
      key: 'S',
      keywords: 'rules allowed denied in out of bounds check',
    },
  ],
  live: { scope: ['listScopeRules', 'listTargets', 'countTargets', 'getTarget', 'checkScope'] },
})
