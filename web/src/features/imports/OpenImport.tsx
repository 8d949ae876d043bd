import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { OpenPeek } from '../../shell/reads/OpenPeek.tsx'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/imports/$importId')

export const OpenImport = () => {
  const params = route.useParams()
  return <OpenPeek object={useQuery(query(useOrganization().id, 'getImport', { params }))} list="imports" />
}
