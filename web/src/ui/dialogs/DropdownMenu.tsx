import { Menu, type MenuProps } from '@mantine/core'
import { type ReactElement, type ReactNode, useState } from 'react'
import classes from './DropdownMenu.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'

interface DropdownMenuProps {
  /** The button that opens it. */
  target: ReactElement
  position: NonNullable<MenuProps['position']>
  width?: number
  /** `Menu.Item`s and other children. */
  children: ReactNode
}

/**
 * A menu that opens synchronously: its first item gets focus immediately, and Tab leaves the menu. Mantine's own menu moves focus
 * by timers and loses earlier keys.
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

/** For destructive items. Its colour is legible in both themes, unlike Mantine's red. */
export const DangerItem = (props: { leftSection: ReactNode; onClick: () => void; children: ReactNode }) => (
  <Menu.Item className={classes.danger} {...props} />
)

/** Focuses the first item if opened by keyboard; by mouse the menu itself, so that no item looks selected. */
const chooseItem = (anchor: HTMLElement, openedBy: Element | null): HTMLElement | null | undefined => {
  const menu = anchor.closest<HTMLElement>('[role="menu"]')
  return openedBy?.matches(':focus-visible')
    ? menu?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')
    : menu
}
