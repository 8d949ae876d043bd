import {
  IconBell,
  IconBuilding,
  IconClipboardList,
  IconCode,
  IconCreditCard,
  IconCrown,
  IconDeviceLaptop,
  IconGitBranch,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconLock,
  IconMail,
  IconMailForward,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconTarget,
  IconUser,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import { paths } from '../paths.ts'
import { isAdmin, type OwnOrganization } from './organization.tsx'

export interface Destination {
  label: string
  to: string
  icon: typeof IconTarget
  /** Not a page of the web interface: opens in a tab of its own. */
  isExternal?: true
}

/** Where the work happens. */
export const workDestinations = ({ slug, permissions }: OwnOrganization): Destination[] =>
  permissions.readEngagements ? [{ label: 'Engagements', to: paths.engagements(slug), icon: IconTarget }] : []

export const apiReference: Destination = { label: 'API', to: paths.apiReference, icon: IconCode, isExternal: true }

/** Below the work: what is about the organization as a whole. */
export const organizationDestinations = ({ slug }: OwnOrganization): Destination[] => [
  apiReference,
  { label: 'Settings', to: paths.general(slug), icon: IconSettings },
]

/** Settings that the role may see. */
export const settingsDestinations = (organization: OwnOrganization): Destination[] => {
  const { slug, role } = organization
  const everybody = [
    { label: 'General', to: paths.general(slug), icon: IconSettings },
    { label: 'Members', to: paths.members(slug), icon: IconUsers },
  ]
  if (!isAdmin(organization)) return everybody
  const admins = [
    { label: 'Security', to: paths.security(slug), icon: IconShieldLock },
    { label: 'Domains', to: paths.domains(slug), icon: IconWorld },
    { label: 'Invitations', to: paths.invitations(slug), icon: IconMailForward },
    { label: 'API keys', to: paths.apiKeys(slug), icon: IconKey },
    { label: 'Billing', to: paths.billing(slug), icon: IconCreditCard },
    { label: 'Code hosting', to: paths.codeHosting(slug), icon: IconGitBranch },
    { label: 'Audit log', to: paths.audit(slug), icon: IconHistory },
  ]
  const owner = [{ label: 'Ownership', to: paths.ownership(slug), icon: IconCrown }]
  return [...everybody, ...admins, ...(role === 'owner' ? owner : [])]
}

export const accountDestinations = (): Destination[] => [
  { label: 'Profile', to: paths.profile(), icon: IconUser },
  { label: 'Password', to: paths.password(), icon: IconLock },
  { label: 'Second factor', to: paths.secondFactor(), icon: IconShieldLock },
  { label: 'Sessions', to: paths.sessions(), icon: IconDeviceLaptop },
  { label: 'Notifications', to: paths.notifications(), icon: IconBell },
]

export const instanceDestinations = (): Destination[] => [
  { label: 'Overview', to: paths.instance(), icon: IconHeartbeat },
  { label: 'Organizations', to: paths.instanceOrganizations(), icon: IconBuilding },
  { label: 'Accounts', to: paths.instanceAccounts(), icon: IconUsers },
  { label: 'Billing', to: paths.instanceBilling(), icon: IconCreditCard },
  { label: 'Code hosting', to: paths.instanceCodeHosting(), icon: IconGitBranch },
  { label: 'Mail outbox', to: paths.instanceMails(), icon: IconMail },
  { label: 'Jobs', to: paths.instanceJobs(), icon: IconStack2 },
]

export const ENGAGEMENT_ICON = IconClipboardList
