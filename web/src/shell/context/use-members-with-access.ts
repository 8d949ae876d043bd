import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from './organization.tsx'
import { useMembers } from './use-members.ts'

/**
 * Members with access to an engagement, by name: all, or owner, admins, lead and team if it is restricted. If its
 * details are unavailable, returns all members; the server enforces access.
 */
export const useMembersWithAccess = (engagementId: string) => {
  const { id } = useOrganization()
  const members = useMembers().data ?? []
  const details = useQuery(query(id, 'getEngagementDetails', { params: { engagementId } })).data?.data
  if (details?.access !== 'team') return members
  const own = new Set([details.lead, ...details.team].map((person) => person?.id))
  return members.filter((member) => member.role !== 'member' || own.has(member.id))
}
