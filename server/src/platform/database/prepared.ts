import DataLoader from 'dataloader'
import pg from 'pg'
import { noteStatement, reportSlow, type SlowStatements } from './statements.ts'

/** A statement that Postgres plans once per connection. `name` is unique among all statements of the server. */
export interface Statement<Row> {
  name: string
  text: string
  /** Types the rows; never set. */
  row?: Row
}

/** Postgres knows no statement of this name. */
const UNKNOWN_STATEMENT = '26000'

/** Whether a named statement failed only since a table changed under it, as by the migration of a newer server. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === UNKNOWN_STATEMENT || error.routine === 'RevalidateCachedQuery')

export const LOOKUP_CONNECTIONS = 3
/** What fails later than this is not asked again: the answer would be late. */
const REPEAT_WITHIN_MS = 300

/** Reads that every request needs, of the rows of every organization, on a few connections that do nothing else. */
export class PreparedReader {
  readonly #pool: pg.Pool
  readonly #slow: SlowStatements | undefined

  constructor(pool: pg.Pool, slow?: SlowStatements) {
    this.#pool = pool
    this.#slow = slow
  }

  /**
   * Asks again where the answer is an early error, on another connection: one that broke, or that planned the statement
   * before a table changed, costs no request.
   */
  async query<Row>({ name, text }: Statement<Row>, values: unknown[]): Promise<Row[]> {
    const startedAt = performance.now()
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const { rows } = await this.#pool.query({ name, text, values })
          return rows
        } catch (error) {
          if (attempt > LOOKUP_CONNECTIONS || performance.now() - startedAt > REPEAT_WITHIN_MS) throw noteStatement(error, text, name)
        }
      }
    } finally {
      reportSlow(this.#slow, startedAt, text, name)
    }
  }
}

/**
 * Joins the lookups of one turn of the event loop. Nothing is kept, and `find` starts after each was asked for: no answer
 * is older than its request.
 *
 * @param find the rows in the order of the keys
 */
export const batched = <Key, Row>(find: (keys: readonly Key[]) => Promise<(Row | undefined)[]>): ((key: Key) => Promise<Row | undefined>) => {
  const loader = new DataLoader<Key, Row | undefined>(find, { cache: false, batchScheduleFn: (run) => setImmediate(run) })
  return (key) => loader.load(key)
}
