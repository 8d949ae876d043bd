import type { Device } from '../../../platform/auth/device.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { addressBucket } from '../../../platform/http/server/address.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { setPassword } from '../account-settings/account-settings.service.ts'
import {
  findUserByEmail,
  listOrganizationNames,
  lockAccount,
  lockAccountForRevocation,
} from '../accounts/accounts.queries.ts'
import { renameAccount } from '../accounts/accounts.service.ts'
import { unlinkIdentities } from '../linked-accounts/unlink.service.ts'
import { findPasswordReset, consumePasswordReset } from '../password-links/password-links.queries.ts'
import { mailResetLink } from '../password-links/password-links.service.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { requirePasswords } from '../sign-in/sign-in-mode.ts'
import { forgetGuesses } from '../throttle/guess-limits.ts'
import { ADDRESS_MAILED_LINK, attempt } from '../throttle/throttle.service.ts'

const NO_MAIL =
  "This instance is in safe mode and sends no email, so it can't send a link for a new password. The operator can set a password: npm run operator -- reset-password <email>."

/** Looks up the account outside the request, so that response times do not reveal whether it exists. */
export const requestPasswordResetJob: JobType<{ email: string }> = {
  name: 'request-password-reset',
  options: {
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    expireInSeconds: JOB_EXPIRY_SECONDS,
    retentionSeconds: 60 * 60,
  },
}

/**
 * Takes the same steps for every address (abuse case S5): counts the request and queues a job.
 *
 * @throws ApiError RATE_LIMITED when one network address asks too often, FORBIDDEN if users have no passwords, CONFLICT
 *   in safe mode, for any address
 */
export const requestPasswordReset = async (
  { db, clock, jobs, config, safeMode }: Platform,
  email: string,
  address: string,
): Promise<void> => {
  requirePasswords(config)
  if (!(await safeMode.isLive())) throw conflict(NO_MAIL)
  const key = parseEmail(email)?.key ?? ''
  await attempt(
    db,
    clock,
    [{ bucket: `reset-from:${addressBucket(address)}`, limit: ADDRESS_MAILED_LINK }],
    async () => undefined,
  )
  await transaction(db, (tx) => jobs.enqueue(tx, requestPasswordResetJob, { email: key }))
}

/** The job: if the address has an account, mails a link to the address as the account stores it. */
export const mailPasswordReset = async (platform: Platform, emailKey: string): Promise<void> => {
  const user = await findUserByEmail(platform.db, emailKey)
  if (!user) return
  const purpose = user.password_hash === null ? 'welcome' : 'reset'
  await transaction(platform.db, async (tx) => {
    await lockAccount(tx, user.id)
    if (!(await mailResetLink(tx, platform, user, purpose))) return
    await recordAudit(tx, { system: 'forgotten password' }, platform.clock, {
      action: 'account.password-reset-requested',
      object: { type: 'user', id: user.id },
    })
  })
}

const DEAD_LINK = 'This link no longer works. Request a new one on the sign-in page.'

/** @throws ApiError NOT_FOUND for a link that is unknown, used, replaced or too old */
export const inspectPasswordReset = async ({ db, clock, config }: Platform, token: string) => {
  requirePasswords(config)
  const reset = await findPasswordReset(db, sha256(token), isoTime(clock.now()))
  if (!reset) throw notFound(DEAD_LINK)
  return reset
}

/**
 * Sets the password and ends every session. It does not sign in: the next sign-in asks for a second factor as usual.
 *
 * @returns the address to sign in with
 * @throws ApiError NOT_FOUND for a dead link, VALIDATION_ERROR for a password that breaks the rules; the link stays
 *   valid then
 */
export const resetPassword = async (
  platform: Platform,
  passwords: Passwords,
  { token, password, name }: { token: string; password: string; name?: string | undefined },
  device: Device,
): Promise<string> => {
  const { db, clock } = platform
  const reset = await inspectPasswordReset(platform, token)
  const isWelcome = reset.purpose === 'welcome'
  const chosenName = (isWelcome && name) || reset.name
  const passwordHash = await passwords.hash(password, [
    reset.email,
    chosenName,
    ...(await listOrganizationNames(db, reset.user_id)),
  ])
  await transaction(db, async (tx) => {
    await lockAccountForRevocation(tx, reset.user_id)
    if (!(await consumePasswordReset(tx, reset.id, isoTime(clock.now())))) throw notFound(DEAD_LINK)
    await recordAudit(tx, { person: { userId: reset.user_id, name: chosenName, address: device.address } }, clock, {
      action: isWelcome ? 'account.activated' : 'account.password-reset',
      object: { type: 'user', id: reset.user_id },
    })
    // The owner of the mailbox takes over the account; all other ways into it end (abuse case S13).
    await unlinkIdentities(tx, platform, reset.user_id)
    if (chosenName !== reset.name) await renameAccount(tx, clock, reset.user_id, chosenName)
    await setPassword(
      tx,
      platform,
      reset.user_id,
      passwordHash,
      isWelcome ? undefined : { kind: 'password', change: 'reset by mail', from: device },
    )
  })
  await forgetGuesses(db, reset.email)
  return reset.email
}
