import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import * as query from './accounts.queries.ts'

/**
 * @returns true if this changed the account
 * @throws ApiError NOT_FOUND, CONFLICT when no instance administrator would be left
 */
export const setInstanceAdmin = (
  { change, clock }: Writer,
  by: AuditedBy,
  userId: string,
  isInstanceAdmin: boolean,
): Promise<boolean> =>
  change(
    async (tx) => {
      const account = await query.findUser(tx, userId)
      if (!account) throw notFound('There is no account with this id.')
      if (account.is_instance_admin === isInstanceAdmin) return false
      if (!isInstanceAdmin && (await query.countInstanceAdmins(tx)) === 1)
        throw conflict('This is the last instance administrator. Add another one first.')
      await query.updateAccount(tx, userId, { is_instance_admin: isInstanceAdmin }, isoTime(clock.now()))
      await recordAudit(tx, by, clock, {
        action: isInstanceAdmin ? 'instance-admin.named' : 'instance-admin.removed',
        object: { type: 'user', id: userId },
        before: { isInstanceAdmin: account.is_instance_admin },
        after: { isInstanceAdmin },
      })
      return true
    },
    { first: (tx) => query.lockInstanceAdminForRevocation(tx, userId, 'person' in by ? by.person.userId : undefined) },
  )
