import { Menu, type MenuProps } from '@mantine/core'
import { type ReactElement, type ReactNode, useState } from 'react'
import classes from './DropdownMenu.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'

interface DropdownMenuProps {
  /** The button that opens it. */
  target: ReactElement
  position: NonNullable<MenuProps['position']>
  width?: number
  /** `Menu.Item`s and what stands between them. */
  children: ReactNode
}

/**
 * A menu that is there with the key that opens it: its first item has the focus at once, and Tab leaves it. Mantine's own
 * moves the focus by timers, and loses the keys that come before them.
 */
export const DropdownMenu = ({ target, position, width, children }: DropdownMenuProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position={position}
      {...(width !== undefined && { width })}
      trapFocus={false}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown
        className={classes.dropdown}
        onKeyDown={(event) => {
          if (event.key === 'Tab') setOpened(false)
        }}
      >
        <FocusOnOpen choose={chooseItem} />
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

/** For what takes something away. Its colour is legible in both themes, unlike Mantine's red. */
export const DangerItem = (props: { leftSection: ReactNode; onClick: () => void; children: ReactNode }) => <Menu.Item className={classes.danger} {...props} />

/** By keyboard the first item; by mouse the menu itself, so that nothing looks chosen. */
const chooseItem = (anchor: HTMLElement, openedBy: Element | null): HTMLElement | null | undefined => {
  const menu = anchor.closest<HTMLElement>('[role="menu"]')
  return openedBy?.matches(':focus-visible') ? menu?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)') : menu
}
