import { Kbd, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconSearch, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../paths.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { PlainLink } from './links.tsx'
import { type Destination, destinations } from './navigation.ts'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { lastOrganization, type OwnOrganization, useMaybeOrganization } from './organization.tsx'
import { openPalette } from './palette/open-palette.ts'
import classes from './Sidebar.module.css'
import { organizationsQuery, useAccount } from './session.tsx'

/** `work`: the organization's own pages. `settings`: everything that is set up, grouped by whom it is about. */
export type SidebarKind = 'work' | 'settings'

export const Sidebar = ({ kind, onNavigate }: { kind: SidebarKind; onNavigate?: () => void }) => {
  const account = useAccount()
  const named = useMaybeOrganization()
  const { data } = useQuery(organizationsQuery())
  const organization = named ?? lastOrganization(data?.data ?? [])
  const groups: [string, Destination[]][] =
    kind === 'work'
      ? organization
        ? [
            ['Work', destinations('work', organization)],
            ['Organization', [...destinations('organization', organization), settingsOf(organization)]],
          ]
        : []
      : [
          ...(organization ? ([[organization.name, destinations('settings', organization)]] as [string, Destination[]][]) : []),
          ['Account', destinations('account', organization)],
          ...(account.isInstanceAdmin ? ([['Instance', destinations('instance', organization)]] as [string, Destination[]][]) : []),
        ]
  return (
    <div className={classes.sidebar}>
      {kind === 'work' && organization ? (
        <OrganizationSwitcher current={organization} organizations={data?.data ?? [organization]} />
      ) : (
        <PlainLink to={organization ? paths.engagements(organization.slug) : paths.home()} className={classes.back}>
          <IconArrowLeft size={16} aria-hidden />
          {organization ? 'Back to the work' : 'Home'}
        </PlainLink>
      )}
      <UnstyledButton
        className={classes.search}
        onClick={() => {
          onNavigate?.()
          openPalette()
        }}
      >
        <IconSearch size={15} aria-hidden />
        <span>Search or go to</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ScrollArea className={classes.scroll} type="auto" scrollbarSize={6}>
        <nav aria-label="Main">
          {groups.map(([title, links]) => (
            <div key={title} className={classes.group}>
              <Text className={classes.groupTitle} size="xs" c="dimmed" truncate>
                {title}
              </Text>
              <ul>
                {links.map(({ label, to, icon: Icon, isExternal }) => (
                  <li key={to}>
                    {isExternal ? (
                      <a href={to} className={classes.item} target="_blank" rel="noreferrer">
                        <Icon size={16} stroke={1.7} aria-hidden />
                        {label}
                      </a>
                    ) : (
                      <PlainLink to={to} className={classes.item} {...(onNavigate && { onClick: onNavigate })}>
                        <Icon size={16} stroke={1.7} aria-hidden />
                        {label}
                      </PlainLink>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </ScrollArea>
      <AccountMenu account={account} />
    </div>
  )
}

const settingsOf = ({ slug }: OwnOrganization): Destination => ({ label: 'Settings', to: paths.general(slug), icon: IconSettings })
