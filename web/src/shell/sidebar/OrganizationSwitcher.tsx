import { Text, UnstyledButton } from '@mantine/core'
import { IconSelector } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { MenuButton } from '../../ui/overlays/MenuButton.tsx'
import type { OwnOrganization } from '../context/organization.tsx'
import classes from './menus.module.css'

const OrganizationItems = lazyPart(() => import('./SidebarItems.tsx'), 'OrganizationItems')

/** Shows the organization, and switches to another of the user's organizations. */
export const OrganizationSwitcher = ({
  current,
  organizations,
}: {
  current: OwnOrganization
  organizations: readonly OwnOrganization[]
}) => (
  <MenuButton
    position="bottom-start"
    width={236}
    button={
      <UnstyledButton className={classes.trigger}>
        <span className={classes.initial} aria-hidden>
          {initial(current.name)}
        </span>
        <span className="visually-hidden">Organization: </span>
        <Text component="span" size="sm" fw={600} truncate className={classes.name}>
          {current.name}
        </Text>
        <IconSelector size={14} aria-hidden />
      </UnstyledButton>
    }
  >
    <OrganizationItems current={current} organizations={organizations} />
  </MenuButton>
)

const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?'
