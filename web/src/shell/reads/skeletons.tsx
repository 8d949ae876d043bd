import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import page from '../../ui/page/Page.module.css'
import classes from '../layout/Shell.module.css'

/** Placeholder of a page while it loads: its bar, and its content. */
export const PageSkeleton = () => (
  <div className={page.page}>
    <div className={page.bar} />
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
