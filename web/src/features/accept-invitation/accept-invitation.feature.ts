import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { page } from './accept-invitation.routes.ts'

export const acceptInvitation = feature({
  routes: { root: [lazyPage(page, () => import('./AcceptInvitationPage.tsx'), 'AcceptInvitationPage')] },
})
