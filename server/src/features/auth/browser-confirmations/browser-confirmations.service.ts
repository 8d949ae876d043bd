import type { Device } from '../../../platform/auth/device.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { type Keys, sha256, signaturesOf, tokenOfHash } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { addressBucket } from '../../../platform/http/server/address.ts'
import { newId } from '../../../platform/ids.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { queueMail } from '../../mails/mails.service.ts'
import { findUserByEmail, lockAccount } from '../accounts/accounts.queries.ts'
import { rememberDevice } from '../devices/devices.service.ts'
import { nextMail, REQUESTED_LINK_LIFETIME_MS } from '../password-links/requested-links.ts'
import { passwordsOpenFor, requirePasswordDoor } from '../sign-in/sign-in-mode.ts'
import { ADDRESS_MAILED_LINK, attempt } from '../throttle/throttle.service.ts'
import * as query from './browser-confirmations.queries.ts'

/** Looks up the account outside the request, so that response times do not reveal whether it exists. */
export const requestBrowserConfirmationJob: JobType<{ email: string }> = {
  name: 'request-browser-confirmation',
  options: {
    retryLimit: 5,
    retryDelay: 2,
    retryBackoff: true,
    expireInSeconds: JOB_EXPIRY_SECONDS,
    retentionSeconds: 60 * 60,
  },
}

/**
 * Requests a confirmation link for a user whose password is not checked because of too many wrong guesses (finding
 * S36). Takes the same steps for every address (abuse case S5).
 *
 * @throws ApiError RATE_LIMITED when one network address asks too often, FORBIDDEN if passwords cannot sign in
 */
export const requestBrowserConfirmation = async (
  { db, clock, jobs, config }: Platform,
  email: string,
  address: string,
): Promise<void> => {
  requirePasswordDoor(config)
  const fromAddress = { bucket: `confirmation-from:${addressBucket(address)}`, limit: ADDRESS_MAILED_LINK }
  await attempt(db, clock, [fromAddress], async () => undefined)
  await transaction(db, (tx) =>
    jobs.enqueue(tx, requestBrowserConfirmationJob, { email: parseEmail(email)?.key ?? '' }),
  )
}

/** The job: mails the link if the address has an account with a password. */
export const mailBrowserConfirmation = async (platform: Platform, emailKey: string): Promise<void> => {
  const { db, clock, config, keys } = platform
  const user = await findUserByEmail(db, emailKey)
  if (!user || user.password_hash === null) return
  if (!user.is_instance_admin && passwordsOpenFor(config) !== 'everybody') return
  await transaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    const link = await query.findConfirmation(tx, user.id)
    const next = nextMail(link, (id, stored) => confirmationToken(keys, id, stored), clock)
    if (next === 'none') return
    if (next === 'the same link' && link) {
      await query.countMail(tx, link.id)
      return queueLink(tx, platform, user.email, link.id)
    }
    const now = clock.now()
    const id = newId('bcf', now)
    const token_hash = sha256(confirmationToken(keys, id))
    const times = { created_at: isoTime(now), expires_at: isoTime(now + REQUESTED_LINK_LIFETIME_MS) }
    await query.replaceConfirmation(tx, { user_id: user.id, id, token_hash, mails: 1, ...times })
    await queueLink(tx, platform, user.email, id)
  })
}

const queueLink = (tx: Transaction, { jobs, clock }: Platform, recipient: string, id: string): Promise<void> =>
  queueMail(tx, jobs, clock, { organizationId: null, kind: 'browser-confirmation', recipient, subjectId: id, data: {} })

/**
 * The token of the mailed link: derived when the mail is rendered; only its hash is stored.
 *
 * @param stored that hash: a former `SESSION_SECRET` may have made it
 */
export const confirmationToken = (keys: Keys, confirmationId: string, stored?: Buffer): string => {
  const tokens = signaturesOf(keys.browserConfirmation, confirmationId)
  return stored ? tokenOfHash(tokens, stored) : (tokens[0] as string)
}

const DEAD_LINK = 'This link no longer works. Sign in to get a new one.'

/**
 * Makes the browser that sends the token known to the account. This does not sign in: the password follows, with its
 * own counter. It confirms the browser that opens the link, not the one that requested it, so a stranger gains nothing
 * if the user follows a link that the stranger caused.
 *
 * @returns the address to sign in with, and the token of the device cookie to set
 * @throws ApiError NOT_FOUND for a link that is unknown, used or too old
 */
export const confirmBrowser = (
  { db, clock }: Platform,
  token: string,
  device: Device,
): Promise<{ email: string; deviceToken: string }> =>
  transaction(db, async (tx) => {
    const [tokenHash, now] = [sha256(token), isoTime(clock.now())]
    const userId = await query.findConfirmedUser(tx, tokenHash, now)
    if (userId === undefined) throw notFound(DEAD_LINK)
    const { name, email } = await lockAccount(tx, userId)
    if (!(await query.consumeConfirmation(tx, tokenHash, now))) throw notFound(DEAD_LINK)
    const deviceToken = await rememberDevice(tx, clock, userId, device)
    const by = { person: { userId, name, address: device.address } }
    await recordAudit(tx, by, clock, { action: 'account.browser-confirmed', object: { type: 'user', id: userId } })
    return { email, deviceToken }
  })

/** Deletes expired links. */
export const forgetEndedConfirmations = ({ db, clock }: { db: Database; clock: Clock }): Promise<void> =>
  query.deleteEndedConfirmations(db, isoTime(clock.now()))

/** Invalidates every mailed confirmation link. @returns how many there were */
export const cancelEveryConfirmation = (tx: Transaction): Promise<number> => query.deleteEveryConfirmation(tx)

/** Invalidates the mailed link of an account. */
export const cancelConfirmation = (tx: Transaction, userId: string): Promise<void> =>
  query.deleteConfirmation(tx, userId)
