import type { Person } from '../../../platform/auth/actor.ts'
import type { Device } from '../../../platform/auth/device.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { violates } from '../../../platform/database/connection/failures.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden, unauthorized } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { parseEmail, parseLine } from '../../../platform/text/text.ts'
import { notifyPerson } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { changeAccount, createAccount } from '../accounts/accounts.service.ts'
import { cancelPasswordResets } from '../password-links/password-links.service.ts'
import { renewSession, replaceSessions, sealProviderSession } from '../sessions/sessions.service.ts'
import type { SignInPlatform } from '../sign-in/after-sign-in.ts'
import type { FirstStep, Origin, Started, Unfinished } from '../sign-in/sign-in-types.ts'
import { continueSignIn } from '../sign-in/sign-in.service.ts'
import * as query from './linked-accounts.queries.ts'
import type { Provider, ProviderProfile } from './providers/provider.ts'

const MAX_NAME = 200
/** Tolerance between our clock and the provider's. */
const CLOCK_SKEW_MS = 60_000

interface Account {
  id: string
  name: string
  email: string
}

/** Runs in the same transaction as the sign-in: grants the memberships that the provider's profile implies. */
export type OnProviderProfile = (
  tx: Transaction,
  account: Account,
  profile: ProviderProfile,
  isNew: boolean,
) => Promise<void>

/**
 * Signs in the user that the provider vouches for: the account with this identity, or a new one. An address never finds
 * an account (abuse case S10): if the address already has an account, the user signs in to it first, and then links.
 *
 * @throws ApiError FORBIDDEN for an address that the provider has not verified, CONFLICT for one that has an account
 */
export const signInWithProvider = (
  platform: SignInPlatform,
  provider: Provider,
  profile: ProviderProfile,
  origin: Origin,
  onProviderProfile: OnProviderProfile,
): Promise<Started | Unfinished> =>
  transaction(platform.db, async (tx) => {
    const { clock, keys } = platform
    const email = requireVerified(provider, profile)
    await query.lockIdentity(tx, profile.issuer, profile.subject)
    const known = await query.findIdentity(tx, profile.issuer, profile.subject)
    const account = known ?? (await createProviderAccount(tx, platform, provider, profile))
    if (known && !(await query.touchIdentity(tx, known.identity_id, email, isoTime(clock.now())))) {
      throw unauthorized('This identity was just unlinked from the account. Sign in again.')
    }
    await onProviderProfile(tx, account, profile, !known)
    const first: FirstStep = {
      method: provider.method,
      verifiedEmail: email,
      providerSession: sealProviderSession(keys, account.id, profile.session),
      confirmedAt:
        profile.authenticatedAtMs === undefined ? null : isoTime(Math.min(profile.authenticatedAtMs, clock.now())),
    }
    return continueSignIn(tx, platform, await lockAccount(tx, account.id), origin, first)
  })

/** @returns the address, normalized as accounts store it */
const requireVerified = (provider: Provider, profile: ProviderProfile): string => {
  const address = profile.isEmailVerified ? parseEmail(profile.email) : undefined
  if (!address)
    throw forbidden(`${provider.name} has not verified your email address. Verify it there, then sign in again.`)
  return address.email
}

const createProviderAccount = async (
  tx: Transaction,
  platform: Platform,
  provider: Provider,
  profile: ProviderProfile,
): Promise<Account> => {
  const { clock } = platform
  const name = nameOf(profile)
  const account = await createAccount(tx, clock, { name, email: profile.email, passwordHash: null })
  if (!account) {
    throw conflict(
      `${profile.email} has an account here that is not linked to ${provider.name}. Sign in to that account, then link it under Account, Profile; or ask the operator of this server to link it.`,
    )
  }
  const by = { system: provider.method }
  await recordAudit(tx, by, clock, {
    action: 'account.created',
    object: { type: 'user', id: account.id },
    after: { name, email: account.email },
  })
  await insertLinked(tx, platform, account.id, profile)
  return account
}

/** The provider's name for the user if it is a valid name, else the address. */
const nameOf = ({ name, email }: ProviderProfile): string => parseLine(name, MAX_NAME) ?? email

const insertLinked = (
  tx: Transaction,
  { clock }: Platform,
  userId: string,
  profile: Pick<ProviderProfile, 'issuer' | 'subject' | 'email'>,
): Promise<void> => {
  const now = clock.now()
  return query.insertIdentity(tx, {
    id: newId('idn', now),
    user_id: userId,
    issuer: profile.issuer,
    subject: profile.subject,
    email: profile.email,
    linked_at: isoTime(now),
    last_used_at: isoTime(now),
  })
}

/**
 * Links an identity to the account that is signed in and has just confirmed itself. Ends all other access to that
 * account that someone else may have left open: other sessions, pending sign-ins, mailed links (abuse case S13).
 *
 * @returns the token of the new session, which replaces the current one
 * @throws ApiError FORBIDDEN, CONFLICT when the identity belongs to another account, or the account has another one
 */
export const linkProvider = async (
  platform: Writer,
  provider: Provider,
  profile: ProviderProfile,
  person: Person,
  device: Device,
  onProviderProfile: OnProviderProfile,
): Promise<string> => {
  const { change, clock, keys, jobs } = platform
  const email = requireVerified(provider, profile)
  try {
    return await changeAccount(change, person.userId, async (tx) => {
      await query.lockIdentity(tx, profile.issuer, profile.subject)
      await insertLinked(tx, platform, person.userId, { ...profile, email })
      await cancelPasswordResets(tx, person.userId)
      await recordAudit(tx, { person }, clock, {
        action: 'identity.linked',
        object: { type: 'user', id: person.userId },
        after: { issuer: profile.issuer, subject: profile.subject, email },
      })
      await onProviderProfile(tx, { id: person.userId, name: person.name, email: person.email }, profile, true)
      await notifyPerson(tx, jobs, clock, person, {
        kind: 'identity-linked',
        provider: provider.name,
        email,
        from: device,
      })
      return (await replaceSessions(tx, keys, clock, person, device)).token
    })
  } catch (error) {
    if (violates(error, 'linked_accounts_subject'))
      throw conflict(`This identity at ${provider.name} already belongs to an account here.`)
    if (violates(error, 'linked_accounts_user'))
      throw conflict(`Your account is already linked to another identity at ${provider.name}.`)
    throw error
  }
}

/**
 * After the provider made the user of this session sign in again, that sign-in replaces the password for 15 minutes.
 *
 * @returns the token of the new session, which replaces the current one
 * @throws ApiError FORBIDDEN when another user signed in, or the user did not sign in again
 */
export const confirmWithProvider = async (
  platform: Writer,
  provider: Provider,
  profile: ProviderProfile,
  person: Person,
  device: Device,
  startedAtMs: number,
): Promise<string> => {
  const { db, change, clock, keys } = platform
  const isAnew = profile.authenticatedAtMs !== undefined && profile.authenticatedAtMs >= startedAtMs - CLOCK_SKEW_MS
  const identity = await query.findIdentity(db, profile.issuer, profile.subject)
  if (identity?.id !== person.userId)
    throw forbidden(
      `You signed in to ${provider.name} as another user. Sign in there as the user who is signed in here.`,
    )
  if (!isAnew) throw forbidden(`${provider.name} did not ask you to sign in again, or does not report when you did.`)
  return changeAccount(change, person.userId, async (tx) => {
    await recordAudit(tx, { person }, clock, {
      action: 'session.confirmed',
      object: { type: 'user', id: person.userId },
    })
    const providerSession = sealProviderSession(keys, person.userId, profile.session)
    return renewSession(tx, keys, clock, person, device, { confirmedAt: isoTime(clock.now()), providerSession })
  })
}

/** @throws ApiError UNAUTHORIZED when the session that started the flow is not the one that finishes it */
export const requireSameSession = (person: Person | undefined, sessionId: string | undefined): Person => {
  if (!person || person.sessionId !== sessionId)
    throw unauthorized('Your session has ended. Sign in, then start again.')
  return person
}
