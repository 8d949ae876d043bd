import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { one as route } from '../reports.routes.ts'

/** Redirects an address with only the id of a report to its page. */
export const OpenReport = () => {
  const { id, slug } = useOrganization()
  const hash = useLocation({ select: (location) => location.hash })
  const read = useQuery(query(id, 'getReport', { params: route.useParams() }))
  return (
    <QueryView query={read} skeleton={<PageSkeleton />}>
      {({ data }) => <Navigate to={paths.report(slug, data.engagementId, data.id)} hash={hash} replace />}
    </QueryView>
  )
}
