import { type ReactNode, useState } from 'react'
import { DropdownMenu, type MenuShortcut } from '../../dialogs/DropdownMenu.tsx'
import classes from './cells.module.css'

/** Pixels from the left edge of the row. */
const INDENT_PX = 48

/** A menu without a button: its key opens it below the active row. */
export const RowMenu = ({ shortcut, children }: { shortcut: MenuShortcut; children: ReactNode }) => {
  const [place, setPlace] = useState({ left: 8, top: 8 })
  return (
    <DropdownMenu
      position="bottom-start"
      width={220}
      shortcut={{ ...shortcut, onOpen: () => setPlace(placeOfRow()) }}
      target={<button type="button" className={classes.menuAnchor} style={place} tabIndex={-1} aria-hidden />}
    >
      {children}
    </DropdownMenu>
  )
}

const placeOfRow = () => {
  const row = document.querySelector('[role="row"][data-active]') ?? document.querySelector('[role="row"][data-peeked]')
  const box = row?.getBoundingClientRect()
  return box
    ? { left: box.left + INDENT_PX, top: box.bottom }
    : { left: window.innerWidth / 2 - 110, top: window.innerHeight / 3 }
}
