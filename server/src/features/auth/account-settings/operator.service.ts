import { randomInt } from 'node:crypto'
import type { Writer } from '../../../platform/context.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import { listOrganizationNames } from '../accounts/accounts.queries.ts'
import { changeAccount, createAccount } from '../accounts/accounts.service.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { forgetGuesses } from '../throttle/guess-limits.ts'
import { setPassword } from './account-settings.service.ts'

/** No characters that are confused with each other when read out. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP_LENGTH = 5

/** `x7kqm-...`: about 120 random bits. The operator hands it over; the user then changes it. */
export const newPassword = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

/** @throws ApiError VALIDATION_ERROR, CONFLICT when the address has an account */
export const createAccountAs = async (
  { change, clock }: Writer,
  passwords: Passwords,
  by: AuditedBy,
  wanted: { name: string; email: string; password: string; isInstanceAdmin: boolean },
) => {
  const address = parseEmail(wanted.email)
  if (!address) throw invalid(`${wanted.email} is not an email address`)
  const passwordHash = await passwords.hash(wanted.password, [address.email, wanted.name])
  return change(async (tx) => {
    const user = await createAccount(tx, clock, {
      name: wanted.name,
      email: address.email,
      passwordHash,
      isInstanceAdmin: wanted.isInstanceAdmin,
    })
    if (!user) throw conflict(`${address.email} already has an account.`)
    const after = { name: user.name, email: user.email, isInstanceAdmin: wanted.isInstanceAdmin }
    await recordAudit(tx, by, clock, { action: 'account.created', object: { type: 'user', id: user.id }, after })
    return user
  })
}

/** Sets a password for a user who lost theirs; ends every session and the wait after wrong guesses. */
export const setPasswordAs = async (
  platform: Writer,
  passwords: Passwords,
  by: AuditedBy,
  user: { id: string; email: string; name: string },
  password: string,
) => {
  const { db, change, clock } = platform
  const passwordHash = await passwords.hash(password, [
    user.email,
    user.name,
    ...(await listOrganizationNames(db, user.id)),
  ])
  await changeAccount(change, user.id, async (tx) => {
    await recordAudit(tx, by, clock, { action: 'account.password-reset', object: { type: 'user', id: user.id } })
    await setPassword(tx, platform, user.id, passwordHash, { kind: 'password', change: 'reset by the operator' })
  })
  await forgetGuesses(db, user.email)
}
