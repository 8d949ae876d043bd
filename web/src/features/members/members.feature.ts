import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconUserPlus, IconUsers } from '../../ui/icons.tsx'
import { membersPaths } from './members.paths.ts'
import { settingsPage } from './members.routes.ts'

export const members = feature({
  routes: { organization: [lazyPage(settingsPage, () => import('./MembersPage.tsx'), 'MembersPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Members',
      to: ({ slug }) => membersPaths.members(slug),
      icon: IconUsers,
      keywords: 'people users team roles',
    },
  ],
  live: { member: ['listMembers', 'listMemberSecondFactors'], setting: ['listMemberSecondFactors'] },
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
