import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { useOrganization } from './organization.tsx'
import { useMembers } from './use-members.ts'

/**
 * The members who see an engagement, by name: all of them, or owner, admins, lead and team of one that is closed to others.
 * What the server does not tell (its details) leaves all: it refuses by itself what must not be.
 */
export const useMembersWithAccess = (engagementId: string) => {
  const { id } = useOrganization()
  const members = useMembers().data ?? []
  const details = useQuery(query(id, 'getEngagementDetails', { params: { engagementId } })).data?.data
  if (details?.access !== 'team') return members
  const own = new Set([details.lead, ...details.team].map((person) => person?.id))
  return members.filter((member) => member.role !== 'member' || own.has(member.id))
}
