import { useRouterState } from '@tanstack/react-router'
import classes from './NavigationProgress.module.css'

/** Progress line at the top while a page loads. Pages that load immediately show none. */
export const NavigationProgress = () => {
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  return isPending ? <div role="progressbar" aria-label="Loading the page" className={classes.line} /> : null
}
