import { Link, useLocation } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { AboveHeading } from '../../ui/page/above-heading.ts'
import classes from './breadcrumbs.module.css'

export interface Crumb {
  label: string
  to: string
}

const CrumbsContext = createContext<readonly Crumb[]>([])

/** Adds a parent to the breadcrumbs of the pages inside. */
export const WithCrumbs = ({ crumbs, children }: { crumbs: readonly Crumb[]; children: ReactNode }) => (
  <CrumbsContext value={[...useContext(CrumbsContext), ...crumbs]}>
    <AboveHeading value={<Breadcrumbs />}>{children}</AboveHeading>
  </CrumbsContext>
)

/** Breadcrumbs before the title, without the page itself. */
const Breadcrumbs = () => {
  const pathname = useLocation({ select: (location) => location.pathname })
  // The title is the last part: on its own page, a parent is not repeated.
  const crumbs = useContext(CrumbsContext).filter(({ to }) => to !== pathname)
  if (crumbs.length === 0) return null
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.list}>
        {crumbs.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
