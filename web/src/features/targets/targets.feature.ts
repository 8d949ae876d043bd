import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { IconFocus2 } from '../../ui/icons.tsx'
import { targetsSearch } from './list/targets-search.ts'
import { targetsPaths } from './targets.paths.ts'

const list = createRoute({
  getParentRoute: () => engagement,
  path: '/targets',
  validateSearch: targetsSearch,
  component: lazyPage(() => import('./list/TargetsPage.tsx'), 'TargetsPage'),
})
const one = createRoute({
  getParentRoute: () => readers,
  path: '/targets/$targetId',
  component: lazyPage(() => import('./OpenTarget.tsx'), 'OpenTarget'),
})

export const targets = feature({
  routes: { readers: [one], engagement: [list] },
  navigation: [
    {
      area: 'engagement',
      group: 'recon',
      label: 'Targets',
      to: ({ slug, engagementId }) => targetsPaths.targets(slug, engagementId),
      icon: IconFocus2,
      key: 'T',
      keywords: 'hosts domains addresses networks urls assets',
    },
  ],
  live: { target: ['listTargets', 'countTargets', 'getTarget'] },
})
