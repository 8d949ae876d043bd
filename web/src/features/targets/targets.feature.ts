import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconFocus2 } from '../../ui/icons.tsx'
import { targetsPaths } from './targets.paths.ts'
import { list, one, page } from './targets.routes.ts'

export const targets = feature({
  routes: {
    readers: [lazyPage(one, () => import('./OpenTarget.tsx'), 'OpenTarget')],
    engagement: [
      lazyPage(list, () => import('./list/TargetsPage.tsx'), 'TargetsPage'),
      lazyPage(page, () => import('./page/TargetPage.tsx'), 'TargetPage'),
    ],
  },
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
  live: {
    target: ['listTargets', 'countTargets', 'getTarget', 'getTargetOverview'],
    result: ['listTargets', 'getTargetOverview'],
    task: ['getTargetOverview'],
    finding: ['getTargetOverview'],
  },
})
