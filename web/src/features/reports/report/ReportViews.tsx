import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import classes from '../reports.module.css'
import { report as route } from '../reports.routes.ts'

interface ReportViewsProps {
  report: Report
  save: () => Promise<void>
}

/** The views of a report, as links. */
export const ReportViews = ({ report, save }: ReportViewsProps) => {
  const { slug } = useOrganization()
  const { view } = route.useSearch()
  const router = useRouter()
  const address = paths.report(slug, report.engagementId, report.id)
  const link = (name: 'renders' | 'editions' | 'settings' | undefined, label: string, count: number | null = null) => {
    const isShown = name === view || (name === 'editions' && view === 'compare')
    const go = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      const href = name === undefined ? address : `${address}?view=${name}`
      void save().then(() => router.navigate({ href }))
    }
    return (
      <Link
        to={address}
        search={{ view: name } as never}
        className={classes.view}
        onClick={go}
        {...(isShown && { 'data-active': true, 'aria-current': 'page' })}
      >
        {label}
        {count !== null && <span className={classes.count}>{count.toLocaleString('en')}</span>}
      </Link>
    )
  }
  return (
    <nav className={classes.views} aria-label="Views of the report">
      {link(undefined, 'Sections', report.sections.length)}
      {link('renders', 'Renders')}
      {link('editions', 'Editions', report.latestEdition)}
      {link('settings', 'Settings')}
    </nav>
  )
}
