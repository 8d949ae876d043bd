import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconMailForward } from '../../ui/icons.tsx'
import { invitationsPaths } from './invitations.paths.ts'
import { settingsPage } from './invitations.routes.ts'

export const invitations = feature({
  routes: { admins: [lazyPage(settingsPage, () => import('./InvitationsPage.tsx'), 'InvitationsPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Invitations',
      to: ({ slug }) => invitationsPaths.invitations(slug),
      icon: IconMailForward,
      keywords: 'pending',
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listInvitations'], member: ['listInvitations'] },
})
