import { forbidden } from '../../platform/errors.ts'
import type { Platform } from '../../platform/http/context.ts'
import { attempt, CONFIRMATION, forgetFailures } from '../attempts/attempts.service.ts'
import { findUser } from './accounts.queries.ts'
import type { Passwords } from './passwords.ts'

/**
 * A signed-in person proves once more who it is, before something that a stolen session must not do. All places that ask
 * for it share one counter (abuse case S6).
 *
 * @returns the account
 * @throws ApiError FORBIDDEN for a wrong password, RATE_LIMITED after too many
 */
export const confirmPassword = async ({ db, clock }: Platform, passwords: Passwords, userId: string, password: string, field = 'password') => {
  const bucket = `confirm:${userId}`
  const user = await findUser(db, userId)
  const isRight = await attempt(db, clock, [{ bucket, limit: CONFIRMATION }], () => passwords.verify(user?.password_hash, password))
  if (!isRight || !user) throw forbidden(`${field}: is not right`)
  await forgetFailures(db, bucket)
  return user
}
