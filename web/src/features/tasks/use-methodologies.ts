import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'

/** The organization's and the built-in methodologies, by name. */
export const useMethodologies = () => {
  const { id } = useOrganization()
  return useQuery(query(id, 'listMethodologies', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
}
