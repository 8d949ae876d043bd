import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { query } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { QueryView } from '../../shell/QueryView.tsx'
import { PageSkeleton } from '../../shell/skeletons.tsx'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/targets/$targetId')

/** The address of a target alone: leads to it, in the list of its engagement. */
export const OpenTarget = () => {
  const organization = useOrganization()
  const { targetId } = route.useParams()
  const target = useQuery(query(organization.id, 'getTarget', { params: { targetId } }))
  return (
    <QueryView query={target} skeleton={<PageSkeleton />}>
      {({ data }) => (
        <Navigate
          to="/o/$slug/engagements/$engagementId/targets"
          params={{ slug: organization.slug, engagementId: data.engagementId }}
          search={{ peek: data.id }}
          replace
        />
      )}
    </QueryView>
  )
}
