import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { root } from '../../shell/routing/parents.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
  component: lazyPage(() => import('./AcceptInvitationPage.tsx'), 'AcceptInvitationPage'),
})

export const acceptInvitation = feature({ routes: { root: [page] } })
