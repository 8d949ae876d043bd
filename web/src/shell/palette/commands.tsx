import { useMantineColorScheme } from '@mantine/core'
import { IconBuilding, IconKey, IconLogout, IconMoon, IconPlus, IconSun, IconUser, IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messageOf, query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { toastError } from '../../ui/toast.ts'
import {
  accountDestinations,
  apiReference,
  type Destination,
  ENGAGEMENT_ICON,
  instanceDestinations,
  settingsDestinations,
  workDestinations,
} from '../navigation.ts'
import { isAdmin, lastOrganization, type OwnOrganization, useMaybeOrganization } from '../organization.tsx'
import { organizationsQuery, signOut, useAccount } from '../session.tsx'

export interface Command {
  id: string
  label: string
  group: string
  icon: Destination['icon']
  /** Other words that find it. */
  keywords?: string
  run: () => void
}

/** Everything that the person may do or see from here, the likeliest first. */
export const useCommands = (): { commands: Command[]; isLoading: boolean } => {
  const router = useRouter()
  const cache = useQueryClient()
  const account = useAccount()
  const { setColorScheme } = useMantineColorScheme()
  const { data: own } = useQuery(organizationsQuery())
  const organizations = own?.data ?? []
  const organization = useMaybeOrganization() ?? lastOrganization(organizations)
  const engagements = useQuery({
    ...query(organization?.id ?? null, 'listEngagements', { query: { perPage: 100, sort: 'updatedAt' } }),
    enabled: organization?.permissions.readEngagements ?? false,
  })
  const members = useQuery({ ...query(organization?.id ?? null, 'listMembers', { query: { perPage: 100 } }), enabled: organization !== undefined })
  // What only opens a dialog of this page is no step that Back undoes.
  const go = (href: string) => void router.navigate({ href, replace: href.split('?')[0] === router.state.location.pathname })
  const page =
    (group: string) =>
    (destination: Destination): Command => ({
      id: destination.to,
      label: destination.label,
      group,
      icon: destination.icon,
      run: () => (destination.isExternal ? void window.open(destination.to, '_blank', 'noreferrer') : go(destination.to)),
    })

  const commands = [
    ...(organization ? workDestinations(organization).map(page('Go to')) : []),
    ...(organization ? actions(organization, go) : []),
    ...(engagements.data?.data ?? []).map(
      (engagement): Command => ({
        id: engagement.id,
        label: engagement.name,
        group: 'Engagement',
        icon: ENGAGEMENT_ICON,
        keywords: engagement.status,
        run: () => organization && go(paths.engagement(organization.slug, engagement.id)),
      }),
    ),
    ...(members.data?.data ?? []).map(
      (member): Command => ({
        id: member.id,
        label: member.name,
        group: 'Member',
        icon: IconUser,
        keywords: `${member.email} ${member.role}`,
        run: () => organization && go(paths.members(organization.slug)),
      }),
    ),
    ...(organization ? [...settingsDestinations(organization).map(page('Settings')), page('Go to')(apiReference)] : []),
    ...accountDestinations().map(page('Account')),
    ...(account.isInstanceAdmin ? instanceDestinations().map(page('Instance')) : []),
    ...organizations
      .filter(({ id }) => id !== organization?.id)
      .map(
        (other): Command => ({
          id: other.id,
          label: `Switch to ${other.name}`,
          group: 'Organization',
          icon: IconBuilding,
          run: () => go(paths.engagements(other.slug)),
        }),
      ),
    { id: 'light', label: 'Use the light theme', group: 'Action', icon: IconSun, keywords: 'colour mode', run: () => setColorScheme('light') },
    { id: 'dark', label: 'Use the dark theme', group: 'Action', icon: IconMoon, keywords: 'colour mode', run: () => setColorScheme('dark') },
    {
      id: 'sign-out',
      label: 'Sign out',
      group: 'Action',
      icon: IconLogout,
      run: () => {
        signOut(cache, paths.signIn()).catch((error: unknown) => toastError(messageOf(error)))
      },
    },
  ]
  return { commands, isLoading: engagements.isLoading || members.isLoading }
}

const actions = (organization: OwnOrganization, go: (href: string) => void): Command[] => [
  ...(organization.permissions.changeEngagements
    ? [
        {
          id: 'new-engagement',
          label: 'Create an engagement',
          group: 'Action',
          icon: IconPlus,
          keywords: 'new add',
          run: () => go(`${paths.engagements(organization.slug)}?create=true`),
        },
      ]
    : []),
  ...(isAdmin(organization)
    ? [
        {
          id: 'invite',
          label: 'Invite people',
          group: 'Action',
          icon: IconUserPlus,
          keywords: 'new add member',
          run: () => go(`${paths.members(organization.slug)}?invite=true`),
        },
        {
          id: 'new-key',
          label: 'Create an API key',
          group: 'Action',
          icon: IconKey,
          keywords: 'new add token',
          run: () => go(`${paths.apiKeys(organization.slug)}?create=true`),
        },
      ]
    : []),
]
