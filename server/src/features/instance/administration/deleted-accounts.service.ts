import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { deleteAccountRows } from '../../../platform/database/account-rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { notifyDeletedAccount } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import {
  listOrganizationIds,
  lockAccountForRevocation,
  lockLivingAccount,
} from '../../auth/accounts/accounts.queries.ts'
import { clearAccount } from '../../auth/accounts/accounts.service.ts'
import { endSessions } from '../../auth/sessions/sessions.service.ts'
import { cancelWaitingMailsTo } from '../../mails/mails.service.ts'
import { lockMemberForRevocation } from '../../organizations/members/members.queries.ts'
import { endMembership } from '../../organizations/members/members.service.ts'
import { lockOrganization } from '../../organizations/organizations.queries.ts'
import { listOwnedOrganizations } from './administration.queries.ts'
import type { Administrator } from './administrator.ts'

/**
 * Deletes an account: ends its sessions, memberships, and the keys that act within its rights, and removes its name,
 * address, password, second factor and links. The row stays without them: texts name "Deleted account" as their author,
 * and the audit log keeps the name of that time. Keys of the organization stay, even those that the account made.
 *
 * @returns how many sessions and memberships ended
 * @throws ApiError NOT_FOUND, CONFLICT for an instance administrator and for the owner of an organization
 */
export const deleteAccount = (
  { change, clock, jobs }: Writer,
  by: Administrator,
  userId: string,
): Promise<{ sessions: number; memberships: number }> =>
  change<{ sessions: number; memberships: number }, string[]>(
    async (tx, organizationIds) => {
      const account = await lockLivingAccount(tx, userId)
      if (account.is_instance_admin)
        throw conflict('The account administers this instance. Remove it as an instance administrator first.')
      const owned = await listOwnedOrganizations(tx, userId)
      if (owned.length > 0)
        throw conflict(
          `The account owns ${owned.map(({ name, slug }) => `${name} (${slug})`).join(', ')}. Transfer the ownership or remove the organization first.`,
        )
      for (const organizationId of organizationIds) {
        const member = await lockMemberForRevocation(tx, organizationId, userId)
        if (member) await endMembership(tx, clock, { ...by, organizationId }, member, 'member.removed')
      }
      const sessions = await endSessions(tx, userId)
      await cancelWaitingMailsTo(tx, account.email)
      await notifyDeletedAccount(tx, jobs, clock, { userId, name: account.name, email: account.email })
      await deleteAccountRows(tx, userId)
      await clearAccount(tx, userId, isoTime(clock.now()))
      await recordAudit(tx, by, clock, {
        action: 'account.deleted',
        object: { type: 'user', id: userId },
        before: { name: account.name, email: account.email },
        after: { sessionsEnded: sessions, membershipsEnded: organizationIds.length },
      })
      return { sessions, memberships: organizationIds.length }
    },
    { first: (tx) => lockWithOrganizations(tx, userId) },
  )

/** In the order of all changes: the account, then its organizations. @returns the ids of these */
const lockWithOrganizations = async (tx: Transaction, userId: string): Promise<string[]> => {
  await lockAccountForRevocation(tx, userId)
  const ids = (await listOrganizationIds(tx, userId)).toSorted()
  for (const id of ids) await lockOrganization(tx, id)
  return ids
}
