import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { OpenPeek } from '../../shell/reads/OpenPeek.tsx'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/targets/$targetId')

export const OpenTarget = () => {
  const params = route.useParams()
  return <OpenPeek object={useQuery(query(useOrganization().id, 'getTarget', { params }))} list="targets" />
}
