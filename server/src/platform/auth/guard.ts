import {
  type About,
  type EngagementScopeSetting,
  type Guard,
  ROLES,
  type Role,
  type Scope,
} from '@sortie/contract/core/scopes.ts'
import type { Config } from '../config.ts'
import { forbidden } from '../errors.ts'
import { type Actor, isLimitedKey } from './actor.ts'

/**
 * The requirement of a route, resolved with the operator's settings. With both a scope and a role, a key needs the
 * scope, a person the role.
 */
export type Requirement =
  | { scope: Scope; role?: 'admin' | 'member' }
  | { role: Role }
  | 'any'
  | 'session'
  | 'instance-admin'
  | 'public'

const ROLE_INSTEAD: Partial<Record<string, 'admin' | 'member'>> = { 'admin-or-key': 'admin', 'member-or-key': 'member' }

/** The only place that turns a declared guard into a requirement. */
export const requirementOf = (guard: Guard, config: Pick<Config, EngagementScopeSetting>): Requirement => {
  if (guard === 'any' || guard === 'session' || guard === 'instance-admin' || guard === 'public') return guard
  if (guard === 'role:admin' || guard === 'role:owner') return { role: guard === 'role:admin' ? 'admin' : 'owner' }
  const [kind, setting] = guard.split(':') as [string, EngagementScopeSetting]
  const scope = config[setting]
  if (scope === undefined) return { scope: guard as Scope }
  const role = ROLE_INSTEAD[kind]
  if (scope === '*') return role === 'admin' ? { scope: 'organizations:write', role } : 'any'
  return role ? { scope, role } : { scope }
}

/**
 * The only place that decides whether an actor may pass.
 *
 * @throws ApiError FORBIDDEN naming what is missing
 */
export const requirePermission = (actor: Actor, requirement: Requirement): void => {
  if (isPermitted(actor, requirement) || typeof requirement === 'string') return
  if (actor.ownerRole === 'member' && 'scope' in requirement && actor.scopes.has(requirement.scope))
    throw forbidden('This key acts for a member, and this needs a key of an owner or admin.')
  if ('scope' in requirement && (actor.kind === 'key' || requirement.role === undefined)) {
    const who = actor.kind === 'key' ? 'This key lacks' : `The role ${actor.role} lacks`
    throw forbidden(`${who} the scope ${requirement.scope}.`)
  }
  throw forbidden(
    requirement.role === 'owner' ? 'Only the owner may do this.' : 'Only the owner or an admin may do this.',
  )
}

/**
 * The only place that keeps keys with a list of engagements from the organization as a whole (finding T7).
 *
 * @throws ApiError FORBIDDEN
 */
export const requireReach = (actor: Actor, about: About): void => {
  if (about === 'organization' && isLimitedKey(actor)) {
    throw forbidden(
      'This key is limited to engagements, and this endpoint is about the organization. Use a key without that limit.',
    )
  }
}

/** Returns the decision of `requirePermission` without throwing. */
export const isPermitted = (
  { scopes, role, ownerRole }: Pick<Actor, 'scopes' | 'role' | 'ownerRole'>,
  requirement: Requirement,
): boolean => {
  if (typeof requirement === 'string') return true
  // The handlers of such endpoints look further only at people: a key of a member would pass where its owner does not.
  if (ownerRole === 'member' && 'scope' in requirement && requirement.role !== undefined) return false
  if ('scope' in requirement && (role === undefined || requirement.role === undefined))
    return scopes.has(requirement.scope)
  return role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(requirement.role as Role)
}
