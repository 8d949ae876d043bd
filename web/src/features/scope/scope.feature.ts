import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { engagement } from '../../shell/parents.ts'
import { IconShieldCheck } from '../../ui/icons.tsx'
import { scopeSearch } from './scope-search.ts'
import { scopePaths } from './scope.paths.ts'

const page = createRoute({
  getParentRoute: () => engagement,
  path: '/scope',
  validateSearch: scopeSearch,
  component: lazyRouteComponent(() => import('./ScopePage.tsx'), 'ScopePage'),
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
