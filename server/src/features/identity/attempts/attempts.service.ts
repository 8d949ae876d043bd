import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/open.ts'
import { rateLimited } from '../../../platform/errors.ts'
import type { AttemptLimit } from './attempts.queries.ts'
import * as query from './attempts.queries.ts'

const MINUTE_MS = 60_000

/** Guesses of one account's password, whatever addresses they come from. */
export const ACCOUNT_SIGN_IN: AttemptLimit = { failures: 10, windowMs: 15 * MINUTE_MS, firstWaitMs: 30_000 }
/** Guesses from one network address, whatever accounts they are for. */
export const ADDRESS_SIGN_IN: AttemptLimit = { failures: 50, windowMs: 15 * MINUTE_MS, firstWaitMs: MINUTE_MS }
/** Guesses of a signed-in person's own password, and of codes of one account's second factor. */
export const CONFIRMATION: AttemptLimit = { failures: 10, windowMs: 15 * MINUTE_MS, firstWaitMs: 30_000 }
/** Forgotten-password requests from one network address. */
export const ADDRESS_PASSWORD_RESET: AttemptLimit = { failures: 30, windowMs: 60 * MINUTE_MS, firstWaitMs: 10 * MINUTE_MS }

export interface Attempt {
  bucket: string
  limit: AttemptLimit
}

/**
 * Makes an attempt that may fail. It is counted before it is made, as if it failed: however many are made at the same
 * moment, no more than the limit get through. After a right one call `forgetFailures` or `undoAttempt`; one that came to no
 * result does not count.
 *
 * @throws ApiError RATE_LIMITED while one of the buckets has to wait; later ones are not counted then
 */
export const attempt = async <T>(db: Database, clock: Clock, attempts: readonly Attempt[], make: () => Promise<T>): Promise<T> => {
  await requireAttemptsAllowed(db, clock, attempts)
  try {
    return await make()
  } catch (error) {
    for (const counted of attempts) await undoAttempt(db, counted)
    throw error
  }
}

const requireAttemptsAllowed = async (db: Database, clock: Clock, attempts: readonly Attempt[]): Promise<void> => {
  for (const { bucket, limit } of attempts) {
    if (await query.countAttempt(db, bucket, clock.now(), limit)) continue
    const blockedUntil = await query.findBlock(db, bucket)
    const waitMs = blockedUntil ? Date.parse(blockedUntil) - clock.now() : 0
    throw rateLimited('Too many failed attempts. Wait a while, then try again.', Math.max(1, Math.ceil(waitMs / 1000)))
  }
}

/** After a right attempt: the failures before it do not count any more. */
export const forgetFailures = (db: Database, bucket: string): Promise<void> => query.deleteBucket(db, bucket)

/** After a right attempt in a bucket of many accounts: only this attempt does not count. */
export const undoAttempt = (db: Database, { bucket, limit }: Attempt): Promise<void> => query.uncountAttempt(db, bucket, limit)

/** @returns whether fewer than `max` events of this kind were counted in the window; counts this one */
export const isWithinLimit = async (db: Database, clock: Clock, bucket: string, max: number, windowMs: number): Promise<boolean> => {
  return (await countAndGetWait(db, clock, bucket, max, windowMs)) === undefined
}

/** Counts an event of this kind. @returns milliseconds until the window is over, if this one was too many for it */
export const countAndGetWait = async (db: Database, clock: Clock, bucket: string, max: number, windowMs: number): Promise<number | undefined> => {
  const counted = await query.countAttempt(db, bucket, clock.now(), { failures: 2_000_000_000, windowMs, firstWaitMs: 0 })
  if (counted && counted.failures <= max) return undefined
  return counted ? Math.max(0, Date.parse(counted.opened_at) + windowMs - clock.now()) : windowMs
}

const STALE_AFTER_MS = 24 * 60 * MINUTE_MS

export const deleteStaleAttempts = (db: Database, clock: Clock): Promise<void> => query.deleteStaleBuckets(db, isoTime(clock.now() - STALE_AFTER_MS))
