import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'

/** Number and title of a finding. */
export const FindingName = ({ findingId }: { findingId: string }) => {
  const { id } = useOrganization()
  const { data } = useQuery({ ...query(id, 'getFinding', { params: { findingId } }), staleTime: 60_000 })
  return <>{data ? `${data.data.number} ${data.data.title}` : 'Finding'}</>
}
