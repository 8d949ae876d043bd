import * as contract from '@sortie/contract/organizations.ts'
import { type Role, scopesOfRole } from '@sortie/contract/scopes.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import type { Config } from '../../platform/config.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/context.ts'
import type { Passwords } from '../identity/accounts/passwords.ts'
import { leaveOrganization, transferOwnership } from './members/members.service.ts'
import { findOrganization, listOrganizationsOfUser } from './organizations.queries.ts'
import { updateOrganization, updateOrganizationSettings } from './organizations.service.ts'

export const organizationRoutes = (passwords: Passwords): Route[] => [
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
        settings: { requireTwoFactor: row.require_two_factor, domainAutoJoin: row.domain_auto_join, ssoEnabled: row.sso_enabled },
      },
    }
  }),

  route(contract.updateOrganization, async ({ change, actor, clock, body }) => {
    const row = await updateOrganization(change, actor, clock, { name: body.name })
    return { data: { id: row.id, name: row.name, slug: row.slug, updatedAt: row.updated_at } }
  }),

  route(contract.listOwnOrganizations, async ({ db, config, person }) => {
    const rows = await listOrganizationsOfUser(db, person.userId)
    return { data: rows.map(({ id, name, slug, role }) => ({ id, name, slug, role: role as Role, permissions: permissionsOf(role as Role, config) })) }
  }),

  route(contract.transferOwnership, async (context) => {
    const { actor, body } = context
    await transferOwnership(context, passwords, context, body)
    return { data: { ownerId: body.userId, previousOwnerId: actor.id } }
  }),

  route(contract.updateOrganizationSettings, async (context) => {
    const row = await updateOrganizationSettings(context, context, context.body)
    return { data: { requireTwoFactor: row.require_two_factor, domainAutoJoin: row.domain_auto_join, ssoEnabled: row.sso_enabled } }
  }),

  route(contract.leaveOrganization, async (context) => {
    await leaveOrganization(context, context.actor)
    return { data: { left: true, organizationId: context.actor.organizationId } }
  }),
]

const permissionsOf = (role: Role, config: Config) => {
  const actor = { role, scopes: new Set(scopesOfRole(role)) }
  return {
    readEngagements: isPermitted(actor, requirementOf('setting:ENGAGEMENT_READ_SCOPE', config)),
    changeEngagements: isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config)),
  }
}
