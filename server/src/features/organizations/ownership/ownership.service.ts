import type { Actor, Person } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict } from '../../../platform/errors.ts'
import { notifyMember } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { confirmPerson } from '../../auth/accounts/confirm-password.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { lockMemberForRevocation } from '../members/members.queries.ts'
import { changeMember, setRole } from '../members/members.service.ts'

/**
 * Swaps the owner with another member, atomically: readers always see one owner.
 *
 * @throws ApiError FORBIDDEN for a wrong password, NOT_FOUND when the other user is not a member, CONFLICT when it is
 *   the owner
 */
export const transferOwnership = async (
  platform: Writer,
  passwords: Passwords,
  { actor, person }: { actor: Actor; person: Person },
  { userId, password }: { userId: string; password?: string },
): Promise<void> => {
  const { change, clock, jobs } = platform
  await confirmPerson(platform, passwords, person, password)
  await changeMember(change, actor, userId, async (tx, successor) => {
    if (successor.id === actor.id) throw conflict('You are already the owner.')
    await lockMemberForRevocation(tx, actor.organizationId, actor.id)
    await setRole(tx, clock, actor.organizationId, actor.id, 'admin')
    await setRole(tx, clock, actor.organizationId, userId, 'owner')
    await recordAudit(tx, actor, clock, {
      action: 'organization.ownership-transferred',
      object: { type: 'organization', id: actor.organizationId },
      before: { ownerId: actor.id },
      after: { ownerId: userId },
    })
    await notifyMember(
      tx,
      jobs,
      clock,
      { userId, organizationId: actor.organizationId },
      { kind: 'ownership-received', by: actor.name },
    )
    await notifyMember(
      tx,
      jobs,
      clock,
      { userId: actor.id, organizationId: actor.organizationId },
      { kind: 'ownership-given', to: successor.name },
    )
  })
}
