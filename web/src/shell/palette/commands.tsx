import { useMantineColorScheme } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { messageOf, query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { type Command, useRegisteredCommands } from '../../ui/commands/commands.ts'
import { type Icon, IconBuilding, IconSearch, IconUser } from '../../ui/icons.tsx'
import { IconBolt, IconClipboardList, IconLogout, IconMoon, IconSun } from '../../ui/page-icons.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { useFeatures } from '../context/features.ts'
import { lastOrganization, useMaybeOrganization } from '../context/organization.tsx'
import { organizationsQuery, signOut, useAccount } from '../context/session.tsx'
import { type Destination, destinations, featureCommands } from '../sidebar/navigation.ts'

export interface PaletteCommand extends Command {
  icon: Icon
  run: () => void
  /** Heading of its section in the list. */
  chapter?: string
}

interface Palette {
  commands: PaletteCommand[]
  isLoading: boolean
  /** Command that searches on the server; absent outside an organization. */
  searchFor?: (text: string) => PaletteCommand
}

/** Everything that the user can do or open from here, likeliest first. */
export const usePaletteCommands = (): Palette => {
  const router = useRouter()
  const here = useRegisteredCommands()
  const features = useFeatures()
  const { engagementId } = useParams({ strict: false })
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
  const members = useQuery({
    ...query(organization?.id ?? null, 'listMembers', { query: { perPage: 100 } }),
    enabled: organization !== undefined,
  })
  // Opening a dialog of this page adds no history entry.
  const go = (href: string) =>
    void router.navigate({ href, replace: href.split('?')[0] === router.state.location.pathname })
  const page =
    (group: string) =>
    (destination: Destination): PaletteCommand => ({
      id: destination.to,
      label: destination.label,
      group,
      icon: destination.icon,
      ...(destination.keywords && { keywords: destination.keywords }),
      run: () =>
        destination.isExternal ? void window.open(destination.to, '_blank', 'noreferrer') : go(destination.to),
    })

  // A command without `run` is only for the shortcut sheet.
  const ofThisPage = here.flatMap(({ icon = IconBolt, run, ...command }): PaletteCommand[] =>
    run && command.group !== 'Go to' ? [{ ...command, icon, run }] : [],
  )
  const commands = [
    ...ofThisPage,
    ...(organization && engagementId
      ? destinations(features, 'engagement', organization, engagementId).map(page('Go to'))
      : []),
    ...(organization ? destinations(features, 'work', organization).map(page('Go to')) : []),
    ...(organization ? featureCommands(features, organization, engagementId) : [])
      .filter(({ label }) => !ofThisPage.some((command) => command.label === label))
      .map((command): PaletteCommand => ({ ...command, group: 'Action', run: () => go(command.to) })),
    ...(engagements.data?.data ?? []).map((engagement): PaletteCommand => ({
      id: engagement.id,
      label: engagement.name,
      group: 'Engagement',
      icon: IconClipboardList,
      keywords: engagement.status,
      run: () => organization && go(paths.engagement(organization.slug, engagement.id)),
    })),
    ...(members.data?.data ?? []).map((member): PaletteCommand => ({
      id: member.id,
      label: member.name,
      group: 'Member',
      icon: IconUser,
      keywords: `${member.email} ${member.role}`,
      run: () => organization && go(paths.members(organization.slug)),
    })),
    ...(organization
      ? [
          ...destinations(features, 'settings', organization).map(page('Settings')),
          ...destinations(features, 'organization', organization).map(page('Go to')),
        ]
      : []),
    ...destinations(features, 'account', organization).map(page('Account')),
    ...(account.isInstanceAdmin ? destinations(features, 'instance', organization).map(page('Instance')) : []),
    ...organizations
      .filter(({ id }) => id !== organization?.id)
      .map((other): PaletteCommand => ({
        id: other.id,
        label: `Switch to ${other.name}`,
        group: 'Organization',
        icon: IconBuilding,
        run: () => go(paths.engagements(other.slug)),
      })),
    {
      id: 'light',
      label: 'Use the light theme',
      group: 'Action',
      icon: IconSun,
      keywords: 'colour mode',
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: 'Use the dark theme',
      group: 'Action',
      icon: IconMoon,
      keywords: 'colour mode',
      run: () => setColorScheme('dark'),
    },
    {
      id: 'sign-out',
      label: 'Sign out',
      group: 'Action',
      icon: IconLogout,
      keywords: 'logout log off leave',
      run: () => {
        signOut(cache, paths.signIn()).catch((error: unknown) => toastError(messageOf(error)))
      },
    },
  ]
  const searchFor = (text: string): PaletteCommand => ({
    id: 'search-everything',
    label: `Search everything for “${text}”`,
    group: 'Search',
    icon: IconSearch,
    run: () =>
      organization &&
      void router.navigate({
        to: '/o/$slug/search',
        params: { slug: organization.slug },
        search: { q: text.slice(0, 200) },
      }),
  })
  return { commands, isLoading: engagements.isLoading || members.isLoading, ...(organization && { searchFor }) }
}
