import * as contract from '@sortie/contract/organization/members.ts'
import * as organizations from '@sortie/contract/organization/organizations.ts'
import { pageMeta } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { listMembers, type MemberRow } from './members.queries.ts'
import { changeMemberRole, leaveOrganization, removeMember } from './members.service.ts'

export const memberRoutes: Route[] = [
  route(contract.listMembers, async ({ db, actor, query }) => {
    const { page, perPage, role } = query
    const { total, members } = await listMembers(db, actor.organizationId, role, perPage, (page - 1) * perPage)
    return { data: members.map(toMember), meta: pageMeta(query, total) }
  }),

  route(contract.changeMemberRole, async (context) => {
    const { actor, params, body } = context
    const member = await changeMemberRole(context, actor, params.userId, body.role)
    return { data: { id: member.id, role: member.role, updatedAt: member.updated_at } }
  }),

  route(contract.removeMember, async (context) => {
    const { actor, params } = context
    await removeMember(context, actor, params.userId)
    return { data: { removed: true, userId: params.userId } }
  }),

  route(organizations.leaveOrganization, async (context) => {
    await leaveOrganization(context, context.actor)
    return { data: { left: true, organizationId: context.actor.organizationId } }
  }),
]

const toMember = (row: MemberRow) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  joinedAt: row.joined_at,
  lastSeenAt: row.last_seen_at,
})
