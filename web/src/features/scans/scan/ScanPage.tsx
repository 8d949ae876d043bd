import { isUnderWay } from '../../../domain/scan-states.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { Page } from '../../../ui/page/Page.tsx'
import classes from '../scans.module.css'
import { open as route } from '../scans.routes.ts'
import { ScanActions } from './ScanActions.tsx'
import { ScanFacts } from './ScanFacts.tsx'
import { ScanLog } from './ScanLog.tsx'
import { ScanOutcome } from './ScanOutcome.tsx'
import { useScan } from './use-scan.ts'

/** One scan: facts, progress, outcome and log. */
export const ScanPage = () => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const { scanId } = route.useParams()
  useVisit(scanId)
  return (
    <WithCrumbs crumbs={[{ label: 'Scans', to: paths.scans(slug, engagement.id) }]}>
      <QueryView query={useScan(scanId)} skeleton={<PageSkeleton />}>
        {({ data }) => (
          <Page
            title={data.name}
            documentTitle={`${data.name} · ${engagement.name}`}
            actions={<ScanActions scan={data} />}
          >
            <div className={classes.scan}>
              <div className={classes.outcome}>
                <ScanOutcome scan={data} />
                <ScanLog scanId={data.id} isRunning={isUnderWay(data)} />
              </div>
              <ScanFacts scan={data} />
            </div>
          </Page>
        )}
      </QueryView>
    </WithCrumbs>
  )
}
