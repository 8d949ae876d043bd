import type { Actor, Person } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { findOwner } from '../../account-emails/account-emails.queries.ts'
import { notifyMember } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findDisabledAt } from '../../auth/accounts/accounts.queries.ts'
import { confirmPerson } from '../../auth/accounts/confirm-password.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { lockMemberForRevocation } from '../members/members.queries.ts'
import { changeMember, setRole } from '../members/members.service.ts'
import { changeOrganization } from '../organization-change.service.ts'

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

/**
 * Gives an organization another owner: for an owner who has left or cannot sign in. The former
 * owner becomes an admin.
 *
 * @param name of the administrator, for the emails
 * @returns the new owner
 * @throws ApiError NOT_FOUND for a user who is not a member, CONFLICT for the owner and for a disabled account
 */
export const transferOwnershipAs = (
  { change, clock, jobs }: Writer,
  by: { person: Person } | { system: string },
  organizationId: string,
  userId: string,
  name: string,
): Promise<{ id: string; name: string; email: string }> => {
  const within = { ...by, organizationId }
  return changeOrganization(
    change,
    within,
    async (tx) => {
      const successor = await lockMemberForRevocation(tx, organizationId, userId)
      if (!successor) throw notFound('The account is not a member of this organization.')
      if (successor.role === 'owner') throw conflict(`${successor.email} owns the organization already.`)
      if ((await findDisabledAt(tx, userId)) !== null) throw conflict(`The account of ${successor.email} is disabled.`)
      const owner = await findOwner(tx, organizationId)
      if (owner) {
        await lockMemberForRevocation(tx, organizationId, owner.id)
        await setRole(tx, clock, organizationId, owner.id, 'admin')
      }
      await setRole(tx, clock, organizationId, userId, 'owner')
      // In the log of the organization, and in that of the instance, which the organization does not read.
      for (const author of [within, by])
        await recordAudit(tx, author, clock, {
          action: 'organization.ownership-transferred',
          object: { type: 'organization', id: organizationId },
          before: { ownerId: owner?.id ?? null },
          after: { ownerId: userId },
        })
      await notifyMember(tx, jobs, clock, { userId, organizationId }, { kind: 'ownership-received', by: name })
      if (owner)
        await notifyMember(
          tx,
          jobs,
          clock,
          { userId: owner.id, organizationId },
          { kind: 'ownership-given', to: successor.name, by: name },
        )
      return { id: userId, name: successor.name, email: successor.email }
    },
    { member: userId },
  )
}
