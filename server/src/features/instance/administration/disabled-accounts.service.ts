import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict } from '../../../platform/errors.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { listOrganizationIds, lockLivingAccount } from '../../auth/accounts/accounts.queries.ts'
import { changeAccount, setDisabledAt } from '../../auth/accounts/accounts.service.ts'
import { endSessions } from '../../auth/sessions/sessions.service.ts'
import { lockMemberForRevocation } from '../../organizations/members/members.queries.ts'

/**
 * Disables an account: ends its sessions, refuses sign-ins, and refuses the keys that act within its rights (terminals and
 * agents). Keys of the organization stay, even those that the account made. Changes that the account is making are waited for.
 *
 * @returns how many sessions ended; undefined if it was disabled already
 * @throws ApiError NOT_FOUND, CONFLICT for an instance administrator
 */
export const disableAccount = ({ change, clock }: Writer, by: AuditedBy, userId: string): Promise<number | undefined> =>
  changeAccount(change, userId, async (tx) => {
    const account = await lockLivingAccount(tx, userId)
    if (account.is_instance_admin)
      throw conflict('The account administers this instance. Remove it as an instance administrator first.')
    if (account.disabled_at !== null) return undefined
    for (const organizationId of (await listOrganizationIds(tx, userId)).toSorted())
      await lockMemberForRevocation(tx, organizationId, userId)
    const now = isoTime(clock.now())
    await setDisabledAt(tx, userId, now, now)
    const sessions = await endSessions(tx, userId)
    await recordAudit(tx, by, clock, {
      action: 'account.disabled',
      object: { type: 'user', id: userId },
      after: { sessionsEnded: sessions },
    })
    return sessions
  })

/**
 * @returns false if the account is not disabled
 * @throws ApiError NOT_FOUND
 */
export const enableAccount = ({ change, clock }: Writer, by: AuditedBy, userId: string): Promise<boolean> =>
  changeAccount(change, userId, async (tx) => {
    const account = await lockLivingAccount(tx, userId)
    if (account.disabled_at === null) return false
    await setDisabledAt(tx, userId, null, isoTime(clock.now()))
    await recordAudit(tx, by, clock, {
      action: 'account.enabled',
      object: { type: 'user', id: userId },
      before: { disabledAt: account.disabled_at },
    })
    return true
  })
