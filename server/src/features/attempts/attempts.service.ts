import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/open.ts'
import { rateLimited } from '../../platform/errors.ts'
import * as query from './attempts.queries.ts'

/** How many failures a bucket bears before its next attempt has to wait. */
export interface AttemptLimit {
  failures: number
  windowMs: number
  /** The first wait; it doubles with every further failure, up to the window. */
  firstWaitMs: number
}

export const ACCOUNT_SIGN_IN: AttemptLimit = { failures: 10, windowMs: 15 * 60_000, firstWaitMs: 30_000 }
export const ADDRESS_SIGN_IN: AttemptLimit = { failures: 50, windowMs: 15 * 60_000, firstWaitMs: 60_000 }

/** @throws ApiError RATE_LIMITED while one of the buckets has to wait */
export const requireAttemptAllowed = async (db: Database, clock: Clock, buckets: readonly string[]): Promise<void> => {
  const now = clock.now()
  const waits = (await query.listBlocks(db, buckets)).map((blockedUntil) => Date.parse(blockedUntil) - now)
  const longest = Math.max(0, ...waits)
  if (longest > 0) throw rateLimited('Too many failed attempts. Wait a while, then try again.', Math.ceil(longest / 1000))
}

/** Counts a failure; past the limit the bucket waits ever longer, but never for good. */
export const recordFailure = async (db: Database, clock: Clock, bucket: string, limit: AttemptLimit): Promise<void> => {
  const failures = await query.countFailure(db, bucket, clock.now(), limit.windowMs)
  if (failures < limit.failures) return
  const wait = Math.min(limit.windowMs, limit.firstWaitMs * 2 ** Math.min(10, failures - limit.failures))
  await query.setBlock(db, bucket, clock.now() + wait)
}

export const forgetFailures = (db: Database, bucket: string): Promise<void> => query.deleteBucket(db, bucket)

const STALE_AFTER_MS = 24 * 60 * 60 * 1000

export const deleteStaleAttempts = (db: Database, clock: Clock): Promise<void> => query.deleteStaleBuckets(db, isoTime(clock.now() - STALE_AFTER_MS))
