import { sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Repeated } from './jobs.ts'
import { workerName } from './worker-name.ts'

const BEAT_MS = 10_000
/** A process that has not written its row for this long no longer runs jobs. */
const SILENT_SECONDS = 30
/** Processes that have been silent for longer are forgotten: another one has taken over their jobs. */
const FORGOTTEN_SECONDS = 300

/** Processes that run jobs. */
export interface WorkerCounts {
  alive: number
  /** Names of those that stopped writing their row within the last minutes: they died, or hang. */
  silent: readonly string[]
}

const writeBeat = async (db: Database, name: string): Promise<void> => {
  await sql`insert into workers (name) values (${name})
    on conflict (name) do update set beat_at = clock_timestamp()`.execute(db)
  await sql`delete from workers where beat_at < now() - make_interval(secs => ${FORGOTTEN_SECONDS})`.execute(db)
}

/**
 * Writes the row of this process at once and every ten seconds; the row goes when the process stops.
 *
 * @throws what the first statement throws; later failures are ignored, since the row then is silent
 */
export const startBeats = async (db: Database, repeat: (loop: Repeated) => void): Promise<void> => {
  const name = workerName()
  await writeBeat(db, name)
  let isFirst = true
  repeat({
    name: 'worker-beat',
    pauseMs: BEAT_MS,
    turn: async () => {
      if (!isFirst) await writeBeat(db, name).catch(() => undefined)
      isFirst = false
      return false
    },
    end: async () => {
      await db
        .deleteFrom('workers')
        .where('name', '=', name)
        .execute()
        .catch(() => undefined)
    },
  })
}

/** Counts the processes that run jobs, by the rows that they write. */
export const countWorkers = async (db: Database): Promise<WorkerCounts> => {
  const { rows } = await sql<{ name: string; is_alive: boolean }>`select name,
      beat_at > now() - make_interval(secs => ${SILENT_SECONDS}) as is_alive
    from workers where beat_at > now() - make_interval(secs => ${FORGOTTEN_SECONDS}) order by name`.execute(db)
  return {
    alive: rows.filter((row) => row.is_alive).length,
    silent: rows.filter((row) => !row.is_alive).map(({ name }) => name),
  }
}

/** For a restored database: the processes of the moment of the backup are not on it. */
export const forgetEveryWorker = async (tx: Transaction): Promise<void> => {
  await tx.deleteFrom('workers').execute()
}
