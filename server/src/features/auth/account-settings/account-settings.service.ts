import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { notifyPerson, type SecurityNotice } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { listOrganizationNames, lockAccount } from '../accounts/accounts.queries.ts'
import { changeAccount, storePasswordHash } from '../accounts/accounts.service.ts'
import { confirmPassword } from '../accounts/confirm-password.ts'
import { cancelPasswordResets } from '../password-links/password-links.service.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { endSessions, replaceSessions } from '../sessions/sessions.service.ts'

/**
 * @returns the token of the new session, which replaces the current one
 * @throws ApiError FORBIDDEN for a wrong current password, VALIDATION_ERROR for a new one that breaks the password
 *   rules
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
  if (newPassword.normalize('NFC') === currentPassword.normalize('NFC'))
    throw invalid('newPassword: must differ from the current password')
  const passwordHash = await passwords.hash(
    newPassword,
    [user.email, user.name, ...(await listOrganizationNames(db, user.id))],
    'newPassword',
  )
  return changeAccount(change, person.userId, async (tx) => {
    const now = await lockAccount(tx, person.userId)
    if (now.password_hash !== user.password_hash)
      throw conflict('The password was changed from another session at the same time.')
    await recordAudit(tx, { person }, clock, {
      action: 'account.password-changed',
      object: { type: 'user', id: person.userId },
    })
    await storePassword(tx, platform, person.userId, passwordHash, {
      kind: 'password',
      change: 'changed',
      from: device,
    })
    const { token, ended } = await replaceSessions(tx, keys, clock, person, device)
    return { sessionToken: token, endedSessions: Math.max(0, ended - 1) }
  })
}

/** Ends everything that the old password opened: sessions, pending sign-ins, mailed links. */
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
  await storePasswordHash(tx, clock, userId, passwordHash)
  await cancelPasswordResets(tx, userId)
  if (notice) await notifyPerson(tx, jobs, clock, { userId }, notice)
}
