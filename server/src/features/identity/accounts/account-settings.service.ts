import type { Person } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import type { Platform, Writer } from '../../../platform/http/context.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { notifyPerson, type SecurityNotice } from '../../notifications/notifications.service.ts'
import { cancelPasswordResets } from '../password-resets/links.service.ts'
import type { Device } from '../sessions/session-types.ts'
import { endSessions, replaceSessions } from '../sessions/sessions.service.ts'
import { changeAccount } from './account-change.service.ts'
import * as query from './accounts.queries.ts'
import { confirmPassword } from './confirm-password.ts'
import type { Passwords } from './passwords.ts'

export interface AccountChange {
  name?: string | undefined
  notifications?: { membership?: boolean | undefined; apiKeys?: boolean | undefined; invitations?: boolean | undefined } | undefined
}

/** What is the same already changes nothing and leaves no audit entry. */
export const updateAccount = ({ change, clock }: Writer, person: Person, wanted: AccountChange): Promise<void> =>
  changeAccount(change, person.userId, async (tx) => {
    const before = await query.lockAccount(tx, person.userId)
    const { membership, apiKeys, invitations } = wanted.notifications ?? {}
    const columns = { name: wanted.name, notify_membership: membership, notify_api_keys: apiKeys, notify_invitations: invitations }
    const changed = Object.entries(columns).filter(([column, value]) => value !== undefined && value !== before[column as keyof typeof columns])
    if (changed.length === 0) return
    const after = Object.fromEntries(changed)
    await query.updateAccount(tx, person.userId, after, isoTime(clock.now()))
    await recordAudit(tx, { person }, clock, {
      action: 'account.updated',
      object: { type: 'user', id: person.userId },
      before: Object.fromEntries(changed.map(([column]) => [column, before[column as keyof typeof columns]])),
      after,
    })
  })

/**
 * @returns the token of the new session that takes the place of the asking one
 * @throws ApiError FORBIDDEN for a wrong current password, VALIDATION_ERROR for a new one that may not be used
 */
export const changePassword = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  device: Device,
) => {
  const { db, change, clock, keys } = platform
  const user = await confirmPassword(platform, passwords, person.userId, currentPassword, 'currentPassword')
  if (newPassword.normalize('NFC') === currentPassword.normalize('NFC')) throw invalid('newPassword: is the one that you have')
  const passwordHash = await passwords.hash(newPassword, [user.email, user.name, ...(await query.listOrganizationNames(db, user.id))], 'newPassword')
  return changeAccount(change, person.userId, async (tx) => {
    const now = await query.lockAccount(tx, person.userId)
    if (now.password_hash !== user.password_hash) throw conflict('The password was changed at this very moment, from somewhere else.')
    await recordAudit(tx, { person }, clock, { action: 'account.password-changed', object: { type: 'user', id: person.userId } })
    await storePassword(tx, platform, person.userId, passwordHash, { kind: 'password', change: 'changed', from: device })
    const { token, ended } = await replaceSessions(tx, keys, clock, person, device)
    return { sessionToken: token, endedSessions: Math.max(0, ended - 1) }
  })
}

/** Whatever the old password opened is closed: sessions, waiting sign-ins, mailed links. */
export const setPassword = async (
  tx: Transaction,
  platform: Pick<Platform, 'clock' | 'jobs'>,
  userId: string,
  passwordHash: string,
  notice: SecurityNotice | undefined,
): Promise<void> => {
  await storePassword(tx, platform, userId, passwordHash, notice)
  await endSessions(tx, userId)
}

const storePassword = async (
  tx: Transaction,
  { clock, jobs }: Pick<Platform, 'clock' | 'jobs'>,
  userId: string,
  passwordHash: string,
  notice: SecurityNotice | undefined,
): Promise<void> => {
  await query.updatePasswordHash(tx, userId, passwordHash, isoTime(clock.now()))
  await cancelPasswordResets(tx, userId)
  if (notice) await notifyPerson(tx, jobs, clock, { userId }, notice)
}
