import DataLoader from 'dataloader'
import pg from 'pg'
import type { ReleasePlace } from '../../concurrency/fair-shares.ts'
import { noteStatement, reportStatement, type StatementObserver } from './statements.ts'

/** A statement that Postgres plans once per connection. `name` is unique among all statements of the server. */
export interface Statement<Row> {
  name: string
  text: string
  /** Types the rows; never set. */
  row?: Row
}

/** Postgres knows no statement of this name. */
const UNKNOWN_STATEMENT = '26000'

/**
 * Reports whether a named statement failed only because a table changed since, for example by the migration of a newer
 * server.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === UNKNOWN_STATEMENT || error.routine === 'RevalidateCachedQuery')

export const LOOKUP_CONNECTIONS = 3
/** Later failures are not retried: the answer would be too late. */
const REPEAT_WITHIN_MS = 300

/**
 * Runs the reads that every request needs, on the rows of every organization, on a few connections reserved for them.
 */
export class PreparedReader {
  readonly #pool: pg.Pool
  /** Waits for a free connection: in the pool's own queue the time limit counts the work of others. */
  readonly #acquire: () => Promise<ReleasePlace>
  readonly #observer: StatementObserver | undefined

  constructor(pool: pg.Pool, acquire: () => Promise<ReleasePlace>, observer?: StatementObserver) {
    this.#pool = pool
    this.#acquire = acquire
    this.#observer = observer
  }

  /**
   * Retries once on another connection after an early error: a connection that broke, or that planned the statement
   * before a table changed, fails no request.
   */
  async query<Row>({ name, text }: Statement<Row>, values: unknown[]): Promise<Row[]> {
    const release = await this.#acquire()
    const startedAt = performance.now()
    let hasWorked = false
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const { rows } = await this.#pool.query({ name, text, values })
          hasWorked = true
          return rows
        } catch (error) {
          if (attempt > LOOKUP_CONNECTIONS || performance.now() - startedAt > REPEAT_WITHIN_MS)
            throw noteStatement(error, text, name)
        }
      }
    } finally {
      release(hasWorked)
      reportStatement(this.#observer, startedAt, text, name)
    }
  }
}

/**
 * Batches the lookups of one event loop iteration. Caches nothing, and `find` starts after each lookup was requested:
 * no answer is older than its request.
 *
 * @param find returns the rows in the order of the keys
 */
export const batched = <Key, Row>(
  find: (keys: readonly Key[]) => Promise<(Row | undefined)[]>,
): ((key: Key) => Promise<Row | undefined>) => {
  const loader = new DataLoader<Key, Row | undefined>(find, {
    cache: false,
    batchScheduleFn: (run) => setImmediate(run),
  })
  return (key) => loader.load(key)
}
