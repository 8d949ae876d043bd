import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/api.ts'
import { useOrganization } from './organization.tsx'

const PER_PAGE = 100
/** Page limit: a select with more members is unusable. */
const MAX_PAGES = 10

/** Members of the organization by name, as options. */
export const useMembers = () => {
  const { id } = useOrganization()
  return useQuery(
    queryOptions({
      queryKey: [id, 'listMembers', 'all'],
      staleTime: 60_000,
      queryFn: async ({ signal }) => {
        const first = await call(id, 'listMembers', { query: { perPage: PER_PAGE } }, { signal })
        const members = [...first.data]
        for (let page = 2; page <= Math.min(first.meta.totalPages, MAX_PAGES); page++) {
          members.push(...(await call(id, 'listMembers', { query: { perPage: PER_PAGE, page } }, { signal })).data)
        }
        return members
          .map((member) => ({ id: member.id, name: member.name, role: member.role }))
          .toSorted((a, b) => a.name.localeCompare(b.name))
      },
    }),
  )
}
