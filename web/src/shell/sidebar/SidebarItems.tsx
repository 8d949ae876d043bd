import { Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messageOf } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { IconHeartbeat, IconUser } from '../../ui/icons.tsx'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '../../ui/page-icons.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import type { OwnOrganization } from '../context/organization.tsx'
import { type Account, signOut } from '../context/session.tsx'
import classes from './menus.module.css'

const THEMES = [
  { value: 'auto', label: 'System theme', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light theme', icon: IconSun },
  { value: 'dark', label: 'Dark theme', icon: IconMoon },
] as const

/** Items of the menu of the signed-in user. */
export const AccountItems = ({ account }: { account: Account }) => {
  const router = useRouter()
  const cache = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label className={classes.address}>{account.email}</Menu.Label>
      <Menu.Item
        leftSection={<IconUser size={15} aria-hidden />}
        onClick={() => void router.navigate({ href: paths.profile() })}
      >
        Account
      </Menu.Item>
      {account.isInstanceAdmin && (
        <Menu.Item
          leftSection={<IconHeartbeat size={15} aria-hidden />}
          onClick={() => void router.navigate({ href: paths.instance() })}
        >
          Instance administration
        </Menu.Item>
      )}
      <Menu.Divider />
      {THEMES.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={15} aria-hidden />}
          onClick={() => setColorScheme(value)}
          {...(colorScheme === value && { rightSection: <IconCheck size={14} aria-label="current" /> })}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={15} aria-hidden />}
        onClick={() => {
          signOut(cache, paths.signIn()).catch((error: unknown) => toastError(messageOf(error)))
        }}
      >
        Sign out
      </Menu.Item>
    </>
  )
}

/** Items of the menu of organizations. */
export const OrganizationItems = ({
  current,
  organizations,
}: {
  current: OwnOrganization
  organizations: readonly OwnOrganization[]
}) => {
  const router = useRouter()
  return (
    <>
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
    </>
  )
}
