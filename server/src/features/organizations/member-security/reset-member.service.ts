import type { Actor, Person } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { RIGHTS, acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockAccount } from '../../auth/accounts/accounts.queries.ts'
import { type Confirmed, confirmPerson } from '../../auth/accounts/confirm-password.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import {
  holderOfSession,
  type Proof,
  useProof,
  withProof,
  wrongProof,
} from '../../auth/second-factor/proofs/proof.service.ts'
import { findSecondFactor } from '../../auth/second-factor/second-factor.queries.ts'
import { clearSecondFactor } from '../../auth/second-factor/second-factor.service.ts'
import { findMember } from '../members/members.queries.ts'
import { lockForChange } from '../organization-change.service.ts'
import { listOrganizationsOfAccount } from './member-security.queries.ts'

/**
 * Removes the second factor of a member. It belongs to the account and guards everything that the account can access,
 * so an admin of one organization may remove it only if that exposes nothing else: the admin must also administer every
 * other organization of the account, and the account must not administer this server. The admin proves their own second
 * factor: a password is never enough to remove one (abuse cases S9, S19 and A1; open point 29).
 *
 * @param everywhere shows the rows of every organization: one organization cannot see what else an account can access
 * @throws ApiError FORBIDDEN for a wrong password, NOT_FOUND for a user who is not a member, CONFLICT if it is not
 *   allowed, VALIDATION_ERROR for a wrong proof
 */
export const resetMemberSecondFactor = async (
  platform: Writer,
  everywhere: Database,
  passwords: Passwords,
  { actor, person }: { actor: Actor; person: Person },
  userId: string,
  { password, ...proof }: Confirmed & Proof,
): Promise<void> => {
  await confirmPerson(platform, passwords, person, password)
  const first = async (tx: Transaction) => {
    // Locks only members: strangers' requests must not block an account.
    const member = await findMember(tx, actor.organizationId, userId)
    if (member) {
      await acquireFairLocks(tx, { shared: [RIGHTS.account(actor.id)], exclusive: [RIGHTS.account(userId)] })
      await lockAccount(tx, userId)
    }
    return lockForChange(tx, actor, { member: userId })
  }
  const work = async (tx: Transaction, organization: Awaited<ReturnType<typeof first>>) => {
    const others = await organizationsToTell(tx, actor, userId)
    if (!(await useProof(tx, platform, person.userId, holderOfSession('confirm', person.sessionId), proof)))
      return undefined
    const notice = {
      kind: 'second-factor',
      change: 'reset by an admin',
      by: `${actor.name} of ${organization?.name}`,
    } as const
    if (!(await clearSecondFactor(tx, platform, actor, userId, notice)))
      throw conflict('This user has no second factor.')
    for (const organizationId of others) {
      await recordAudit(tx, { ...actor, organizationId }, platform.clock, {
        action: 'second-factor.reset',
        object: { type: 'user', id: userId },
      })
    }
    return true
  }
  await withProof(platform, person.userId, wrongProof(proof), () => platform.change(work, { first, db: everywhere }))
}

/** @returns the account's other organizations @throws ApiError as above, unless the actor may do it */
const organizationsToTell = async (tx: Transaction, actor: Actor, userId: string): Promise<string[]> => {
  const member = await findMember(tx, actor.organizationId, userId)
  if (!member) throw notFound('There is no member with this id.')
  if (userId === actor.id) throw conflict('Change your own second factor in your account.')
  if (member.role === 'owner') throw conflict("Only the operator of this server can reset the owner's second factor.")
  if (!(await findSecondFactor(tx, actor.id))) throw conflict('Set up a second factor for your own account first.')
  const account = await lockAccount(tx, userId)
  const organizations = await listOrganizationsOfAccount(tx, userId, actor.id)
  if (account.is_instance_admin || organizations.some(({ administered }) => !administered)) {
    throw conflict(
      'This account has access beyond what you administer. Only the operator of this server can reset its second factor.',
    )
  }
  return organizations.map(({ id }) => id).filter((id) => id !== actor.organizationId)
}
