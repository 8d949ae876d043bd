import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { shareAccount } from '../../identity/accounts/accounts.queries.ts'
import { notifyMember } from '../../notifications/notifications.service.ts'
import { lockOrganization } from '../organizations.queries.ts'
import * as query from './members.queries.ts'
import { addMember, endMembership } from './members.service.ts'

/** What the identity provider says of a membership. */
export interface ProvidedMembership {
  organizationId: string
  user: { id: string; name: string; email: string }
  /** Null: none. */
  role: 'admin' | 'member' | null
  /** Whether somebody who is no member becomes one; false where an administrator may have removed the person since. */
  mayJoin: boolean
  /** As audit entries and mails name who says so. */
  source: string
}

/**
 * Brings a membership in line with what the provider says. The owner stays the owner whatever it says: ownership is only
 * ever handed on by the owner. What is so already changes nothing. Whom an administrator removed, or who left, does not come
 * back by it (abuse case M12).
 */
export const provideMembership = async (tx: Transaction, { clock, jobs }: Platform, wanted: ProvidedMembership): Promise<void> => {
  const { organizationId, user, role, source } = wanted
  await shareAccount(tx, user.id)
  await lockOrganization(tx, organizationId)
  const member = await query.takeMember(tx, organizationId, user.id)
  const by = { system: source, organizationId }
  const object = { type: 'member', id: user.id }
  if (member?.role === 'owner' || (member ? member.role === role : role === null || !wanted.mayJoin)) return
  if (!member && role !== null) {
    if (await query.wasRemoved(tx, organizationId, user.id)) return
    await addMember(tx, clock, organizationId, user, role)
    await recordAudit(tx, by, clock, { action: 'member.joined', object, after: { email: user.email, role } })
  } else if (member && role === null) {
    await endMembership(tx, clock, by, member, 'member.removed', true)
    await notifyMember(tx, jobs, clock, { userId: user.id, organizationId }, { kind: 'member-removed', by: source })
  } else if (member && role !== null) {
    await query.updateMemberRole(tx, organizationId, user.id, role, isoTime(clock.now()))
    await recordAudit(tx, by, clock, { action: 'member.role-changed', object, before: { role: member.role }, after: { role } })
    await notifyMember(tx, jobs, clock, { userId: user.id, organizationId }, { kind: 'role-changed', role, by: source })
  }
}
