import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { paths } from '../../../paths.ts'
import { EngagementProvider } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useAccount } from '../../../shell/context/session.tsx'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { engagementReads } from '../../../shell/routing/engagement-reads.ts'
import { engagement as route } from '../../../shell/routing/parents.ts'
import { DropToImport } from '../../../shell/uploads/DropToImport.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { lazyPart } from '../../../ui/load-part.ts'
import { isDemonstration } from '../demonstration/name.ts'
import { ArchivedBanner } from './ArchivedBanner.tsx'

const DemonstrationBanner = lazyPart(() => import('../demonstration/DemonstrationBanner.tsx'), 'DemonstrationBanner')

const HoldBanner = lazyPart(() => import('../settings/HoldBanner.tsx'), 'HoldBanner')

/** Layout of every page inside an engagement. Loads the engagement once and keeps it across pages. */
export const EngagementLayout = () => {
  const organization = useOrganization()
  const { engagementId } = route.useParams()
  const account = useAccount()
  useVisit(engagementId)
  const reads = engagementReads(organization.id, engagementId)
  const engagement = useQuery(reads.engagement)
  const details = useQuery(reads.details)
  return (
    <QueryView query={together({ engagement, details })} skeleton={<PageSkeleton />}>
      {(read) => {
        const { data } = read.engagement
        const isArchived = data.status === 'archived'
        const mayChange = organization.permissions.changeEngagements
        const open = {
          engagement: data,
          details: read.details.data,
          mayChange,
          mayChangeDetails: mayChange || read.details.data.lead?.id === account.id,
          isArchived,
        }
        const crumbs = [
          { label: 'Engagements', to: paths.engagements(organization.slug) },
          { label: data.name, to: paths.engagement(organization.slug, engagementId) },
        ]
        return (
          <EngagementProvider key={engagementId} value={open}>
            {isArchived && <ArchivedBanner />}
            <Suspense>{read.details.data.hold !== null && <HoldBanner />}</Suspense>
            <Suspense>{isDemonstration(data) && <DemonstrationBanner />}</Suspense>
            <WithCrumbs crumbs={crumbs}>
              <UploadsProvider below={paths.engagement(organization.slug, engagementId)}>
                <Outlet />
                <DropToImport />
              </UploadsProvider>
            </WithCrumbs>
          </EngagementProvider>
        )
      }}
    </QueryView>
  )
}
