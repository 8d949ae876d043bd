import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { IconChevronDown } from '../icons.tsx'
import classes from './TreeFrame.module.css'

interface TreeFrameProps {
  /** Content of the tree: `Pages`. */
  label: string
  tree: ReactNode
  /** An entry is open: on phones it fills the screen, and the tree is behind a button. */
  isOpen: boolean
  children: ReactNode
}

/** A tree with the open entry next to it. */
export const TreeFrame = ({ label, tree, isOpen, children }: TreeFrameProps) => {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [isWanted, setWanted] = useState(false)
  const isShown = !isPhone || !isOpen || isWanted
  // A link closes the tree.
  const onClick = ({ target }: MouseEvent) => target instanceof Element && target.closest('a') && setWanted(false)
  return (
    <div className={classes.frame}>
      <div className={classes.side} data-closed={!isShown || undefined}>
        {isPhone && isOpen && (
          <UnstyledButton className={classes.toggle} aria-expanded={isShown} onClick={() => setWanted(!isWanted)}>
            {label}
            <IconChevronDown size={16} aria-hidden className={classes.chevron} />
          </UnstyledButton>
        )}
        {isShown && (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- its links receive the clicks, and a key on a link also triggers a click
          <nav className={classes.tree} aria-label={label} onClick={onClick}>
            {tree}
          </nav>
        )}
      </div>
      <div className={classes.content}>{children}</div>
    </div>
  )
}
