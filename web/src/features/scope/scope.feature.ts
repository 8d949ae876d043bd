import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement } from '../../shell/routing/parents.ts'
import { IconShieldCheck } from '../../ui/icons.tsx'
import { scopeSearch } from './list/scope-search.ts'
import { scopePaths } from './scope.paths.ts'

const page = createRoute({
  getParentRoute: () => engagement,
  path: '/scope',
  validateSearch: scopeSearch,
  component: lazyPage(() => import('./list/ScopePage.tsx'), 'ScopePage'),
})

export const scope = feature({
  routes: { engagement: [page] },
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
