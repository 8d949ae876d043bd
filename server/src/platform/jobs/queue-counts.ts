import { sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import { JOB_SCHEMA } from './jobs.ts'

/** A queue for the metrics. */
export interface QueueLoad {
  /** The name of a kind of job for operators. */
  kind: string
  /** Whether each of its jobs has a row, with progress. */
  isLongRunning: boolean
  /** Due now. */
  waiting: number
  /** For how long the oldest of them has been due; 0 without one. */
  oldest_seconds: number
  /** Given up and still kept, as counted in the last half minute. */
  failed: number
}

const LONG_RUNNING = 'work-'

/** The queues of the product. Reads due jobs by an index, and of ended ones only what the queue has counted. */
export const readQueueLoads = async (db: Database): Promise<QueueLoad[]> => {
  const due = sql`from ${sql.table(`${JOB_SCHEMA}.job`)} j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()`
  const { rows } = await sql<Omit<QueueLoad, 'kind' | 'isLongRunning'> & { name: string }>`select q.name,
      due.waiting, extract(epoch from coalesce(now() - due.oldest, '0'))::float8 as oldest_seconds, q.failed_count as failed
    from ${sql.table(`${JOB_SCHEMA}.queue`)} q
    cross join lateral (select count(*)::int as waiting, min(j.start_after) as oldest ${due}) due
    where q.name not like '\\_\\_%' order by q.name`.execute(db)
  return rows.map(({ name, ...counts }) => {
    const isLongRunning = name.startsWith(LONG_RUNNING)
    return { ...counts, kind: isLongRunning ? name.slice(LONG_RUNNING.length) : name, isLongRunning }
  })
}
