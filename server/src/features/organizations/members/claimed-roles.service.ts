import type { Config } from '../../../platform/config.ts'
import type { Platform } from '../../../platform/context.ts'
import type { OnProviderProfile } from '../../auth/linked-accounts/linked-accounts.service.ts'
import { findOrganizationBySlug } from '../organizations.queries.ts'
import { provideMembership } from './provided-members.service.ts'

/** Maps the values of the role claim to a role per slug: the higher of two roles; null: none. */
const rolesFrom = (config: Config, values: readonly string[]): Map<string, 'admin' | 'member' | null> => {
  const roles = new Map<string, 'admin' | 'member' | null>()
  for (const rule of config.OIDC_ROLE_MAP ?? []) {
    const [, value = '', slug = '', role] = /^(.+)=([a-z0-9-]+):(admin|member)$/.exec(rule) ?? []
    const holds = values.includes(value) && (role === 'admin' || role === 'member')
    const before = roles.get(slug) ?? null
    roles.set(slug, before === 'admin' || !holds ? before : role)
  }
  return roles
}

/**
 * At each sign-in the claim decides the memberships in the organizations that `OIDC_ROLE_MAP` names: without a value
 * for one, the user is removed. It does not affect other organizations.
 */
export const applyClaimedRoles =
  (platform: Platform): OnProviderProfile =>
  async (tx, user, profile) => {
    if (profile.roles === undefined) return
    for (const [slug, role] of rolesFrom(platform.config, profile.roles)) {
      const organization = await findOrganizationBySlug(tx, slug)
      if (!organization) {
        platform.log.warn({ slug }, 'OIDC_ROLE_MAP names an organization that does not exist')
        continue
      }
      await provideMembership(tx, platform, {
        organizationId: organization.id,
        user,
        role,
        mayJoin: true,
        source: 'The identity provider',
      })
    }
  }
