import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { OpenPeek } from '../../shell/reads/OpenPeek.tsx'
import { one as route } from './imports.routes.ts'

export const OpenImport = () => {
  const params = route.useParams()
  return <OpenPeek object={useQuery(query(useOrganization().id, 'getImport', { params }))} list="imports" />
}
