import type { Role } from '@sortie/contract/core/scopes.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { RunChange } from '../../../platform/database/change.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { announce, type EventChange } from '../../../platform/events/announce.ts'
import { notifyMember } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { revokePendingOfAddress } from '../invitations/invitations.service.ts'
import { type ChangedBy, changeOrganization } from '../organization-change.service.ts'
import * as query from './members.queries.ts'

/** @returns false if the user is already a member */
export const addMember = async (
  tx: Transaction,
  clock: Clock,
  organizationId: string,
  user: { id: string; name: string; email: string },
  role: Role,
): Promise<boolean> => {
  const now = isoTime(clock.now())
  const added = await query.insertMember(tx, {
    organization_id: organizationId,
    user_id: user.id,
    name: user.name,
    email: user.email,
    role,
    joined_at: now,
    updated_at: now,
  })
  await query.deleteEndedMembership(tx, organizationId, user.id)
  if (!added) return false
  await announceMember(tx, organizationId, user.id, 'created')
  return true
}

/** Setting the current role changes nothing. The owner: 409 (open point 10). */
export const changeMemberRole = (
  { change, clock, jobs }: Writer,
  actor: Actor,
  userId: string,
  role: 'admin' | 'member',
) =>
  changeMember(change, actor, userId, async (tx, member) => {
    if (member.role === 'owner')
      throw conflict(
        "The owner's role cannot be changed here. Ownership is transferred in the web interface, by the owner.",
      )
    if (member.role === role) return { id: member.id, role, updated_at: member.updated_at }
    const after = await setRole(tx, clock, actor.organizationId, userId, role)
    await recordAudit(tx, actor, clock, {
      action: 'member.role-changed',
      object: { type: 'member', id: userId },
      before: { role: member.role },
      after: { role },
    })
    await notifyMember(
      tx,
      jobs,
      clock,
      { userId, organizationId: actor.organizationId },
      { kind: 'role-changed', role, by: authorOf(actor) },
    )
    return { ...after, role }
  })

/** Ends a membership; the account and its content stay (specification, section 3). */
export const removeMember = ({ change, clock, jobs }: Writer, actor: Actor, userId: string): Promise<void> =>
  changeMember(change, actor, userId, async (tx, member) => {
    if (member.role === 'owner') throw conflict('The owner cannot be removed. Transfer the ownership first.')
    await endMembership(tx, clock, actor, member, 'member.removed')
    if (userId !== actor.id)
      await notifyMember(
        tx,
        jobs,
        clock,
        { userId, organizationId: actor.organizationId },
        { kind: 'member-removed', by: authorOf(actor) },
      )
  })

/** @throws ApiError CONFLICT for the owner */
export const leaveOrganization = ({ change, clock }: Writer, actor: Actor): Promise<void> =>
  changeMember(change, actor, actor.id, async (tx, member) => {
    if (member.role === 'owner') throw conflict('The owner cannot leave. Transfer the ownership first.')
    await endMembership(tx, clock, actor, member, 'member.left')
  })

/**
 * Ends a membership within a change that holds its lock.
 *
 * @param isByProvider only the identity provider may restore it
 */
export const endMembership = async (
  tx: Transaction,
  clock: Clock,
  by: ChangedBy,
  member: Member,
  action: string,
  isByProvider = false,
): Promise<void> => {
  const { id, name, email, role } = member
  await query.deleteMember(tx, by.organizationId, id)
  await query.insertEndedMembership(tx, by.organizationId, id, isoTime(clock.now()), isByProvider)
  await revokePendingOfAddress(tx, by.organizationId, email)
  await announceMember(tx, by.organizationId, id, 'deleted')
  await recordAudit(tx, by, clock, { action, object: { type: 'member', id }, before: { name, email, role } })
}

/** Within a change that holds the lock of the membership. */
export const setRole = async (tx: Transaction, clock: Clock, organizationId: string, userId: string, role: Role) => {
  const after = await query.updateMemberRole(tx, organizationId, userId, role, isoTime(clock.now()))
  await announceMember(tx, organizationId, userId, 'updated')
  return after
}

/** Names the organization: some changes of members run outside the scope of one. */
const announceMember = (tx: Transaction, organizationId: string, userId: string, change: EventChange): Promise<void> =>
  announce(tx, { type: 'member', organizationId, engagementId: null, ids: [userId], change })

/** Actor name for e-mails. */
const authorOf = (actor: Actor): string => (actor.kind === 'key' ? `The API key ${actor.name}` : actor.name)

type Member = NonNullable<Awaited<ReturnType<typeof query.lockMemberForRevocation>>>

/**
 * Opens a change of a membership. Changes of memberships wait for each other: the second one sees what the first did,
 * also to its own actor.
 *
 * @throws ApiError NOT_FOUND for a user who is not a member
 */
export const changeMember = <T>(
  change: RunChange,
  actor: Actor,
  userId: string,
  work: (tx: Transaction, member: Member) => Promise<T>,
): Promise<T> =>
  changeOrganization(
    change,
    actor,
    async (tx) => {
      const member = await query.lockMemberForRevocation(tx, actor.organizationId, userId)
      if (!member) throw notFound('There is no member with this id.')
      return work(tx, member)
    },
    { member: userId },
  )
