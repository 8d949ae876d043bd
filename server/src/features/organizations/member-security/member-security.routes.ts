import * as contract from '@sortie/contract/organization/member-security.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { pageMeta } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { listMembers } from '../members/members.queries.ts'
import { countMembers, listMembersWithoutFactor, listUsersWithFactor } from './member-security.queries.ts'
import { resetMemberSecondFactor } from './reset-member.service.ts'

const MAX_NAMED = 20

/** @param everywhere see `resetMemberSecondFactor` */
export const memberSecurityRoutes = (everywhere: Database, passwords: Passwords): Route[] => [
  route(contract.getSecurityOverview, async ({ db, actor }) => {
    const counts = await countMembers(db, actor.organizationId)
    const named = await listMembersWithoutFactor(db, actor.organizationId, MAX_NAMED)
    return {
      data: {
        memberCount: counts.members,
        withoutSecondFactor: counts.without_factor,
        named,
        withoutIdentity: counts.without_identity,
      },
    }
  }),

  route(contract.listMemberSecondFactors, async ({ db, actor, query }) => {
    const { page, perPage, role } = query
    const { total, members } = await listMembers(db, actor.organizationId, role, perPage, (page - 1) * perPage)
    const ids = members.map(({ id }) => id)
    const withFactor = await listUsersWithFactor(db, ids)
    const meta = pageMeta(query, total)
    return { data: ids.map((userId) => ({ userId, enabled: withFactor.has(userId) })), meta }
  }),

  route(contract.resetMemberSecondFactor, async (context) => {
    const { params, body } = context
    await resetMemberSecondFactor(context, everywhere, passwords, context, params.userId, body)
    return { data: { reset: true, userId: params.userId } }
  }),
]
