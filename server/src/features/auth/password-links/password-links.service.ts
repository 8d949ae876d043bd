import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { type Keys, sha256, signaturesOf, tokenOfHash } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { queueMail } from '../../mails/mails.service.ts'
import * as query from './password-links.queries.ts'
import { nextMail, REQUESTED_LINK_LIFETIME_MS } from './requested-links.ts'

/** The first link of an account that an administrator created: as long as an invitation. */
const WELCOME_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Mails a requested link. A second request within the hour sends the same link (`nextMail`).
 *
 * @param user whose account is locked, so that only one of two concurrent requests makes the link
 * @returns true if a mail is queued
 */
export const mailResetLink = async (
  tx: Transaction,
  platform: Platform,
  user: { id: string; email: string },
  purpose: 'reset' | 'welcome',
): Promise<boolean> => {
  const { keys, clock } = platform
  const link = await query.findRequestedReset(tx, user.id)
  const next = nextMail(link, (id, stored) => resetToken(keys, id, stored), clock)
  if (next === 'a new link')
    await queueLink(tx, platform, user, { purpose, requested: true, lifetimeMs: REQUESTED_LINK_LIFETIME_MS })
  if (next === 'the same link' && link) {
    await query.countMail(tx, link.id)
    await queueMailOf(tx, platform, user, { id: link.id, purpose })
  }
  return next !== 'none'
}

/** Mails the first link of a new account. A request for another link does not invalidate it (abuse case S22). */
export const mailWelcome = (tx: Transaction, platform: Platform, user: { id: string; email: string }): Promise<void> =>
  queueLink(tx, platform, user, { purpose: 'welcome', requested: false, lifetimeMs: WELCOME_LIFETIME_MS })

const queueLink = async (
  tx: Transaction,
  platform: Platform,
  user: { id: string; email: string },
  { purpose, requested, lifetimeMs }: { purpose: 'reset' | 'welcome'; requested: boolean; lifetimeMs: number },
): Promise<void> => {
  const { clock, keys } = platform
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
    mails: 1,
  })
  await queueMailOf(tx, platform, user, { id, purpose })
}

const queueMailOf = (
  tx: Transaction,
  { clock, jobs }: Platform,
  { email }: { email: string },
  { id, purpose }: { id: string; purpose: string },
) =>
  queueMail(tx, jobs, clock, {
    organizationId: null,
    kind: 'password-reset',
    recipient: email,
    subjectId: id,
    data: { purpose },
  })

/**
 * The token of the mailed link: derived when the mail is rendered, so that only its hash is stored.
 *
 * @param stored that hash: a former `SESSION_SECRET` may have made it
 */
export const resetToken = (keys: Keys, resetId: string, stored?: Buffer): string => {
  const tokens = signaturesOf(keys.passwordReset, resetId)
  return stored ? tokenOfHash(tokens, stored) : (tokens[0] as string)
}

/** Invalidates every mailed link of the account. */
export const cancelPasswordResets = (tx: Transaction, userId: string): Promise<void> =>
  query.deletePasswordResets(tx, userId)

/** Deletes expired links. */
export const forgetEndedPasswordResets = (db: Database, clock: Clock): Promise<void> =>
  query.deleteEndedPasswordResets(db, isoTime(clock.now()))

/** Invalidates every mailed link for a new password. @returns how many there were */
export const cancelEveryPasswordReset = (tx: Transaction): Promise<number> => query.deleteEveryPasswordReset(tx)
