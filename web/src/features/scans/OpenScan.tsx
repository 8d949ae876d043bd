import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../shell/reads/skeletons.tsx'
import { one as route } from './scans.routes.ts'

/** Address of a scan by id only; redirects into its engagement. */
export const OpenScan = () => {
  const { id, slug } = useOrganization()
  const { scanId } = route.useParams()
  const scan = useQuery(query(id, 'getScan', { params: { scanId } }))
  return (
    <QueryView query={scan} skeleton={<PageSkeleton />}>
      {({ data }) => (
        <Navigate
          to="/o/$slug/engagements/$engagementId/scans/$scanId"
          params={{ slug, engagementId: data.engagementId, scanId: data.id }}
          replace
        />
      )}
    </QueryView>
  )
}
