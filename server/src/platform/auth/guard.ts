import type { EngagementScopeSetting, Guard, Role, Scope } from '@sortie/contract/scopes.ts'
import type { Config } from '../config.ts'
import { forbidden } from '../errors.ts'
import type { Actor } from './actor.ts'

/** What a route needs once the operator's settings are known. */
export type Requirement = { scope: Scope } | { role: 'admin' | 'owner' } | 'any' | 'session' | 'instance-admin' | 'public'

/** The one place that turns a declared guard into a requirement. */
export const requirementOf = (guard: Guard, config: Pick<Config, EngagementScopeSetting>): Requirement => {
  if (guard === 'any' || guard === 'session' || guard === 'instance-admin' || guard === 'public') return guard
  if (guard === 'role:admin' || guard === 'role:owner') return { role: guard === 'role:admin' ? 'admin' : 'owner' }
  if (guard === 'setting:ENGAGEMENT_READ_SCOPE') return scopeOrAny(config.ENGAGEMENT_READ_SCOPE)
  if (guard === 'setting:ENGAGEMENT_WRITE_SCOPE') return scopeOrAny(config.ENGAGEMENT_WRITE_SCOPE)
  return { scope: guard }
}

const scopeOrAny = (scope: Scope | '*'): Requirement => (scope === '*' ? 'any' : { scope })

/**
 * The one place that decides whether an actor may pass.
 *
 * @throws ApiError FORBIDDEN naming what is missing
 */
export const requirePermission = (actor: Actor, requirement: Requirement): void => {
  if (isPermitted(actor, requirement) || typeof requirement === 'string') return
  if ('scope' in requirement) {
    const who = actor.kind === 'key' ? 'This key lacks' : `The role ${actor.role} lacks`
    throw forbidden(`${who} the scope ${requirement.scope}.`)
  }
  throw forbidden(requirement.role === 'owner' ? 'Only the owner may do this.' : 'Only the owner or an admin may do this.')
}

/** The same decision as an answer. */
export const isPermitted = ({ scopes, role }: Pick<Actor, 'scopes' | 'role'>, requirement: Requirement): boolean => {
  if (typeof requirement === 'string') return true
  return 'scope' in requirement ? scopes.has(requirement.scope) : hasRole(role, requirement.role)
}

const hasRole = (role: Role | undefined, needed: 'admin' | 'owner'): boolean => role === 'owner' || (needed === 'admin' && role === 'admin')
