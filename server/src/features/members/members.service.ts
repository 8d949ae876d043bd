import type { Role } from '@sortie/contract/scopes.ts'
import type { Actor, Person } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/http/context.ts'
import { confirmPerson } from '../accounts/confirm-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { revokePendingOfAddress } from '../invitations/invitations.service.ts'
import { notifyMember } from '../notifications/notifications.service.ts'
import { lockOrganization } from '../organizations/organizations.queries.ts'
import * as query from './members.queries.ts'

/** @returns false when the person is a member already */
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
  return added !== undefined
}

/** The role it has already: nothing changes. The owner: 409 (open point 10). */
export const changeMemberRole = ({ db, clock, jobs }: Platform, actor: Actor, userId: string, role: 'admin' | 'member') =>
  transaction(db, async (tx) => {
    const member = await lockMember(tx, actor, userId)
    if (member.role === 'owner') throw conflict("The owner's role cannot be changed here. Ownership is transferred in the web interface, by the owner.")
    if (member.role === role) return { id: member.id, role, updated_at: member.updated_at }
    const after = await query.updateMemberRole(tx, actor.organizationId, userId, role, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'member.role-changed',
      object: { type: 'member', id: userId },
      before: { role: member.role },
      after: { role },
    })
    await notifyMember(tx, jobs, clock, { userId, organizationId: actor.organizationId }, { kind: 'role-changed', role, by: authorOf(actor) })
    return { ...after, role }
  })

/** Ends a membership; the account and what the person made stay (specification, section 3). */
export const removeMember = ({ db, clock, jobs }: Platform, actor: Actor, userId: string): Promise<void> =>
  transaction(db, async (tx) => {
    const member = await lockMember(tx, actor, userId)
    if (member.role === 'owner') throw conflict('The owner cannot be removed. Transfer the ownership first.')
    await query.deleteMember(tx, actor.organizationId, userId)
    await query.insertEndedMembership(tx, actor.organizationId, userId, isoTime(clock.now()))
    await revokePendingOfAddress(tx, actor.organizationId, member.email)
    await recordAudit(tx, actor, clock, {
      action: 'member.removed',
      object: { type: 'member', id: userId },
      before: { name: member.name, email: member.email, role: member.role },
    })
    if (userId !== actor.id)
      await notifyMember(tx, jobs, clock, { userId, organizationId: actor.organizationId }, { kind: 'member-removed', by: authorOf(actor) })
  })

/** @throws ApiError CONFLICT for the owner */
export const leaveOrganization = ({ db, clock }: Platform, actor: Actor): Promise<void> =>
  transaction(db, async (tx) => {
    await lockOrganization(tx, actor.organizationId)
    const member = await query.findMember(tx, actor.organizationId, actor.id)
    if (!member) throw notFound()
    if (member.role === 'owner') throw conflict('The owner cannot leave. Transfer the ownership first.')
    await query.deleteMember(tx, actor.organizationId, actor.id)
    await query.insertEndedMembership(tx, actor.organizationId, actor.id, isoTime(clock.now()))
    await revokePendingOfAddress(tx, actor.organizationId, member.email)
    await recordAudit(tx, actor, clock, {
      action: 'member.left',
      object: { type: 'member', id: actor.id },
      before: { name: member.name, email: member.email, role: member.role },
    })
  })

/**
 * Swaps the owner with another member, atomically: readers see one owner at any time.
 *
 * @throws ApiError FORBIDDEN for a wrong password, NOT_FOUND when the other is no member, CONFLICT when it is the owner
 */
export const transferOwnership = async (
  platform: Platform,
  passwords: Passwords,
  { actor, person }: { actor: Actor; person: Person },
  { userId, password }: { userId: string; password?: string },
): Promise<void> => {
  const { db, clock, jobs } = platform
  await confirmPerson(platform, passwords, person, password)
  await transaction(db, async (tx) => {
    const successor = await lockMember(tx, actor, userId)
    const current = await query.findMember(tx, actor.organizationId, actor.id)
    if (current?.role !== 'owner') throw forbidden('Only the owner may do this.')
    if (successor.id === actor.id) throw conflict('You are the owner already.')
    const now = isoTime(clock.now())
    await query.updateMemberRole(tx, actor.organizationId, actor.id, 'admin', now)
    await query.updateMemberRole(tx, actor.organizationId, userId, 'owner', now)
    await recordAudit(tx, actor, clock, {
      action: 'organization.ownership-transferred',
      object: { type: 'organization', id: actor.organizationId },
      before: { ownerId: actor.id },
      after: { ownerId: userId },
    })
    await notifyMember(tx, jobs, clock, { userId, organizationId: actor.organizationId }, { kind: 'ownership-received', by: actor.name })
    await notifyMember(tx, jobs, clock, { userId: actor.id, organizationId: actor.organizationId }, { kind: 'ownership-given', to: successor.name })
  })
}

/** As mails name who did something. */
const authorOf = (actor: Actor): string => (actor.kind === 'key' ? `The API key ${actor.name}` : actor.name)

/**
 * Changes of memberships wait for each other on the organization's row: whoever comes second sees what the first did, also
 * that it was done to the actor.
 */
const lockMember = async (tx: Transaction, actor: Actor, userId: string) => {
  await lockOrganization(tx, actor.organizationId)
  if (actor.kind === 'user') {
    const self = await query.findMember(tx, actor.organizationId, actor.id)
    if (self?.role !== 'owner' && self?.role !== 'admin') throw forbidden('Only the owner or an admin may do this.')
  }
  const member = await query.findMember(tx, actor.organizationId, userId)
  if (!member) throw notFound('There is no member with this id.')
  return member
}
