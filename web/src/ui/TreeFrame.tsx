import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { IconChevronDown } from './icons.tsx'
import classes from './TreeFrame.module.css'

interface TreeFrameProps {
  /** What the tree is of: `Pages`. */
  label: string
  tree: ReactNode
  /** Whether something of the tree is open: on a phone it has the screen then, and the tree is behind a button. */
  isOpen: boolean
  children: ReactNode
}

/** A tree, and beside it what is open. */
export const TreeFrame = ({ label, tree, isOpen, children }: TreeFrameProps) => {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [isWanted, setWanted] = useState(false)
  const isShown = !isPhone || !isOpen || isWanted
  // A link leads to what was looked for.
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
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- clicks on its links come up here, and a key on a link is a click
          <nav className={classes.tree} aria-label={label} onClick={onClick}>
            {tree}
          </nav>
        )}
      </div>
      <div className={classes.content}>{children}</div>
    </div>
  )
}
