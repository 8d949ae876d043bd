import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import type { Keys } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { notifyPerson, type SecurityNotice } from '../../account-emails/account-emails.service.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { changeAccount } from '../accounts/accounts.service.ts'
import { type Confirmed, confirmPerson } from '../accounts/confirm-password.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { endSessions, replaceSessions } from '../sessions/sessions.service.ts'
import { deletePasskeysOfUser } from './passkeys/passkeys.queries.ts'
import { holderOfSession, type Proof, requireProof, useProof, withProof, wrongProof } from './proofs/proof.service.ts'
import { newRecoveryCodes, recoveryCodeHash } from './proofs/recovery-codes.ts'
import { matchTotp, newTotpSecret, openSecret, sealSecret, totpUri } from './proofs/totp.ts'
import * as query from './second-factor.queries.ts'

/**
 * @throws ApiError FORBIDDEN for a wrong password, VALIDATION_ERROR for a wrong proof where there are passkeys,
 *   CONFLICT when there is an app already
 */
export const startSecondFactor = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  { password, ...proof }: Confirmed & Proof,
) => {
  const { db, change, clock, keys } = platform
  await confirmPerson(platform, passwords, person, password)
  const factor = await query.findSecondFactor(db, person.userId)
  if (factor?.app_enabled_at) throw conflict('An authenticator app is already set up. Remove it first.')
  if (factor) await requireProof(platform, person, proof)
  const secret = newTotpSecret()
  await changeAccount(change, person.userId, async (tx) => {
    const sealed = sealSecret(keys, person.userId, secret)
    const started = await query.insertPendingSecret(tx, {
      user_id: person.userId,
      secret: sealed,
      created_at: isoTime(clock.now()),
    })
    if (!started) throw conflict('An authenticator app is already set up. Remove it first.')
  })
  return { secret, uri: totpUri(secret, person.email) }
}

/**
 * The first code proves that the app has the secret. It cannot be used again to sign in.
 *
 * @throws ApiError CONFLICT when nothing was started, VALIDATION_ERROR for a wrong code
 */
export const confirmSecondFactor = async (platform: Writer, person: Person, code: string, device: Device) => {
  const { change, clock, keys, jobs } = platform
  const codes = newRecoveryCodes()
  const refusal = invalid('code: is not right. Codes change every 30 seconds; is the clock of the phone right?')
  const sessionToken = await withProof(platform, person.userId, refusal, () =>
    changeAccount(change, person.userId, async (tx) => {
      const factor = await query.lockSecondFactor(tx, person.userId)
      if (!factor || factor.confirmed_at)
        throw conflict(
          factor ? 'An authenticator app is already set up.' : 'Start the setup first to get a secret for the app.',
        )
      const step = matchTotp(openSecret(keys, person.userId, factor.secret), code, factor.last_step, clock.now())
      if (step === undefined) return undefined
      await query.updateLastStep(tx, person.userId, step)
      await query.setConfirmed(tx, person.userId, isoTime(clock.now()))
      await query.replaceRecoveryCodes(tx, person.userId, hashesOf(keys, person.userId, codes))
      await recordAudit(tx, { person }, clock, {
        action: 'second-factor.enabled',
        object: { type: 'user', id: person.userId },
      })
      await notifyPerson(tx, jobs, clock, person, { kind: 'second-factor', change: 'enabled', from: device })
      return (await replaceSessions(tx, keys, clock, person, device)).token
    }),
  )
  return { recoveryCodes: codes, sessionToken }
}

/** @throws ApiError FORBIDDEN for a wrong password, VALIDATION_ERROR for a wrong code, CONFLICT when there is none */
export const removeSecondFactor = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  { password, ...proof }: Confirmed & Proof,
  device: Device,
) => {
  const { change, clock, keys, jobs } = platform
  await confirmPerson(platform, passwords, person, password)
  return withProof(platform, person.userId, wrongProof(proof), () =>
    changeAccount(change, person.userId, async (tx) => {
      if (!(await useProof(tx, platform, person.userId, holderOfSession('confirm', person.sessionId), proof)))
        return undefined
      if (!(await query.deleteApp(tx, person.userId))) throw conflict('There is no authenticator app on this account.')
      const isGone = await query.deleteCodesOfNoFactor(tx, person.userId)
      await recordAudit(tx, { person }, clock, {
        action: 'second-factor.removed',
        object: { type: 'user', id: person.userId },
      })
      await notifyPerson(tx, jobs, clock, person, {
        kind: 'second-factor',
        change: isGone ? 'removed' : 'app removed',
        from: device,
      })
      return (await replaceSessions(tx, keys, clock, person, device)).token
    }),
  )
}

/**
 * Requires the second factor itself: codes made with only the password would replace it (abuse case S19).
 *
 * @throws ApiError FORBIDDEN for a wrong password, CONFLICT without a second factor, VALIDATION_ERROR for a wrong proof
 */
export const renewRecoveryCodes = async (
  platform: Writer,
  passwords: Passwords,
  person: Person,
  { password, ...proof }: Confirmed & Proof,
  device: Device,
) => {
  const { change, clock, keys, jobs } = platform
  await confirmPerson(platform, passwords, person, password)
  return withProof(platform, person.userId, wrongProof(proof), () =>
    changeAccount(change, person.userId, async (tx) => {
      if (!(await query.findSecondFactor(tx, person.userId)))
        throw conflict('There is no second factor on this account.')
      if (!(await useProof(tx, platform, person.userId, holderOfSession('confirm', person.sessionId), proof)))
        return undefined
      const codes = newRecoveryCodes()
      await query.replaceRecoveryCodes(tx, person.userId, hashesOf(keys, person.userId, codes))
      await recordAudit(tx, { person }, clock, {
        action: 'second-factor.recovery-codes-renewed',
        object: { type: 'user', id: person.userId },
      })
      await notifyPerson(tx, jobs, clock, person, {
        kind: 'second-factor',
        change: 'recovery codes renewed',
        from: device,
      })
      return codes
    }),
  )
}

/**
 * For a user who lost the app, the passkeys and the recovery codes. Ends every session.
 *
 * @returns true if there was a confirmed second factor
 */
export const resetSecondFactor = ({ change, clock, jobs }: Writer, by: AuditedBy, userId: string): Promise<boolean> =>
  changeAccount(change, userId, (tx) =>
    clearSecondFactor(tx, { clock, jobs }, by, userId, { kind: 'second-factor', change: 'reset by the operator' }),
  )

/** Removes the second factor within a transaction, with a mail that fits the actor. */
export const clearSecondFactor = async (
  tx: Transaction,
  { clock, jobs }: Pick<Platform, 'clock' | 'jobs'>,
  by: AuditedBy,
  userId: string,
  notice: SecurityNotice,
): Promise<boolean> => {
  await lockAccount(tx, userId)
  const hadApp = await query.deleteApp(tx, userId)
  const passkeys = await deletePasskeysOfUser(tx, userId)
  await query.deleteCodesOfNoFactor(tx, userId)
  if (!hadApp && passkeys === 0) return false
  await endSessions(tx, userId)
  await recordAudit(tx, by, clock, {
    action: 'second-factor.reset',
    object: { type: 'user', id: userId },
    before: { app: hadApp, passkeys },
  })
  await notifyPerson(tx, jobs, clock, { userId }, notice)
  return true
}

const hashesOf = (keys: Keys, userId: string, codes: string[]) =>
  codes.map((code) => recoveryCodeHash(keys, userId, code))
