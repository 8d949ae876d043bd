import type { MenuProps } from '@mantine/core'
import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../load-part.ts'

const OpenMenu = lazyPart(() => import('../dialogs/DropdownMenu.tsx'), 'OpenMenu')

interface MenuButtonProps {
  /** The button: on the page from the beginning. */
  button: ReactElement<{
    onClick?: (event: MouseEvent<HTMLElement>) => void
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
  }>
  position: NonNullable<MenuProps['position']>
  width?: number
  /** A `lazyPart` with the items. */
  children: ReactNode
}

/** A `DropdownMenu` of the first page: the menu and its items are loaded when it opens. */
export const MenuButton = ({ button, children, ...menu }: MenuButtonProps) => {
  const [openedBy, setOpenedBy] = useState<HTMLElement>()
  return (
    <>
      {cloneElement(button, {
        'aria-haspopup': 'menu',
        'aria-expanded': openedBy !== undefined,
        onClick: ({ currentTarget }) => setOpenedBy((before) => (before ? undefined : currentTarget)),
      })}
      <Suspense>
        {openedBy && (
          <OpenMenu button={openedBy} onClose={() => setOpenedBy(undefined)} {...menu}>
            {children}
          </OpenMenu>
        )}
      </Suspense>
    </>
  )
}
