import { INVITATION_STATUSES } from '@sortie/contract/organization/invitations.ts'
import { createRoute } from '@tanstack/react-router'
import { type Raw, definedParams, word } from '../../search.ts'
import { admins } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/invitations',
  validateSearch: (raw: Raw) => definedParams({ status: word([...INVITATION_STATUSES, 'all'] as const, raw.status) }),
})
