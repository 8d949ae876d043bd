import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { notifyPerson } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { type LockedAccount, lockAccount } from '../accounts/accounts.queries.ts'
import { findSignIn } from '../devices/devices.queries.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { findTicket } from '../pending-sign-ins/pending-sign-ins.queries.ts'
import { issueTicket, countAttempt, useTicket } from '../pending-sign-ins/pending-sign-ins.service.ts'
import {
  askForPasskey,
  type Holder,
  type Proof,
  type ProvedBy,
  useProof,
  withProof,
} from '../second-factor/proofs/proof.service.ts'
import { countRecoveryCodes, findSecondFactor } from '../second-factor/second-factor.queries.ts'
import { endSession, startSession } from '../sessions/sessions.service.ts'
import { guessCounters } from '../throttle/guess-limits.ts'
import { attempt } from '../throttle/throttle.service.ts'
import { afterSignIn, type SignInPlatform } from './after-sign-in.ts'
import { passwordsOpenFor, requirePasswordDoor } from './sign-in-mode.ts'
import type { FirstStep, Origin, Started, Unfinished } from './sign-in-types.ts'

const CONFIRM_OR_WAIT =
  'There were too many failed sign-ins. Confirm this browser with a link that we mail to you, or wait and try again.'

/**
 * The first step. Existing and missing accounts take the same steps: one query, one hash, one response (abuse case S5).
 *
 * After too many wrong guesses the password is no longer checked, so that the response reveals nothing about it. The
 * user confirms the browser with a mailed link (`browser-confirmations`), which makes it known to the account.
 *
 * @returns a session, or a ticket if the second factor is missing
 * @throws ApiError UNAUTHORIZED, RATE_LIMITED if the browser has to be confirmed, or to wait
 */
export const signIn = async (
  platform: SignInPlatform,
  passwords: Passwords,
  { email, password }: { email: string; password: string },
  origin: Origin,
): Promise<Started | Unfinished> => {
  const { db, clock, config } = platform
  requirePasswordDoor(config)
  const address = parseEmail(email)
  const deviceHash = sha256(origin.deviceToken ?? '')
  const user = await findSignIn(db, address?.key ?? '', deviceHash)
  const counters = guessCounters(address?.key, origin.address, user?.known_device ? deviceHash : undefined)
  const check = async () => {
    const isRight = await passwords.verify(user?.password_hash, password, counters.guesser)
    if (!isRight || !user) return undefined
    return transaction(db, async (tx) => {
      const account = await lockAccount(tx, user.id)
      const isLetIn = account.is_instance_admin || passwordsOpenFor(config) === 'everybody'
      // The verified hash was read before the lock: it may have been replaced since.
      if (account.password_hash !== user.password_hash || !isLetIn) return undefined
      return continueSignIn(tx, platform, account, origin, {
        method: 'password',
        verifiedEmail: account.email,
        providerSession: null,
        confirmedAt: null,
      })
    })
  }
  const result = await attempt(db, clock, counters.counted, check, CONFIRM_OR_WAIT)
  if (!result) throw unauthorized('Wrong email or password.')
  await counters.afterRight(db)
  return result
}

/**
 * Continues after the first step, through any door: with the second step if the account has a second factor (abuse case
 * S9), else with the session.
 *
 * @param account locked, and compared under that lock with what the first step proved
 */
export const continueSignIn = async (
  tx: Transaction,
  platform: SignInPlatform,
  account: LockedAccount,
  origin: Origin,
  first: FirstStep,
): Promise<Started | Unfinished> => {
  const factor = await findSecondFactor(tx, account.id)
  if (!factor) return startSignedIn(tx, platform, account, origin, first, null)
  const secondFactors = [
    ...(factor.app_enabled_at ? (['app'] as const) : []),
    ...(factor.passkeys > 0 ? (['passkey'] as const) : []),
  ]
  return { ticket: await issueTicket(tx, platform.clock, account.id, first), secondFactors }
}

export const DEAD_TICKET = 'Signing in took too long, or too many attempts failed. Start again.'

const holderOf = (ticketHash: Buffer): Holder => ({ purpose: 'sign-in', hash: ticketHash })

/** @throws ApiError UNAUTHORIZED for a dead ticket, CONFLICT when the account has no passkey */
export const startPasskeySignIn = async (platform: Writer, ticket: string) => {
  const ticketHash = sha256(ticket)
  const pending = await findTicket(platform.db, ticketHash, isoTime(platform.clock.now()))
  if (!pending) throw unauthorized(DEAD_TICKET)
  return askForPasskey(platform, pending.user_id, holderOf(ticketHash))
}

/**
 * The second step: the ticket shows that the first one succeeded and for which account; the proof completes the
 * sign-in.
 *
 * @throws ApiError UNAUTHORIZED for a wrong proof (the ticket stays valid) and for a dead ticket, RATE_LIMITED
 */
export const signInWithSecondFactor = async (
  platform: SignInPlatform,
  ticket: string,
  proof: Proof,
  origin: Origin,
): Promise<Started & { recoveryCodesLeft: number }> => {
  const { db, clock, jobs } = platform
  const ticketHash = sha256(ticket)
  const pending = await findTicket(db, ticketHash, isoTime(clock.now()))
  if (!pending) throw unauthorized(DEAD_TICKET)
  const refusal = unauthorized(
    proof.passkey ? 'The passkey was refused. Try again.' : 'Wrong code. Try again with the next one.',
  )
  return withProof(platform, pending.user_id, refusal, async () => {
    if (!(await countAttempt(db, clock, ticketHash))) throw unauthorized(DEAD_TICKET)
    return transaction(db, async (tx) => {
      const account = await lockAccount(tx, pending.user_id)
      const provedBy = await useProof(tx, platform, account.id, holderOf(ticketHash), proof)
      if (!provedBy) return undefined
      // Every action that ends the sessions of an account also ends its tickets.
      if (!(await useTicket(tx, ticketHash))) throw unauthorized(DEAD_TICKET)
      if (provedBy === 'recovery code')
        await notifyPerson(
          tx,
          jobs,
          clock,
          { userId: account.id },
          { kind: 'second-factor', change: 'recovery code used', from: origin },
        )
      const first = {
        method: pending.method,
        verifiedEmail: pending.verified_email,
        providerSession: pending.provider_session,
        confirmedAt: null,
      }
      const session = await startSignedIn(tx, platform, account, origin, first, provedBy)
      return { ...session, recoveryCodesLeft: await countRecoveryCodes(tx, account.id) }
    })
  })
}

const startSignedIn = async (
  tx: Transaction,
  platform: SignInPlatform,
  account: LockedAccount,
  origin: Origin,
  first: FirstStep,
  provedBy: ProvedBy | null,
): Promise<Started> => {
  const { clock, keys } = platform
  const user = { id: account.id, name: account.name, email: account.email }
  if (origin.person) await endSession(tx, origin.person.sessionId)
  const by = { person: { userId: user.id, name: user.name, address: origin.address } }
  const after = { method: first.method, secondFactor: provedBy }
  await recordAudit(tx, by, clock, { action: 'session.started', object: { type: 'user', id: user.id }, after })
  const sessionToken = await startSession(tx, keys, clock, account, origin, first)
  const newDeviceToken = await afterSignIn(tx, platform, {
    user,
    method: first.method,
    verifiedEmail: first.verifiedEmail,
    origin,
  })
  return { user, sessionToken, newDeviceToken }
}
