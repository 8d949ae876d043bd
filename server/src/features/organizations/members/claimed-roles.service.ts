import type { Config } from '../../../platform/config.ts'
import type { Platform } from '../../../platform/http/context.ts'
import type { OnProviderProfile } from '../../identity/identities/identities.service.ts'
import { findOrganizationBySlug } from '../organizations.queries.ts'
import { provideMembership } from './provided-members.service.ts'

/** What the values of the role claim make of a person, by slug: the higher of two roles; null: nothing. */
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
 * At each sign-in the claim rules the organizations that `OIDC_ROLE_MAP` names: who has no value for one is no member of it
 * any more. Organizations that it does not name are none of its business.
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
      await provideMembership(tx, platform, { organizationId: organization.id, user, role, mayJoin: true, source: 'The identity provider' })
    }
  }
