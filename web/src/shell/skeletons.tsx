import { ListSkeleton } from '../ui/ListSkeleton.tsx'
import page from '../ui/Page.module.css'
import classes from './Shell.module.css'

/** Placeholder of a page's content while it loads. */
export const PageSkeleton = () => (
  <div className={page.page}>
    <ListSkeleton />
  </div>
)

/** Placeholder before the navigation is loaded; reserves its space. */
export const ShellSkeleton = () => (
  <div className={classes.shell}>
    <div className={classes.sidebar} />
    <div className={classes.topbar} />
    <div className={classes.content}>
      <PageSkeleton />
    </div>
  </div>
)
