import type { ReactNode } from 'react'
import classes from './Fill.module.css'

/** Around a QueryView whose content takes the rest of the window's height, and scrolls in itself. */
export const Fill = ({ children }: { children: ReactNode }) => <div className={classes.fill}>{children}</div>
