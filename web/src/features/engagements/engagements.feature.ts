import { ENGAGEMENT_SORTS, ENGAGEMENT_STATUSES } from '@sortie/contract/engagements.ts'
import { IconPlus, IconTarget } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, page, type Raw, said, word } from '../../search.ts'
import { engagement, readers } from '../../shell/parents.ts'
import { engagementsPaths } from './engagements.paths.ts'

const search = (raw: Raw) =>
  said({
    status: word(ENGAGEMENT_STATUSES, raw.status),
    sort: word(ENGAGEMENT_SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    page: page(raw.page),
    create: flag(raw.create),
  })

const list = createRoute({
  getParentRoute: () => readers,
  path: '/engagements',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./EngagementsPage.tsx'), 'EngagementsPage'),
})
const overview = createRoute({
  getParentRoute: () => engagement,
  path: '/',
  component: lazyRouteComponent(() => import('./EngagementPage.tsx'), 'EngagementPage'),
})

export const engagements = feature({
  routes: { readers: [list], engagement: [overview] },
  navigation: [
    {
      area: 'work',
      label: 'Engagements',
      to: ({ slug }) => engagementsPaths.engagements(slug),
      icon: IconTarget,
      isFor: ({ permissions }) => permissions.readEngagements,
    },
  ],
  commands: [
    {
      id: 'new-engagement',
      label: 'Create an engagement',
      icon: IconPlus,
      keywords: 'new add',
      to: ({ slug }) => `${engagementsPaths.engagements(slug)}?create=true`,
      isFor: ({ permissions }) => permissions.changeEngagements,
    },
  ],
})
