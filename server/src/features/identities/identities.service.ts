import type { Person } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import { violates } from '../../platform/database/failures.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, unauthorized } from '../../platform/errors.ts'
import type { Platform } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { isSingleLine, normalizeLine, parseEmail } from '../../platform/text.ts'
import { createAccount } from '../accounts/accounts.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { notifyPerson } from '../notifications/notifications.service.ts'
import { cancelPasswordReset } from '../password-resets/links.service.ts'
import { findSecondFactor } from '../second-factor/second-factor.queries.ts'
import { type Device, renewSession, replaceSessions, sealProviderSession } from '../sessions/sessions.service.ts'
import { type FirstStep, type Origin, proceed, type Started, type Unfinished } from '../sessions/sign-in.service.ts'
import * as query from './identities.queries.ts'
import type { Provider, Vouched } from './provider.ts'

const MAX_NAME = 200
/** Between our clock and the provider's. */
const CLOCK_SKEW_MS = 60_000

interface Account {
  id: string
  name: string
  email: string
}

/** What else follows from who signed in, within the same transaction: memberships that the provider's word gives. */
export type OnVouched = (tx: Transaction, account: Account, vouched: Vouched, isNew: boolean) => Promise<void>

/**
 * Signs in whoever the provider vouches for: the account that has this identity, or a new one. An address never finds an
 * account (abuse case S10): where it belongs to one already, that one is signed in to first, and links.
 *
 * @throws ApiError FORBIDDEN for an address that the provider has not verified, CONFLICT for one that has an account
 */
export const signInVouched = (platform: Platform, provider: Provider, vouched: Vouched, origin: Origin, onVouched: OnVouched): Promise<Started | Unfinished> =>
  transaction(platform.db, async (tx) => {
    const { clock, keys } = platform
    const email = requireVerified(provider, vouched)
    await query.lockIdentity(tx, vouched.issuer, vouched.subject)
    const known = await query.findIdentity(tx, vouched.issuer, vouched.subject)
    const account = known ?? (await createVouched(tx, platform, provider, vouched))
    if (known) await query.touchIdentity(tx, known.identity_id, email, isoTime(clock.now()))
    await onVouched(tx, account, vouched, !known)
    const first: FirstStep = {
      method: provider.method,
      verifiedEmail: email,
      providerSession: sealProviderSession(keys, account.id, vouched.session),
      confirmedAt: vouched.authenticatedAtMs === undefined ? null : isoTime(Math.min(vouched.authenticatedAtMs, clock.now())),
    }
    const factor = await findSecondFactor(tx, account.id)
    const secondFactors = [...(factor?.app_enabled_at ? (['app'] as const) : []), ...(factor?.passkeys ? (['passkey'] as const) : [])]
    return proceed(tx, platform, { id: account.id, name: account.name, email: account.email, secondFactors }, origin, first)
  })

/** @returns the address, in the form that accounts have */
const requireVerified = (provider: Provider, vouched: Vouched): string => {
  const address = vouched.isEmailVerified ? parseEmail(vouched.email) : undefined
  if (!address) throw forbidden(`${provider.name} does not say that it has verified your e-mail address. Have it verified there, then sign in again.`)
  return address.email
}

const createVouched = async (tx: Transaction, platform: Platform, provider: Provider, vouched: Vouched): Promise<Account> => {
  const { clock } = platform
  const name = nameOf(vouched)
  const account = await createAccount(tx, clock, { name, email: vouched.email, passwordHash: null })
  if (!account) {
    throw conflict(
      `${vouched.email} has an account here that is not linked to ${provider.name}. Sign in to that account, then link it under Account, Profile; or ask the operator of this server to link it.`,
    )
  }
  const by = { system: provider.method }
  await recordAudit(tx, by, clock, { action: 'account.created', object: { type: 'user', id: account.id }, after: { name, email: account.email } })
  await insertLinked(tx, platform, account.id, vouched)
  return account
}

/** The provider's name for the person where it is fit to be shown, else the address. */
const nameOf = ({ name, email }: Vouched): string => {
  const line = normalizeLine(name)
  return line !== '' && isSingleLine(line) && [...line].length <= MAX_NAME ? line : email
}

const insertLinked = (tx: Transaction, { clock }: Platform, userId: string, vouched: Pick<Vouched, 'issuer' | 'subject' | 'email'>): Promise<void> => {
  const now = clock.now()
  return query.insertIdentity(tx, {
    id: newId('idn', now),
    user_id: userId,
    issuer: vouched.issuer,
    subject: vouched.subject,
    email: vouched.email,
    linked_at: isoTime(now),
    last_used_at: isoTime(now),
  })
}

/**
 * Links an identity to the account that is signed in and proved itself anew. What somebody else may have left open on that
 * account ends with it: its other sessions, waiting sign-ins, mailed links (abuse case S13).
 *
 * @returns the token of the session that takes the place of the asking one
 * @throws ApiError FORBIDDEN, CONFLICT when the identity belongs to another account, or the account has another one
 */
export const linkVouched = async (
  platform: Platform,
  provider: Provider,
  vouched: Vouched,
  person: Person,
  device: Device,
  onVouched: OnVouched,
): Promise<string> => {
  const { db, clock, keys, jobs } = platform
  const email = requireVerified(provider, vouched)
  try {
    return await transaction(db, async (tx) => {
      await query.lockIdentity(tx, vouched.issuer, vouched.subject)
      await insertLinked(tx, platform, person.userId, { ...vouched, email })
      await cancelPasswordReset(tx, person.userId)
      await recordAudit(tx, { person }, clock, {
        action: 'identity.linked',
        object: { type: 'user', id: person.userId },
        after: { issuer: vouched.issuer, subject: vouched.subject, email },
      })
      await onVouched(tx, { id: person.userId, name: person.name, email: person.email }, vouched, true)
      await notifyPerson(tx, jobs, clock, person, { kind: 'identity-linked', provider: provider.name, email, from: device })
      return (await replaceSessions(tx, keys, clock, person, device)).token
    })
  } catch (error) {
    if (violates(error, 'identities_subject')) throw conflict(`This identity at ${provider.name} belongs to an account here already.`)
    if (violates(error, 'identities_user')) throw conflict(`Your account is linked to another identity at ${provider.name} already.`)
    throw error
  }
}

/**
 * The provider made the person of this session sign in anew: for a while that stands where a password would be asked for.
 *
 * @returns the token of the session that takes the place of the asking one
 * @throws ApiError FORBIDDEN when somebody else signed in, or nobody did anew
 */
export const confirmVouched = async (
  platform: Platform,
  provider: Provider,
  vouched: Vouched,
  person: Person,
  device: Device,
  startedAtMs: number,
): Promise<string> => {
  const { db, clock, keys } = platform
  const isAnew = vouched.authenticatedAtMs !== undefined && vouched.authenticatedAtMs >= startedAtMs - CLOCK_SKEW_MS
  const identity = await query.findIdentity(db, vouched.issuer, vouched.subject)
  if (identity?.id !== person.userId) throw forbidden(`You signed in to ${provider.name} as somebody else. Do it as the person who is signed in here.`)
  if (!isAnew) throw forbidden(`${provider.name} did not ask you to sign in anew, or does not say when you did.`)
  return transaction(db, async (tx) => {
    await recordAudit(tx, { person }, clock, { action: 'session.confirmed', object: { type: 'user', id: person.userId } })
    const providerSession = sealProviderSession(keys, person.userId, vouched.session)
    return renewSession(tx, keys, clock, person, device, { confirmedAt: isoTime(clock.now()), providerSession })
  })
}

/** @throws ApiError UNAUTHORIZED when the session that a flow was started from is not the one that finishes it */
export const requireSameSession = (person: Person | undefined, sessionId: string | undefined): Person => {
  if (!person || person.sessionId !== sessionId) throw unauthorized('Your session has ended meanwhile. Sign in, then start again.')
  return person
}
