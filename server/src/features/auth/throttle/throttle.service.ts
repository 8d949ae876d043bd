import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { rateLimited } from '../../../platform/errors.ts'
import type { AttemptLimit } from './throttle.queries.ts'
import * as query from './throttle.queries.ts'

const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

/** Guesses of one account's password from one network, in browsers that the account does not know (finding S36). */
export const NETWORK_SIGN_IN: AttemptLimit = { failures: 10, windowMs: HOUR_MS, firstWaitMs: 30_000 }
/**
 * Guesses of one account's password from all networks together: the limit for an attacker who has many. Beyond it a new
 * browser is confirmed by mail. The first wait is the longest, so that no guess is made until the window is over.
 */
export const ACCOUNT_SIGN_IN: AttemptLimit = { failures: 30, windowMs: HOUR_MS, firstWaitMs: HOUR_MS }
/** Guesses in one browser that the account knows. Strangers cannot use these up. */
export const KNOWN_BROWSER_SIGN_IN: AttemptLimit = { failures: 10, windowMs: 15 * MINUTE_MS, firstWaitMs: 30_000 }
/** Guesses from one network address, across all accounts. */
export const ADDRESS_SIGN_IN: AttemptLimit = { failures: 50, windowMs: 15 * MINUTE_MS, firstWaitMs: MINUTE_MS }
/** Guesses of a signed-in user's own password, and of codes of one account's second factor. */
export const CONFIRMATION: AttemptLimit = { failures: 10, windowMs: 15 * MINUTE_MS, firstWaitMs: 30_000 }
/** Requests for mailed links (a new password, a new browser) from one network address. */
export const ADDRESS_MAILED_LINK: AttemptLimit = { failures: 30, windowMs: HOUR_MS, firstWaitMs: 10 * MINUTE_MS }

export interface Attempt {
  bucket: string
  limit: AttemptLimit
}

/**
 * Makes an attempt that may fail. It counts as a failure before it is made, so that concurrent attempts cannot exceed
 * the limit. After a correct one, call `forgetFailures` or `undoAttempt`. An attempt that throws does not count.
 *
 * @param refusal the message when the limit is exceeded
 * @throws ApiError RATE_LIMITED while one of the buckets has to wait; the attempt is then not made and not counted
 */
export const attempt = async <T>(
  db: Database,
  clock: Clock,
  attempts: readonly Attempt[],
  make: () => Promise<T>,
  refusal = TOO_MANY,
): Promise<T> => {
  await requireAttemptsAllowed(db, clock, attempts, refusal)
  try {
    return await make()
  } catch (error) {
    for (const counted of attempts) await undoAttempt(db, counted)
    throw error
  }
}

const TOO_MANY = 'Too many failed attempts. Wait a while, then try again.'

const requireAttemptsAllowed = async (
  db: Database,
  clock: Clock,
  attempts: readonly Attempt[],
  refusal: string,
): Promise<void> => {
  const buckets = attempts.map(({ bucket }) => bucket)
  const requireNoWait = async (isCertain: boolean) => {
    const until = await query.findBlock(db, buckets, isoTime(clock.now()))
    if (until === null && !isCertain) return
    throw rateLimited(refusal, Math.max(1, Math.ceil((until === null ? 0 : Date.parse(until) - clock.now()) / 1000)))
  }
  // An attempt that has to wait anyway leaves no rows behind, however many networks it comes from.
  await requireNoWait(false)
  for (const [index, { bucket, limit }] of attempts.entries()) {
    if (await query.countAttempt(db, bucket, clock.now(), limit)) continue
    for (const counted of attempts.slice(0, index)) await undoAttempt(db, counted)
    await requireNoWait(true)
  }
}

/** Call after a correct attempt: earlier failures no longer count. */
export const forgetFailures = (db: Database, bucket: string): Promise<void> => query.deleteBucket(db, bucket)

/** Forgets the failures of every bucket whose name starts with this one and a colon. */
export const forgetFailuresBelow = (db: Database, bucket: string): Promise<void> => query.deleteBucketsBelow(db, bucket)

/** Call after a correct attempt in a bucket that accounts share: only this attempt does not count. */
export const undoAttempt = (db: Database, { bucket, limit }: Attempt): Promise<void> =>
  query.uncountAttempt(db, bucket, limit)

/** Counts an event. @returns true if the window had fewer than `max` of them */
export const isWithinLimit = async (
  db: Database,
  clock: Clock,
  bucket: string,
  max: number,
  windowMs: number,
): Promise<boolean> => {
  return (await consume(db, clock, bucket, max, windowMs)) === undefined
}

/** Counts an event. @returns milliseconds until the window is over, if the event exceeds the limit */
export const consume = async (
  db: Database,
  clock: Clock,
  bucket: string,
  max: number,
  windowMs: number,
): Promise<number | undefined> => {
  const counted = await query.countAttempt(db, bucket, clock.now(), {
    failures: 2_000_000_000,
    windowMs,
    firstWaitMs: 0,
  })
  if (counted && counted.failures <= max) return undefined
  return counted ? Math.max(0, Date.parse(counted.opened_at) + windowMs - clock.now()) : windowMs
}

const STALE_AFTER_MS = 24 * 60 * MINUTE_MS

export const deleteStaleAttempts = (db: Database, clock: Clock): Promise<void> =>
  query.deleteStaleBuckets(db, isoTime(clock.now() - STALE_AFTER_MS))
