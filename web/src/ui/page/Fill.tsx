import type { ReactNode } from 'react'
import classes from './Fill.module.css'

/** Wraps a QueryView whose content fills the rest of the window's height and scrolls by itself. */
export const Fill = ({ children }: { children: ReactNode }) => <div className={classes.fill}>{children}</div>
