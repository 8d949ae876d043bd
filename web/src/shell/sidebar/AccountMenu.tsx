import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messageOf } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { toastError } from '../../ui/feedback/toast.ts'
import { IconDeviceDesktop, IconHeartbeat, IconLogout, IconMoon, IconSun, IconUser } from '../../ui/icons.tsx'
import { type Account, signOut } from '../context/session.tsx'
import classes from './menus.module.css'
import { initial } from './OrganizationSwitcher.tsx'

const THEMES = [
  { value: 'auto', label: 'System theme', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light theme', icon: IconSun },
  { value: 'dark', label: 'Dark theme', icon: IconMoon },
] as const

export const AccountMenu = ({ account }: { account: Account }) => {
  const router = useRouter()
  const cache = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <DropdownMenu
      position="top-start"
      width={236}
      target={
        <UnstyledButton className={classes.trigger}>
          <Avatar size={22} radius="xl" color="gray" variant="light" aria-hidden>
            {initial(account.name)}
          </Avatar>
          <span className="visually-hidden">Account: </span>
          <Text component="span" size="sm" truncate className={classes.name}>
            {account.name}
          </Text>
        </UnstyledButton>
      }
    >
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
          {...(colorScheme === value && { rightSection: <Text size="xs">current</Text> })}
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
    </DropdownMenu>
  )
}
