import type { Person } from '../../../platform/auth/actor.ts'
import { isDelegated } from '../../../platform/auth/actor.ts'
import type { Platform } from '../../../platform/context.ts'
import { forbidden, invalid } from '../../../platform/errors.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { attempt, CONFIRMATION, forgetFailures } from '../throttle/throttle.service.ts'
import { findUser } from './accounts.queries.ts'

/**
 * Checks the password of a signed-in user before an action that a stolen session must not perform. All callers share
 * one counter (abuse case S6).
 *
 * @returns the account
 * @throws ApiError FORBIDDEN for a wrong password, RATE_LIMITED after too many
 */
export const confirmPassword = async (
  { db, clock }: Platform,
  passwords: Passwords,
  userId: string,
  password: string,
  field = 'password',
) => {
  const bucket = `confirm:${userId}`
  const user = await findUser(db, userId)
  const isRight = await attempt(db, clock, [{ bucket, limit: CONFIRMATION }], () =>
    passwords.verify(user?.password_hash, password),
  )
  if (!isRight || !user) throw forbidden(`${field}: is not right`)
  await forgetFailures(db, bucket)
  return user
}

/** Proof of identity from the request; empty if a recent sign-in at the identity provider replaces the password. */
export interface Confirmed {
  password?: string
}

/** How long a sign-in at the identity provider replaces a password. */
export const CONFIRMATION_LIFETIME_MS = 15 * 60 * 1000

/**
 * Confirms the user for both kinds of session: with the password or, if the identity provider vouches for the session,
 * with a sign-in there within the last 15 minutes.
 *
 * @throws ApiError FORBIDDEN, VALIDATION_ERROR without a password where one is needed, RATE_LIMITED
 */
export const confirmPerson = async (
  platform: Platform,
  passwords: Passwords,
  person: Person,
  password: string | undefined,
): Promise<void> => {
  if (isDelegated(person.method)) {
    const since = person.confirmedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(person.confirmedAt)
    if (platform.clock.now() - since <= CONFIRMATION_LIFETIME_MS) return
    throw forbidden('Sign in at the identity provider again to confirm that it is you, then repeat this.')
  }
  if (password === undefined) throw invalid('password: is required')
  await confirmPassword(platform, passwords, person.userId, password)
}
