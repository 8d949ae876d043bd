import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { EngagementProvider } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useAccount } from '../../../shell/context/session.tsx'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { engagement as route } from '../../../shell/routing/parents.ts'
import { DropToImport } from '../../../shell/uploads/DropToImport.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { ArchivedBanner } from './ArchivedBanner.tsx'

/** Layout of every page inside an engagement. Loads the engagement once and keeps it across pages. */
export const EngagementLayout = () => {
  const organization = useOrganization()
  const { engagementId } = route.useParams()
  const account = useAccount()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId } }))
  const details = useQuery(query(organization.id, 'getEngagementDetails', { params: { engagementId } }))
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
