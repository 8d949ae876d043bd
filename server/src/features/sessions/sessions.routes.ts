import * as contract from '@sortie/contract/sessions.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { unauthorized } from '../../platform/errors.ts'
import { addressBucket } from '../../platform/http/address.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { parseEmail } from '../../platform/text.ts'
import { findUserByEmail } from '../accounts/accounts.queries.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { ACCOUNT_SIGN_IN, ADDRESS_SIGN_IN, forgetFailures, recordFailure, requireAttemptAllowed } from '../attempts/attempts.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { deleteSession } from './sessions.queries.ts'
import { startSession } from './sessions.service.ts'

export const sessionRoutes = (passwords: Passwords): Route[] => [
  route(contract.signIn, async ({ db, keys, clock, person, body, address, userAgent, setSession }) => {
    const email = parseEmail(body.email)
    const accountBucket = `sign-in:${email?.key ?? 'no address'}`
    const addressBucketName = `sign-in-from:${addressBucket(address)}`
    await requireAttemptAllowed(db, clock, [accountBucket, addressBucketName])
    const user = email && (await findUserByEmail(db, email.key))
    if (!(await passwords.verify(user?.password_hash, body.password)) || !user) {
      await recordFailure(db, clock, accountBucket, ACCOUNT_SIGN_IN)
      await recordFailure(db, clock, addressBucketName, ADDRESS_SIGN_IN)
      throw unauthorized('Address or password is not right.')
    }
    const token = await transaction(db, async (tx) => {
      await recordAudit(tx, { system: user.name, address }, clock, { action: 'session.started', object: { type: 'user', id: user.id } })
      if (person) await deleteSession(tx, person.sessionId)
      return startSession(tx, keys, clock, user.id, { userAgent, address })
    })
    await forgetFailures(db, accountBucket)
    setSession(token)
    return { data: { user: { id: user.id, name: user.name, email: user.email }, secondFactorRequired: false } }
  }),

  route(contract.signOut, async ({ db, person, setSession }) => {
    if (person) await deleteSession(db, person.sessionId)
    setSession(null)
    return { data: { signedOut: true } }
  }),
]
