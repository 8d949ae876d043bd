import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { IconChevronDown, IconList } from '../page-icons.tsx'
import classes from './TreeFrame.module.css'

interface TreeFrameProps {
  /** Content of the tree: `Pages`. */
  label: string
  tree: ReactNode
  /** An entry is open: on phones it fills the screen, and the tree is behind a button. */
  isOpen: boolean
  /**
   * The tree folds to a rail next to a wide entry, until the user unfolds it; the choice is kept in this browser by
   * this name.
   */
  rail?: string
  children: ReactNode
}

/** A tree with the open entry next to it. */
export const TreeFrame = ({ label, tree, isOpen, rail, children }: TreeFrameProps) => {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const isTight = useMediaQuery('(min-width: 87.5em) and (max-width: 106em)', false, { getInitialValueInEffect: false })
  const [isWanted, setWanted] = useState(false)
  const [folded, setFolded] = useLocalStorage<'yes' | 'no' | 'auto'>({
    key: `sortie.rail.${rail ?? ''}`,
    defaultValue: 'auto',
    getInitialValueInEffect: false,
  })
  const isRail = rail !== undefined && !isPhone && isOpen && (folded === 'yes' || (folded === 'auto' && isTight))
  const isShown = !isRail && (!isPhone || !isOpen || isWanted)
  // A link closes the tree.
  const onClick = ({ target }: MouseEvent) => target instanceof Element && target.closest('a') && setWanted(false)
  return (
    <div className={classes.frame} data-rail={isRail || undefined}>
      <div className={classes.side} data-closed={!isShown || undefined}>
        {rail !== undefined && !isPhone && isOpen && (
          <ActionIcon
            className={classes.fold}
            aria-expanded={!isRail}
            aria-label={isRail ? `Show: ${label}` : `Hide: ${label}`}
            title={isRail ? `Show: ${label}` : `Hide: ${label}`}
            onClick={() => setFolded(isRail ? 'no' : 'yes')}
          >
            <IconList size={16} aria-hidden />
          </ActionIcon>
        )}
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
