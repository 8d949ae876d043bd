import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { IconCheck, IconSelector } from '../../ui/icons.tsx'
import type { OwnOrganization } from '../context/organization.tsx'
import classes from './menus.module.css'

/** Shows the organization, and switches to another of the user's organizations. */
export const OrganizationSwitcher = ({
  current,
  organizations,
}: {
  current: OwnOrganization
  organizations: readonly OwnOrganization[]
}) => {
  const router = useRouter()
  return (
    <DropdownMenu
      position="bottom-start"
      width={236}
      target={
        <UnstyledButton className={classes.trigger}>
          <Avatar size={22} radius="sm" color="accent" variant="filled" aria-hidden>
            {initial(current.name)}
          </Avatar>
          <span className="visually-hidden">Organization: </span>
          <Text component="span" size="sm" fw={600} truncate className={classes.name}>
            {current.name}
          </Text>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      }
    >
      <Menu.Label>Your organizations</Menu.Label>
      {organizations.map((organization) => (
        <Menu.Item
          key={organization.id}
          onClick={() => void router.navigate({ href: paths.engagements(organization.slug) })}
          rightSection={organization.id === current.id ? <IconCheck size={14} aria-label="current" /> : undefined}
        >
          <Text size="sm" truncate>
            {organization.name}
          </Text>
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}

export const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?'
