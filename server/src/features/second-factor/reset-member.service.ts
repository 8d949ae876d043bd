import type { Actor, Person } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/open.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/http/context.ts'
import { findUser } from '../accounts/accounts.queries.ts'
import { confirmPerson } from '../accounts/confirm-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findMember } from '../members/members.queries.ts'
import { lockOrganization } from '../organizations/organizations.queries.ts'
import { listOrganizationsOfAccount } from './member-security.queries.ts'
import { findSecondFactor, lockOwner } from './second-factor.queries.ts'
import { clearSecondFactor } from './second-factor.service.ts'

/**
 * A second factor belongs to an account, and guards all that the account opens. So an admin of one organization takes it
 * off only where no other door is opened by that: of an account whose every organization the admin administers, too, and
 * that does not administer this server. Whoever does it has a second factor, so that a password alone is never enough to
 * take one off (abuse cases S9 and A1; open point 29).
 *
 * @param everywhere shows the rows of every organization: what else an account opens is not to be seen from within one
 * @throws ApiError FORBIDDEN for a wrong password, NOT_FOUND for who is no member, CONFLICT where it may not be
 */
export const resetMemberSecondFactor = async (
  platform: Platform,
  everywhere: Database,
  passwords: Passwords,
  { actor, person }: { actor: Actor; person: Person },
  userId: string,
  password: string | undefined,
): Promise<void> => {
  await confirmPerson(platform, passwords, person, password)
  await transaction(everywhere, async (tx) => {
    const organization = await lockOrganization(tx, actor.organizationId)
    const others = await organizationsToTell(tx, actor, userId)
    const { clock } = platform
    const notice = { kind: 'second-factor', change: 'reset by an admin', by: `${actor.name} of ${organization?.name}` } as const
    if (!(await clearSecondFactor(tx, platform, actor, userId, notice))) throw conflict('This person has no second factor.')
    for (const organizationId of others) {
      await recordAudit(tx, { ...actor, organizationId }, clock, { action: 'second-factor.reset', object: { type: 'user', id: userId } })
    }
  })
}

/** @returns the account's other organizations @throws ApiError as above, unless the actor may do it */
const organizationsToTell = async (tx: Transaction, actor: Actor, userId: string): Promise<string[]> => {
  const self = await findMember(tx, actor.organizationId, actor.id)
  if (self?.role !== 'owner' && self?.role !== 'admin') throw forbidden('Only the owner or an admin may do this.')
  const member = await findMember(tx, actor.organizationId, userId)
  if (!member) throw notFound('There is no member with this id.')
  if (userId === actor.id) throw conflict('Your own second factor is changed in your account.')
  if (member.role === 'owner') throw conflict("The owner's second factor is reset by the operator of this server alone.")
  if (!(await findSecondFactor(tx, actor.id))) throw conflict('Set up a second factor for your own account first.')
  await lockOwner(tx, userId)
  const organizations = await listOrganizationsOfAccount(tx, userId, actor.id)
  const user = await findUser(tx, userId)
  if (user?.is_instance_admin || organizations.some(({ administered }) => !administered)) {
    throw conflict('This account opens more than what you administer. Its second factor is reset by the operator of this server alone.')
  }
  return organizations.map(({ id }) => id).filter((id) => id !== actor.organizationId)
}
