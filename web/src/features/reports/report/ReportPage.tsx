import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { query } from '../../../api/api.ts'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { RenderLines } from '../../../shell/renders/RenderLines.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import classes from '../reports.module.css'
import { report as route } from '../reports.routes.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportViews } from './ReportViews.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { Writing } from './Writing.tsx'

const ReportRenders = lazyPart(() => import('../renders/ReportRenders.tsx'), 'ReportRenders')
const Editions = lazyPart(() => import('../editions/Editions.tsx'), 'Editions')
const Compare = lazyPart(() => import('../editions/Compare.tsx'), 'Compare')
const ReportSettings = lazyPart(() => import('../settings/ReportSettings.tsx'), 'ReportSettings')
const DeliverDialog = lazyPart(() => import('../editions/DeliverDialog.tsx'), 'DeliverDialog')

/** One report: its sections with their preview and checks, its renders, its editions, or its settings. */
export const ReportPage = () => {
  const organization = useOrganization()
  const { engagementId, reportId } = route.useParams()
  const read = useQuery(query(organization.id, 'getReport', { params: { reportId } }))
  return (
    <WithCrumbs crumbs={[{ label: 'Reports', to: paths.reports(organization.slug, engagementId) }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data }) => <Shown key={data.id} report={data} />}
      </QueryView>
    </WithCrumbs>
  )
}

const Shown = ({ report }: { report: Report }) => {
  const { engagement, isArchived } = useEngagement()
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const [isDelivering, setDelivering] = useState(false)
  /** Saves what is typed into the open section. */
  const finishRef = useRef<() => Promise<void>>(undefined)
  const mayChange = !isArchived
  const save = async () => finishRef.current?.()
  return (
    <Page
      title={report.title}
      documentTitle={`${report.title} · ${engagement.name}`}
      actions={<ReportActions report={report} mayChange={mayChange} save={save} />}
      layout={view === undefined ? 'full' : 'list'}
    >
      <div className={classes.head}>
        <ReportViews report={report} save={save} />
        <ReviewBar
          report={report}
          mayChange={mayChange}
          save={save}
          onDeliver={() => void save().then(() => setDelivering(true))}
        />
      </div>
      <RenderLines of={report.id} />
      <Suspense fallback={<ListSkeleton rows={8} />}>
        {view === 'renders' ? (
          <ReportRenders report={report} mayChange={mayChange} />
        ) : view === 'editions' ? (
          <Editions report={report} />
        ) : view === 'compare' ? (
          <Compare report={report} />
        ) : view === 'settings' ? (
          <ReportSettings report={report} mayChange={mayChange} />
        ) : (
          <Writing report={report} mayChange={mayChange} finishRef={finishRef} />
        )}
      </Suspense>
      <Suspense>
        {isDelivering && (
          <DeliverDialog
            report={report}
            onClose={() => setDelivering(false)}
            onShowChecks={() => {
              setDelivering(false)
              void navigate({ search: { side: 'checks' } })
            }}
            onDelivered={() => {
              setDelivering(false)
              void navigate({ search: { view: 'editions' } })
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}
