import { Link } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import classes from '../findings.module.css'
import { finding as route } from '../findings.routes.ts'
import { countOfAssets, type Finding } from '../labels.ts'

const EXACT = { exact: true, includeSearch: true } as const

/** The views of a finding, as links. */
export const Views = ({ finding }: { finding: Finding }) => {
  const { slug } = useOrganization()
  const address = paths.finding(slug, finding.engagementId, finding.id)
  const { view: open } = route.useSearch()
  // The panel next to the texts is in the address, too.
  const shown = open === 'assets' || open === 'history' ? open : undefined
  const link = (view: 'assets' | 'history' | undefined, label: string, count = 0) => (
    <Link
      to={address}
      search={{ view } as never}
      className={classes.view}
      activeOptions={EXACT}
      {...(shown === view && { 'data-active': true, 'aria-current': 'page' })}
    >
      {label}
      {count > 0 && <span className={classes.count}>{count.toLocaleString('en')}</span>}
    </Link>
  )
  return (
    <nav className={classes.views} aria-label="Views of the finding">
      {link(undefined, 'Texts')}
      {link('assets', 'Assets', countOfAssets(finding.affectedCounts))}
      {link('history', 'History')}
    </nav>
  )
}
