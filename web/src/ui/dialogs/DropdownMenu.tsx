import { Kbd, Menu, type MenuProps } from '@mantine/core'
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useShortcuts } from '../commands/commands.ts'
import { type Icon } from '../icons.tsx'
import { Anchor } from '../overlays/Anchor.tsx'
import classes from './DropdownMenu.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'

/** The command that opens a menu. */
export interface MenuShortcut {
  /** A menu with the same id that is mounted later takes its place. */
  id: string
  label: string
  group: string
  icon?: Icon
  key: string
  /** Called before it opens. */
  onOpen?: () => void
}

interface DropdownMenuProps {
  /** The button that opens it. */
  target: ReactElement
  position: NonNullable<MenuProps['position']>
  width?: number
  shortcut?: MenuShortcut
  /** `Menu.Item`s and other children. */
  children: ReactNode
}

/**
 * A menu that opens synchronously: its first item gets focus immediately, and Tab leaves the menu. Mantine's own menu
 * moves focus by timers and loses earlier keys.
 */
export const DropdownMenu = ({ target, position, width, shortcut, children }: DropdownMenuProps) => {
  const [opened, setOpened] = useState(false)
  const open = () => {
    // The next key may follow at once, and belongs to the menu.
    flushSync(() => {
      shortcut?.onOpen?.()
      setOpened(true)
    })
  }
  useShortcuts(shortcut ? [{ ...shortcut, shortcut: shortcut.key, run: open }] : [])
  const dropdown = useRef<HTMLDivElement>(null)
  const isKeyed = opened && shortcut !== undefined
  useLayoutEffect(() => {
    if (!isKeyed) return undefined
    // The menu may not have the focus yet, or lose it while it is placed: a letter must not run a command of the page.
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!dropdown.current || event.composedPath().includes(dropdown.current)) return
      if (event.key === 'Escape') setOpened(false)
      else if (!chooseByKey(event, dropdown.current)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isKeyed])
  return (
    <MenuFrame
      opened={opened}
      onChange={setOpened}
      target={target}
      position={position}
      {...(width !== undefined && { width })}
      dropdownRef={dropdown}
    >
      {children}
    </MenuFrame>
  )
}

interface MenuFrameProps extends Pick<DropdownMenuProps, 'target' | 'position' | 'width' | 'children'> {
  opened: boolean
  onChange: (opened: boolean) => void
  dropdownRef?: RefObject<HTMLDivElement | null>
}

const MenuFrame = ({ opened, onChange, target, position, width, dropdownRef, children }: MenuFrameProps) => (
  <Menu
    opened={opened}
    onChange={onChange}
    position={position}
    {...(width !== undefined && { width })}
    trapFocus={false}
    returnFocus={false}
    withInitialFocusPlaceholder={false}
    transitionProps={{ duration: 0 }}
  >
    <Menu.Target>{target}</Menu.Target>
    <Menu.Dropdown
      {...(dropdownRef && { ref: dropdownRef })}
      className={classes.dropdown}
      onKeyDown={(event) => {
        if (event.key === 'Tab') onChange(false)
        if (chooseByKey(event.nativeEvent, event.currentTarget)) event.preventDefault()
      }}
    >
      <FocusOnOpen choose={chooseItem} />
      {children}
    </Menu.Dropdown>
  </Menu>
)

interface OpenMenuProps extends Pick<DropdownMenuProps, 'position' | 'width' | 'children'> {
  /** The button that is on the page already. */
  button: HTMLElement
  onClose: () => void
}

/** The open menu of a `MenuButton`. */
export const OpenMenu = ({ button, onClose, ...frame }: OpenMenuProps) => (
  <MenuFrame opened onChange={(opened) => !opened && onClose()} target={<Anchor element={button} />} {...frame} />
)

/** An item that its key chooses while the menu is open. */
export const ChoiceItem = ({
  hint,
  onClick,
  children,
}: {
  hint?: string
  onClick: () => void
  children: ReactNode
}) => (
  <Menu.Item
    data-hint={hint?.toLowerCase()}
    onClick={onClick}
    {...(hint !== undefined && {
      rightSection: (
        <Kbd size="xs" aria-hidden>
          {hint}
        </Kbd>
      ),
    })}
  >
    {children}
  </Menu.Item>
)

/** @returns true for a letter or digit: while a menu is open, it belongs to the menu */
const chooseByKey = (event: globalThis.KeyboardEvent, menu: HTMLElement): boolean => {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[a-z0-9]$/i.test(event.key)) return false
  menu.querySelector<HTMLElement>(`[data-hint="${event.key.toLowerCase()}"]`)?.click()
  return true
}

/** Fixed place of a check mark, so that the labels of checked and unchecked items align. */
export const MenuSlot = ({ children }: { children: ReactNode }) => <span className={classes.slot}>{children}</span>

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
