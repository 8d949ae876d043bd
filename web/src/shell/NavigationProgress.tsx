import { useRouterState } from '@tanstack/react-router'
import classes from './NavigationProgress.module.css'

/** A line at the top while a page is on its way. One that is there at once shows none. */
export const NavigationProgress = () => {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  return isPending ? <div role="progressbar" aria-label="Loading the page" className={classes.line} /> : null
}
