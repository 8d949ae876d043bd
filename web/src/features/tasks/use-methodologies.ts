import { useQuery } from '@tanstack/react-query'
import { query } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'

/** The methodologies of the organization and the built-in ones, by name. */
export const useMethodologies = () => {
  const { id } = useOrganization()
  return useQuery(query(id, 'listMethodologies', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
}
