import type { Actor, Person } from '../../../platform/auth/actor.ts'
import { isDelegated } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { findSecondFactor } from '../../auth/second-factor/second-factor.queries.ts'
import { countProvedDomains } from '../domains/domains.queries.ts'
import { provedSince } from '../domains/proof-age.ts'
import { changeOrganization } from '../organization-change.service.ts'
import { getSettings } from '../organizations.queries.ts'
import { changeSettings } from '../organizations.service.ts'

/** Settings to change; undefined leaves one as it is. */
export interface SettingsChange {
  requireTwoFactor?: boolean | undefined
  domainAutoJoin?: boolean | undefined
  ssoEnabled?: boolean | undefined
  membersCreateEngagements?: boolean | undefined
}

/**
 * A member who requires a second factor must have one, to avoid a lockout; to let users of a domain join, one must be
 * proved; to close the organization to passwords, the member must have signed in without one.
 *
 * @throws ApiError CONFLICT when a setting's precondition is not met
 */
export const updateOrganizationSettings = (
  { change, clock }: Writer,
  { actor, person }: { actor: Actor; person: Person },
  wanted: SettingsChange,
) => {
  const work = async (tx: Transaction) => {
    const before = await getSettings(tx, actor.organizationId)
    const changed = {
      ...(wanted.requireTwoFactor === !before.require_two_factor && { require_two_factor: wanted.requireTwoFactor }),
      ...(wanted.domainAutoJoin === !before.domain_auto_join && { domain_auto_join: wanted.domainAutoJoin }),
      ...(wanted.ssoEnabled === !before.sso_enabled && { sso_enabled: wanted.ssoEnabled }),
      ...(wanted.membersCreateEngagements === !before.members_create_engagements && {
        members_create_engagements: wanted.membersCreateEngagements,
      }),
    }
    if (Object.keys(changed).length === 0) return before
    if (changed.require_two_factor && !(await findSecondFactor(tx, actor.id)))
      throw conflict('Set up a second factor for your own account first.')
    if (changed.domain_auto_join && (await countProvedDomains(tx, actor.organizationId, provedSince(clock))) === 0)
      throw conflict('Verify a domain first.')
    if (changed.sso_enabled && !isDelegated(person.method))
      throw conflict(
        'Sign in through the identity provider yourself first: after that, passwords give no access to this organization.',
      )
    return changeSettings(tx, actor, clock, actor.organizationId, before, changed)
  }
  return changeOrganization(change, actor, work, { ofRules: true })
}
