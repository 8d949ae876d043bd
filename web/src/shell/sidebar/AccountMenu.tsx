import { Text, UnstyledButton } from '@mantine/core'
import { lazyPart } from '../../ui/load-part.ts'
import { MenuButton } from '../../ui/overlays/MenuButton.tsx'
import { Initials } from '../../ui/people/Person.tsx'
import type { Account } from '../context/session.tsx'
import classes from './menus.module.css'

const AccountItems = lazyPart(() => import('./SidebarItems.tsx'), 'AccountItems')

export const AccountMenu = ({ account }: { account: Account }) => (
  <MenuButton
    position="top-start"
    width={236}
    button={
      <UnstyledButton className={classes.trigger}>
        <Initials name={account.name} />
        <span className="visually-hidden">Account: </span>
        <Text component="span" size="sm" truncate className={classes.name}>
          {account.name}
        </Text>
      </UnstyledButton>
    }
  >
    <AccountItems account={account} />
  </MenuButton>
)
