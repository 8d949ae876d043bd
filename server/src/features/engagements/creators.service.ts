import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import type { DetailsChange } from '@sortie/contract/engagement/engagement-details.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import type { Config } from '../../platform/config.ts'
import type { ChangeOptions } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import { findRole, lockMembersMayCreate } from './engagements.queries.ts'

/** Options of a change that creates an engagement: holds the organization's setting, if the caller depends on it. */
export const creating = (actor: Actor, config: Config): ChangeOptions<boolean> =>
  actor.kind === 'user' && !mayChangeEngagements(actor, config)
    ? { first: (tx) => lockMembersMayCreate(tx, actor.organizationId) }
    : {}

/**
 * Decides within the change who may create an engagement: those who may change engagements, and members where the
 * organization allows it.
 *
 * @param isAllowed what `creating` has locked
 * @returns true for a member who may do so only by the organization's setting, and leads what they create
 * @throws ApiError FORBIDDEN
 */
export const requireCreator = async (
  tx: Transaction,
  actor: Actor,
  config: Config,
  isAllowed: boolean | undefined,
): Promise<boolean> => {
  if (actor.kind !== 'user') return false
  // Read again: the role may have changed since the request began.
  const role = await findRole(tx, actor.organizationId, actor.id)
  if (role !== undefined && mayChangeEngagements({ role, scopes: new Set(scopesOfRole(role)) }, config)) return false
  if (isAllowed !== true)
    throw forbidden(
      'Only the owner and admins may create engagements here. An admin can allow members to, in the settings of the organization.',
    )
  return true
}

/**
 * Details of an engagement that a member creates: that member leads it. @throws ApiError VALIDATION_ERROR for another
 * lead
 */
export const ledBy = (actor: Actor, details: DetailsChange = {}): DetailsChange => {
  if (details.lead !== undefined && details.lead !== actor.id)
    throw invalid('details.lead: must be the member who creates the engagement')
  return { ...details, lead: actor.id }
}

const mayChangeEngagements = (actor: Pick<Actor, 'role' | 'scopes'>, config: Config): boolean =>
  isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config))
