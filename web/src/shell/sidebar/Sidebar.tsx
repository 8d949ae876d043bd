import { useQuery } from '@tanstack/react-query'
import { ENGAGEMENT_GROUPS, type Feature } from '../../feature.ts'
import { paths } from '../../paths.ts'
import { IconArrowLeft, IconSettings } from '../../ui/icons.tsx'
import { useFeatures } from '../context/features.ts'
import { lastOrganization, type OwnOrganization, useMaybeOrganization } from '../context/organization.tsx'
import { organizationsQuery, useAccount } from '../context/session.tsx'
import { PlainLink } from '../routing/links.tsx'
import { EngagementHeader } from './EngagementHeader.tsx'
import { type Destination, destinations } from './navigation.ts'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import classes from './Sidebar.module.css'
import { SidebarFrame, type SidebarGroup } from './SidebarFrame.tsx'

/** `work`: pages of the organization. `settings`: all settings, grouped by account, organization and instance. */
export type SidebarKind = 'work' | 'settings' | { engagementId: string }

/** @param onNavigate closes the drawer around the sidebar, if any */
export const Sidebar = ({ kind, onNavigate }: { kind: SidebarKind; onNavigate?: () => void }) => {
  const named = useMaybeOrganization()
  const features = useFeatures()
  const { data } = useQuery(organizationsQuery())
  const organizations = data?.data ?? []
  const organization = named ?? lastOrganization(organizations)
  const frame = { ...(onNavigate && { onNavigate }) }
  if (typeof kind === 'object' && organization) {
    return (
      <SidebarFrame {...frame} groups={engagementGroups(features, organization, kind.engagementId)}>
        <Back to={paths.engagements(organization.slug)} label="All engagements" {...frame} />
        <EngagementHeader engagementId={kind.engagementId} />
      </SidebarFrame>
    )
  }
  if (kind === 'work' && organization) {
    return (
      <SidebarFrame {...frame} groups={workGroups(features, organization)}>
        <OrganizationSwitcher current={organization} organizations={organizations} />
      </SidebarFrame>
    )
  }
  return <SettingsSidebar organization={organization} {...frame} />
}

const SettingsSidebar = ({
  organization,
  onNavigate,
}: {
  organization: OwnOrganization | undefined
  onNavigate?: () => void
}) => {
  const { isInstanceAdmin } = useAccount()
  const features = useFeatures()
  const groups: SidebarGroup[] = [
    ...(organization ? [{ title: organization.name, links: destinations(features, 'settings', organization) }] : []),
    { title: 'Account', links: destinations(features, 'account', organization) },
    ...(isInstanceAdmin ? [{ title: 'Instance', links: destinations(features, 'instance', organization) }] : []),
  ]
  const back = organization
    ? { to: paths.engagements(organization.slug), label: 'Back' }
    : { to: paths.home(), label: 'Home' }
  return (
    <SidebarFrame groups={groups} {...(onNavigate && { onNavigate })}>
      <Back {...back} {...(onNavigate && { onNavigate })} />
    </SidebarFrame>
  )
}

const Back = ({ to, label, onNavigate }: { to: string; label: string; onNavigate?: () => void }) => (
  <PlainLink to={to} className={classes.back} isExact {...(onNavigate && { onClick: onNavigate })}>
    <IconArrowLeft size={16} aria-hidden />
    {label}
  </PlainLink>
)

const workGroups = (features: readonly Feature[], organization: OwnOrganization): SidebarGroup[] => [
  { title: 'Work', links: destinations(features, 'work', organization) },
  { title: 'Organization', links: [...destinations(features, 'organization', organization), settingsOf(organization)] },
]

const settingsOf = ({ slug }: OwnOrganization): Destination => ({
  label: 'Settings',
  to: paths.general(slug),
  icon: IconSettings,
})

const GROUP_TITLES: Record<(typeof ENGAGEMENT_GROUPS)[number], string> = {
  overview: '',
  plan: 'Plan',
  recon: 'Recon',
  work: 'Work',
  deliver: 'Deliver',
  record: '',
}

const engagementGroups = (
  features: readonly Feature[],
  organization: OwnOrganization,
  engagementId: string,
): SidebarGroup[] => {
  const links = destinations(features, 'engagement', organization, engagementId)
  return ENGAGEMENT_GROUPS.map((name) => ({
    title: GROUP_TITLES[name],
    links: links.filter(({ group = 'record' }) => group === name),
  })).filter((group) => group.links.length > 0)
}
