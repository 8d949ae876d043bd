import type { Person } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import { decrypt, encrypt, type Keys } from '../../platform/crypto.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import type { Platform } from '../../platform/http/context.ts'
import { confirmPassword } from '../accounts/confirm-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { type Attempt, attempt, CONFIRMATION, forgetFailures } from '../attempts/attempts.service.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { notifyPerson } from '../notifications/notifications.service.ts'
import { type Device, endSessions, replaceSessions } from '../sessions/sessions.service.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import * as query from './second-factor.queries.ts'
import { matchTotp, newTotpSecret, totpUri } from './totp.ts'

/** Guesses of one account's codes, at whichever door and with however many tickets. */
export const codeAttempt = (userId: string): Attempt => ({ bucket: `second-factor:${userId}`, limit: CONFIRMATION })

/** @throws ApiError FORBIDDEN for a wrong password, CONFLICT when there is a second factor already */
export const startSecondFactor = async (platform: Platform, passwords: Passwords, person: Person, password: string) => {
  const { db, clock, keys } = platform
  await confirmPassword(platform, passwords, person.userId, password)
  const secret = newTotpSecret()
  await transaction(db, async (tx) => {
    const sealed = encrypt(keys.encryption, secret, secretContext(person.userId))
    const started = await query.insertPendingSecret(tx, { user_id: person.userId, secret: sealed, created_at: isoTime(clock.now()) })
    if (!started) throw conflict('A second factor is set up already. Remove it first.')
  })
  return { secret, uri: totpUri(secret, person.email) }
}

/**
 * The first code proves that the app has the secret. It cannot be used a second time for signing in.
 *
 * @throws ApiError CONFLICT when nothing was started, VALIDATION_ERROR for a wrong code
 */
export const confirmSecondFactor = async (platform: Platform, person: Person, code: string, device: Device) => {
  const { db, clock, keys, jobs } = platform
  const codes = newRecoveryCodes()
  const guess = codeAttempt(person.userId)
  const sessionToken = await attempt(db, clock, [guess], () =>
    transaction(db, async (tx) => {
      const factor = await query.lockSecondFactor(tx, person.userId)
      if (!factor || factor.confirmed_at) throw conflict(factor ? 'A second factor is set up already.' : 'Start with the secret for the app first.')
      const step = matchTotp(openSecret(keys, person.userId, factor.secret), code, factor.last_step, clock.now())
      if (step === undefined) return undefined
      await query.updateLastStep(tx, person.userId, step)
      await query.setConfirmed(tx, person.userId, isoTime(clock.now()))
      await query.replaceRecoveryCodes(tx, person.userId, hashesOf(keys, person.userId, codes))
      await recordAudit(tx, { person }, clock, { action: 'second-factor.enabled', object: { type: 'user', id: person.userId } })
      await notifyPerson(tx, jobs, clock, person, { kind: 'second-factor', change: 'enabled', from: device })
      return (await replaceSessions(tx, keys, clock, person.userId, device)).token
    }),
  )
  if (sessionToken === undefined) throw invalid('code: is not right. Codes change every 30 seconds; is the clock of the phone right?')
  await forgetFailures(db, guess.bucket)
  return { recoveryCodes: codes, sessionToken }
}

/** @throws ApiError FORBIDDEN for a wrong password, VALIDATION_ERROR for a wrong code, CONFLICT when there is none */
export const removeSecondFactor = async (
  platform: Platform,
  passwords: Passwords,
  person: Person,
  proof: { password: string; code: string },
  device: Device,
) => {
  const { db, clock, keys, jobs } = platform
  await confirmPassword(platform, passwords, person.userId, proof.password)
  const guess = codeAttempt(person.userId)
  const sessionToken = await attempt(db, clock, [guess], () =>
    transaction(db, async (tx) => {
      if (!(await useCode(tx, platform, person.userId, proof.code))) return undefined
      await query.deleteSecondFactor(tx, person.userId)
      await recordAudit(tx, { person }, clock, { action: 'second-factor.removed', object: { type: 'user', id: person.userId } })
      await notifyPerson(tx, jobs, clock, person, { kind: 'second-factor', change: 'removed', from: device })
      return (await replaceSessions(tx, keys, clock, person.userId, device)).token
    }),
  )
  if (sessionToken === undefined) throw invalid('code: is not right')
  await forgetFailures(db, guess.bucket)
  return sessionToken
}

/** @throws ApiError FORBIDDEN for a wrong password, CONFLICT without a second factor */
export const renewRecoveryCodes = async (platform: Platform, passwords: Passwords, person: Person, password: string, device: Device) => {
  const { db, clock, keys, jobs } = platform
  await confirmPassword(platform, passwords, person.userId, password)
  const codes = newRecoveryCodes()
  await transaction(db, async (tx) => {
    await requireEnabled(tx, person.userId)
    await query.replaceRecoveryCodes(tx, person.userId, hashesOf(keys, person.userId, codes))
    await recordAudit(tx, { person }, clock, { action: 'second-factor.recovery-codes-renewed', object: { type: 'user', id: person.userId } })
    await notifyPerson(tx, jobs, clock, person, { kind: 'second-factor', change: 'recovery codes renewed', from: device })
  })
  return codes
}

/**
 * For somebody who lost the app and the recovery codes. Ends every session.
 *
 * @returns whether there was a second factor that counted
 */
export const resetSecondFactor = ({ db, clock, jobs }: Platform, by: AuditedBy, userId: string): Promise<boolean> =>
  transaction(db, async (tx) => {
    if (!(await query.deleteSecondFactor(tx, userId))) return false
    await endSessions(tx, userId)
    await recordAudit(tx, by, clock, { action: 'second-factor.reset', object: { type: 'user', id: userId } })
    await notifyPerson(tx, jobs, clock, { userId }, { kind: 'second-factor', change: 'reset by the operator' })
    return true
  })

/**
 * Uses a code up, within the transaction of what it is used for: each works once, also when it is sent several times at
 * the same moment.
 *
 * @returns undefined for a code that is wrong, used or too old
 * @throws ApiError CONFLICT when the account has no second factor
 */
export const useCode = async (tx: Transaction, { clock, keys }: Platform, userId: string, typed: string): Promise<'app' | 'recovery code' | undefined> => {
  const factor = await requireEnabled(tx, userId)
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return (await query.deleteRecoveryCode(tx, userId, recoveryCodeHash(keys, userId, code))) ? 'recovery code' : undefined
  const step = matchTotp(openSecret(keys, userId, factor.secret), code, factor.last_step, clock.now())
  if (step === undefined) return undefined
  await query.updateLastStep(tx, userId, step)
  return 'app'
}

const requireEnabled = async (tx: Transaction, userId: string) => {
  const factor = await query.lockSecondFactor(tx, userId)
  if (!factor?.confirmed_at) throw conflict('There is no second factor on this account.')
  return factor
}

const secretContext = (userId: string) => `second_factors/secret/${userId}`

/** @throws ApiError CONFLICT when it was sealed under another `SESSION_SECRET` */
const openSecret = (keys: Keys, userId: string, sealed: Buffer): string => {
  try {
    return decrypt(keys.encryption, sealed, secretContext(userId))
  } catch {
    throw conflict('The second factor of this account cannot be read any more: the secret of this server was changed. Its operator can reset it.')
  }
}

const hashesOf = (keys: Keys, userId: string, codes: string[]) => codes.map((code) => recoveryCodeHash(keys, userId, code))
