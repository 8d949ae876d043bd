import type { Person } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { parseEmail } from '../../platform/text/text.ts'
import { notifyMember } from '../account-emails/account-emails.service.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { findUserByEmail } from '../auth/accounts/accounts.queries.ts'
import { createAccount } from '../auth/accounts/accounts.service.ts'
import { mailWelcome } from '../auth/password-links/password-links.service.ts'
import { addMember } from '../organizations/members/members.service.ts'
import { createOrganization } from '../organizations/organizations.service.ts'

export interface WantedOrganization {
  name: string
  ownerEmail: string
  ownerName?: string | undefined
}

/**
 * Creates an organization with its owner. If the address has no account, creates one, which cannot be used until the
 * mailed link gives it a password.
 *
 * @param by the instance administrator, or the operator
 */
export const createOrganizationWithOwner = async (
  platform: Writer,
  by: { person: Person } | { system: string },
  wanted: WantedOrganization,
) => {
  const { change, clock, config, jobs } = platform
  const address = parseEmail(wanted.ownerEmail)
  if (!address) throw invalid('ownerEmail: must be an email address')
  return change(async (tx) => {
    const known = await findUserByEmail(tx, address.key)
    // Their first sign-in at the identity provider creates the account: one created here could not be signed in to.
    if (!known && config.AUTH_PROVIDER !== 'local')
      throw invalid(`ownerEmail: has no account yet; the owner must sign in through the identity provider once, first`)
    const name = wanted.ownerName ?? address.email.slice(0, address.email.lastIndexOf('@'))
    const made = known ? undefined : await createAccount(tx, clock, { name, email: address.email, passwordHash: null })
    const owner = known ?? made
    if (!owner) throw conflict('An account with this address was just created. Try again.')
    const organization = await createOrganization(tx, clock, { name: wanted.name, plan: config.DEFAULT_PLAN })
    await addMember(tx, clock, organization.id, owner, 'owner')
    const auditedBy: AuditedBy = { ...by, organizationId: organization.id }
    await recordAudit(tx, auditedBy, clock, {
      action: 'organization.created',
      object: { type: 'organization', id: organization.id },
      after: { name: organization.name, slug: organization.slug, ownerId: owner.id, ownerEmail: owner.email },
    })
    if (made) await mailWelcome(tx, platform, made)
    else if (!('person' in by) || by.person.userId !== owner.id) {
      const author = 'person' in by ? by.person.name : 'The operator of this server'
      await notifyMember(
        tx,
        jobs,
        clock,
        { userId: owner.id, organizationId: organization.id },
        { kind: 'ownership-received', by: author },
      )
    }
    return {
      organization,
      owner: { id: owner.id, name: owner.name, email: owner.email },
      ownerIsNew: made !== undefined,
      createdAt: isoTime(clock.now()),
    }
  })
}
