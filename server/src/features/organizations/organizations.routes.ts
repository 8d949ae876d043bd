import { type Role, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import * as contract from '@sortie/contract/organization/organizations.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import type { Config } from '../../platform/config.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findOrganization, listOrganizationsOfUser } from './organizations.queries.ts'
import { updateOrganization } from './organizations.service.ts'

export const organizationRoutes: Route[] = [
  route(contract.getOrganization, async ({ db, actor }) => {
    const row = await findOrganization(db, actor.organizationId)
    if (!row) throw notFound()
    return {
      data: {
        id: row.id,
        name: row.name,
        slug: row.slug,
        plan: row.plan,
        memberCount: row.member_count,
        createdAt: row.created_at,
        settings: {
          requireTwoFactor: row.require_two_factor,
          domainAutoJoin: row.domain_auto_join,
          ssoEnabled: row.sso_enabled,
        },
      },
    }
  }),

  route(contract.updateOrganization, async ({ change, actor, clock, body }) => {
    const row = await updateOrganization(change, actor, clock, { name: body.name })
    return { data: { id: row.id, name: row.name, slug: row.slug, updatedAt: row.updated_at } }
  }),

  route(contract.listOwnOrganizations, async ({ db, config, person }) => {
    const rows = await listOrganizationsOfUser(db, person.userId)
    return {
      data: rows.map(({ id, name, slug, role, members_create_engagements: isOpen }) => ({
        id,
        name,
        slug,
        role,
        permissions: permissionsOf(role, config, isOpen),
      })),
    }
  }),
]

const permissionsOf = (role: Role, config: Config, membersCreateEngagements: boolean) => {
  const actor = { role, scopes: new Set(scopesOfRole(role)) }
  const changeEngagements = isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config))
  return {
    readEngagements: isPermitted(actor, requirementOf('setting:ENGAGEMENT_READ_SCOPE', config)),
    changeEngagements,
    createEngagements: changeEngagements || membersCreateEngagements,
  }
}
