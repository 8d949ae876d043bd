import { isoTime } from '../../../platform/clock.ts'
import { type Keys, sha256, sign } from '../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { addressBucket } from '../../../platform/http/address.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { newId } from '../../../platform/ids.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import { parseEmail } from '../../../platform/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { queueMail } from '../../mails/mails.service.ts'
import { setPassword } from '../accounts/account-settings.service.ts'
import { findUserByEmail, listOrganizationNames, takeAccount } from '../accounts/accounts.queries.ts'
import { renameAccount } from '../accounts/accounts.service.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { ADDRESS_PASSWORD_RESET, attempt, forgetFailures, isWithinLimit } from '../attempts/attempts.service.ts'
import { unlinkIdentities } from '../identities/unlink.service.ts'
import type { Device } from '../sessions/session-types.ts'
import { requirePasswords } from '../sessions/sign-in-mode.ts'
import * as query from './password-resets.queries.ts'

const MINUTE_MS = 60_000
const RESET_LIFETIME_MS = 30 * MINUTE_MS
/** The first link of an account that somebody else made: as long as an invitation. */
const WELCOME_LIFETIME_MS = 7 * 24 * 60 * MINUTE_MS
const MAILS_PER_ADDRESS_AND_HOUR = 3

/** Looks for the account apart from the request, so that the answer cannot tell by its time whether there is one. */
export const requestPasswordResetJob: JobType<{ email: string }> = {
  name: 'request-password-reset',
  options: { retryLimit: 5, retryDelay: 2, retryBackoff: true, expireInSeconds: JOB_EXPIRY_SECONDS, retentionSeconds: 60 * 60 },
}

/**
 * Takes the same steps for every address (abuse case S5): both counters count, and a job is queued.
 *
 * @throws ApiError RATE_LIMITED when one network address asks too often, FORBIDDEN where people have no passwords
 */
export const requestPasswordReset = async ({ db, clock, jobs, config }: Platform, email: string, address: string): Promise<void> => {
  requirePasswords(config)
  const key = parseEmail(email)?.key ?? ''
  await attempt(db, clock, [{ bucket: `reset-from:${addressBucket(address)}`, limit: ADDRESS_PASSWORD_RESET }], async () => undefined)
  if (!(await isWithinLimit(db, clock, `reset:${key}`, MAILS_PER_ADDRESS_AND_HOUR, 60 * MINUTE_MS))) return
  await transaction(db, (tx) => jobs.enqueue(tx, requestPasswordResetJob, { email: key }))
}

/** The job: mails a link if the address has an account, to the address as the account has it. */
export const mailPasswordReset = async (platform: Platform, emailKey: string): Promise<void> => {
  const user = await findUserByEmail(platform.db, emailKey)
  if (!user) return
  const purpose = user.password_hash === null ? 'welcome' : 'reset'
  await transaction(platform.db, async (tx) => {
    await queueLink(tx, platform, user, { purpose, requested: true, lifetimeMs: RESET_LIFETIME_MS })
    await recordAudit(tx, { system: 'forgotten password' }, platform.clock, {
      action: 'account.password-reset-requested',
      object: { type: 'user', id: user.id },
    })
  })
}

/** Mails the first link of a new account. Nobody who asks for another takes it away (abuse case S22). */
export const mailWelcome = (tx: Transaction, platform: Platform, user: { id: string; email: string }): Promise<void> =>
  queueLink(tx, platform, user, { purpose: 'welcome', requested: false, lifetimeMs: WELCOME_LIFETIME_MS })

const queueLink = async (
  tx: Transaction,
  { clock, keys, jobs }: Platform,
  user: { id: string; email: string },
  { purpose, requested, lifetimeMs }: { purpose: 'reset' | 'welcome'; requested: boolean; lifetimeMs: number },
): Promise<void> => {
  const now = clock.now()
  const id = newId('rst', now)
  await query.replacePasswordReset(tx, {
    user_id: user.id,
    id,
    purpose,
    requested,
    token_hash: sha256(resetToken(keys, id)),
    created_at: isoTime(now),
    expires_at: isoTime(now + lifetimeMs),
  })
  await queueMail(tx, jobs, clock, { organizationId: null, kind: 'password-reset', recipient: user.email, subjectId: id, data: { purpose } })
}

/** The token of the mailed link: made again when the mail is rendered, so that only its hash is ever stored. */
export const resetToken = (keys: Keys, resetId: string): string => sign(keys.passwordReset, resetId)

const DEAD_LINK = 'This link does not work any more. Ask for a new one on the sign-in page.'

/** @throws ApiError NOT_FOUND for a link that is unknown, used, replaced or too old */
export const inspectPasswordReset = async ({ db, clock, config }: Platform, token: string) => {
  requirePasswords(config)
  const reset = await query.findPasswordReset(db, sha256(token), isoTime(clock.now()))
  if (!reset) throw notFound(DEAD_LINK)
  return reset
}

/**
 * Sets the password and ends every session. Nobody is signed in: a second factor is asked for at the next sign-in as ever.
 *
 * @returns the address to sign in with
 * @throws ApiError NOT_FOUND for a dead link, VALIDATION_ERROR for a password that may not be used; the link lives on then
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
  const passwordHash = await passwords.hash(password, [reset.email, chosenName, ...(await listOrganizationNames(db, reset.user_id))])
  await transaction(db, async (tx) => {
    await takeAccount(tx, reset.user_id)
    if (!(await query.takePasswordReset(tx, reset.id, isoTime(clock.now())))) throw notFound(DEAD_LINK)
    await recordAudit(tx, { person: { userId: reset.user_id, name: chosenName, address: device.address } }, clock, {
      action: isWelcome ? 'account.activated' : 'account.password-reset',
      object: { type: 'user', id: reset.user_id },
    })
    // Whoever holds the mailbox takes the account over, with nobody else's ways into it left (abuse case S13).
    await unlinkIdentities(tx, platform, reset.user_id)
    if (chosenName !== reset.name) await renameAccount(tx, clock, reset.user_id, chosenName)
    await setPassword(tx, platform, reset.user_id, passwordHash, isWelcome ? undefined : { kind: 'password', change: 'reset by mail', from: device })
  })
  await forgetFailures(db, `sign-in:${parseEmail(reset.email)?.key}`)
  return reset.email
}
