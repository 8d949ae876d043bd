import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useMembersWithAccess } from '../../shell/context/use-members-with-access.ts'

const STALE_MS = 60_000

interface Assignee {
  id: string
  name: string
}

/** Agents that the user sees. */
export const useAgents = () => {
  const { id } = useOrganization()
  return useQuery({ ...query(id, 'listAgents'), staleTime: STALE_MS }).data?.data ?? []
}

/** Those to whom a task of the engagement can be assigned: members with access, then its agents that the user sees. */
export const useAssignees = (engagementId: string): Assignee[] => {
  const members = useMembersWithAccess(engagementId)
  const agents = useAgents().filter(
    ({ state, engagementIds }) => state === 'active' && engagementIds.includes(engagementId),
  )
  return [...members, ...agents].map(({ id, name }) => ({ id, name }))
}
