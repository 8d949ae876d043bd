import { INVITATION_STATUSES } from '@sortie/contract/organization/invitations.ts'
import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { type Raw, definedParams, word } from '../../search.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins } from '../../shell/routing/parents.ts'
import { IconMailForward } from '../../ui/icons.tsx'
import { invitationsPaths } from './invitations.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/invitations',
  validateSearch: (raw: Raw) => definedParams({ status: word([...INVITATION_STATUSES, 'all'] as const, raw.status) }),
  component: lazyPage(() => import('./InvitationsPage.tsx'), 'InvitationsPage'),
})

export const invitations = feature({
  routes: { admins: [settingsPage] },
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
})
