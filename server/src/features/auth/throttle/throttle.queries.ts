import { sql } from 'kysely'
import { isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'

/**
 * Adds one attempt, in a new window if the old one is over, and sets the resulting wait. It is one statement, so that
 * concurrent attempts count one after the other.
 *
 * @returns undefined while the bucket has to wait
 */
export const countAttempt = (db: Database, bucket: string, nowMs: number, limit: AttemptLimit) => {
  const isOver = sql<boolean>`throttle_buckets.opened_at <= ${isoTime(nowMs - limit.windowMs)}`
  const failures = sql<number>`case when ${isOver} then 1 else throttle_buckets.failures + 1 end`
  const waitMs = sql<number>`least(${limit.windowMs}::float8, ${limit.firstWaitMs}::float8 * 2 ^ least(20, ${failures} - ${limit.failures}))`
  return db
    .insertInto('throttle_buckets')
    .values({
      bucket,
      failures: 1,
      opened_at: isoTime(nowMs),
      blocked_until: limit.failures <= 1 ? isoTime(nowMs + limit.firstWaitMs) : null,
    })
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet({
          failures,
          opened_at: sql<string>`case when ${isOver} then excluded.opened_at else throttle_buckets.opened_at end`,
          blocked_until: sql<
            string | null
          >`case when ${failures} >= ${limit.failures} then ${isoTime(nowMs)}::timestamptz + ${waitMs} * interval '1 millisecond' end`,
        })
        .where((where) =>
          where.or([
            where('throttle_buckets.blocked_until', 'is', null),
            where('throttle_buckets.blocked_until', '<=', isoTime(nowMs)),
          ]),
        ),
    )
    .returning(['failures', 'opened_at'])
    .executeTakeFirst()
}

/** @returns when the longest wait of these buckets ends; null if none has to wait */
export const findBlock = async (db: Database, buckets: readonly string[], now: string): Promise<string | null> => {
  const blocked = db.selectFrom('throttle_buckets').where('bucket', 'in', buckets).where('blocked_until', '>', now)
  const row = await blocked.select(({ fn }) => fn.max('blocked_until').as('until')).executeTakeFirst()
  return row?.until ?? null
}

/** Subtracts one attempt, and clears the wait if this attempt caused it. */
export const uncountAttempt = async (db: Database, bucket: string, limit: AttemptLimit): Promise<void> => {
  await db
    .updateTable('throttle_buckets')
    .set({
      failures: sql<number>`greatest(0, failures - 1)`,
      blocked_until: sql<string | null>`case when failures > ${limit.failures} then blocked_until end`,
    })
    .where('bucket', '=', bucket)
    .execute()
}

export const deleteBucket = async (db: Database, bucket: string): Promise<void> => {
  await db.deleteFrom('throttle_buckets').where('bucket', '=', bucket).execute()
}

/** Names are ordered by their bytes (collation "C"), and `;` follows `:`. */
export const deleteBucketsBelow = async (db: Database, bucket: string): Promise<void> => {
  await db
    .deleteFrom('throttle_buckets')
    .where('bucket', '>', `${bucket}:`)
    .where('bucket', '<', `${bucket};`)
    .execute()
}

/** Deletes buckets whose windows ended long ago. */
export const deleteStaleBuckets = async (db: Database, before: string): Promise<void> => {
  await db
    .deleteFrom('throttle_buckets')
    .where('opened_at', '<', before)
    .where((where) => where.or([where('blocked_until', 'is', null), where('blocked_until', '<', before)]))
    .execute()
}

/** Failures that a bucket allows before its next attempt has to wait. */
export interface AttemptLimit {
  failures: number
  windowMs: number
  /** The first wait; it doubles with each further failure, up to the window. */
  firstWaitMs: number
}
