import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Peek.module.css'

/** Preview of a row next to the grid: J and K move to other rows, Space or Escape closes it. */
export const Peek = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <aside className={classes.peek} aria-label="Preview">
    <CloseButton className={classes.peekClose} aria-label="Close the preview" onClick={onClose} />
    {children}
  </aside>
)
