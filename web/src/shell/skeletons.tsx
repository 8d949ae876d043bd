import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import page from '../ui/Page.module.css'
import classes from './Shell.module.css'

/** A page that will be there in a moment, where its content will be. */
export const PageSkeleton = () => (
  <div className={page.page}>
    <ListSkeleton />
  </div>
)

/** The same while not even the navigation is there: its place is kept. */
export const ShellSkeleton = () => (
  <div className={classes.shell}>
    <div className={classes.sidebar} />
    <div className={classes.topbar} />
    <div className={classes.content}>
      <PageSkeleton />
    </div>
  </div>
)
