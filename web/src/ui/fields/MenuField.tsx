import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import { DropdownMenu, type MenuShortcut } from '../dialogs/DropdownMenu.tsx'
import { IconChevronDown } from '../page-icons.tsx'
import classes from './MenuField.module.css'

interface MenuFieldProps {
  label: string
  /** The chosen value, as its menu item shows it. */
  value: ReactNode
  /** Shown without a value. */
  placeholder?: string
  disabled?: boolean
  /** Its key opens the menu from anywhere on the page, and is shown next to the label. */
  shortcut?: MenuShortcut
  /** `ChoiceItem`s. */
  children: ReactNode
}

/** A property that is chosen from a menu, by mouse or by two keys. */
export const MenuField = ({
  label,
  value,
  placeholder = 'None',
  disabled = false,
  shortcut,
  children,
}: MenuFieldProps) => {
  const isEmpty = value === null || value === undefined || value === false
  const button = (
    <button type="button" className={classes.button} disabled={disabled}>
      {/* Signs inside of the value, such as initials, are hidden from screen readers: `aria-labelledby` would name the button by them. */}
      <span className="visually-hidden">{label} </span>
      <span className={classes.value} data-empty={isEmpty || undefined}>
        {isEmpty ? placeholder : value}
      </span>
      <IconChevronDown size={14} aria-hidden />
    </button>
  )
  return (
    <div className={classes.field}>
      <span className={classes.label}>
        <span aria-hidden>{label}</span>
        {shortcut && !disabled && (
          <Kbd size="xs" aria-hidden>
            {shortcut.key.toUpperCase()}
          </Kbd>
        )}
      </span>
      {disabled ? (
        button
      ) : (
        <DropdownMenu position="bottom-start" width={220} target={button} {...(shortcut && { shortcut })}>
          {children}
        </DropdownMenu>
      )}
    </div>
  )
}
