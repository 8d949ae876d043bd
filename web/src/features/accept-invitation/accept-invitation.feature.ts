import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { root } from '../../shell/parents.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
  component: lazyRouteComponent(() => import('./AcceptInvitationPage.tsx'), 'AcceptInvitationPage'),
})

export const acceptInvitation = feature({ routes: { root: [page] } })
