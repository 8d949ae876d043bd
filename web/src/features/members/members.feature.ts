import { ROLES } from '@sortie/contract/core/scopes.ts'
import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, page, type Raw, definedParams, word } from '../../search.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { organization } from '../../shell/routing/parents.ts'
import { IconUserPlus, IconUsers } from '../../ui/icons.tsx'
import { membersPaths } from './members.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => organization,
  path: '/settings/members',
  validateSearch: (raw: Raw) => definedParams({ role: word(ROLES, raw.role), page: page(raw.page), invite: flag(raw.invite) }),
  component: lazyPage(() => import('./MembersPage.tsx'), 'MembersPage'),
})

export const members = feature({
  routes: { organization: [settingsPage] },
  navigation: [{ area: 'settings', label: 'Members', to: ({ slug }) => membersPaths.members(slug), icon: IconUsers, keywords: 'people users team roles' }],
  live: { member: ['listMembers', 'listMemberSecondFactors'] },
  commands: [
    {
      id: 'invite',
      label: 'Invite people',
      icon: IconUserPlus,
      keywords: 'new add member',
      to: ({ slug }) => `${membersPaths.members(slug)}?invite=true`,
      isFor: isAdmin,
    },
  ],
})
