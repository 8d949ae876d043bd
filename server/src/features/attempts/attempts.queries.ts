import { sql } from 'kysely'
import { isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/open.ts'

export const listBlocks = async (db: Database, buckets: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('attempts').select('blocked_until').where('bucket', 'in', buckets).where('blocked_until', 'is not', null).execute()
  return rows.flatMap((row) => row.blocked_until ?? [])
}

/** Adds one failure, in a new window when the old one is over. @returns failures in the window */
export const countFailure = async (db: Database, bucket: string, nowMs: number, windowMs: number): Promise<number> => {
  const row = await db
    .insertInto('attempts')
    .values({ bucket, failures: 1, opened_at: isoTime(nowMs), blocked_until: null })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        failures: sql<number>`case when attempts.opened_at <= ${isoTime(nowMs - windowMs)} then 1 else attempts.failures + 1 end`,
        opened_at: sql<string>`case when attempts.opened_at <= ${isoTime(nowMs - windowMs)} then excluded.opened_at else attempts.opened_at end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return row.failures
}

export const setBlock = async (db: Database, bucket: string, untilMs: number): Promise<void> => {
  await db
    .updateTable('attempts')
    .set({ blocked_until: isoTime(untilMs) })
    .where('bucket', '=', bucket)
    .execute()
}

export const deleteBucket = async (db: Database, bucket: string): Promise<void> => {
  await db.deleteFrom('attempts').where('bucket', '=', bucket).execute()
}

/** Removes buckets whose windows are long over. */
export const deleteStaleBuckets = async (db: Database, before: string): Promise<void> => {
  await db
    .deleteFrom('attempts')
    .where('opened_at', '<', before)
    .where((where) => where.or([where('blocked_until', 'is', null), where('blocked_until', '<', before)]))
    .execute()
}
