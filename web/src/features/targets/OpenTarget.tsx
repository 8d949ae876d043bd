import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { OpenPeek } from '../../shell/reads/OpenPeek.tsx'
import { one as route } from './targets.routes.ts'

export const OpenTarget = () => {
  const params = route.useParams()
  return <OpenPeek object={useQuery(query(useOrganization().id, 'getTarget', { params }))} list="targets" />
}
