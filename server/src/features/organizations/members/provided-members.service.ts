import type { Platform } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { notifyMember } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockAccountForShare } from '../../auth/accounts/accounts.queries.ts'
import { lockOrganization } from '../organizations.queries.ts'
import * as query from './members.queries.ts'
import { addMember, endMembership, setRole } from './members.service.ts'

/** A membership as the identity provider reports it. */
export interface ProvidedMembership {
  organizationId: string
  user: { id: string; name: string; email: string }
  /** Null: none. */
  role: 'admin' | 'member' | null
  /** True if the user may join; false if an administrator may have removed them since. */
  mayJoin: boolean
  /** The actor's name in audit entries and mails. */
  source: string
}

/**
 * Synchronizes a membership with the provider. The owner stays the owner whatever the provider reports: only the owner
 * can transfer ownership. An unchanged role changes nothing. A user who left, or whom an administrator removed, does
 * not return this way (abuse case M12).
 */
export const provideMembership = async (
  tx: Transaction,
  { clock, jobs }: Platform,
  wanted: ProvidedMembership,
): Promise<void> => {
  const { organizationId, user, role, source } = wanted
  await lockAccountForShare(tx, user.id)
  if (!(await lockOrganization(tx, organizationId))) return
  const member = await query.lockMemberForRevocation(tx, organizationId, user.id)
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
    await setRole(tx, clock, organizationId, user.id, role)
    await recordAudit(tx, by, clock, {
      action: 'member.role-changed',
      object,
      before: { role: member.role },
      after: { role },
    })
    await notifyMember(tx, jobs, clock, { userId: user.id, organizationId }, { kind: 'role-changed', role, by: source })
  }
}
