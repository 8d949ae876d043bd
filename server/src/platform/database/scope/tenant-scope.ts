import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { isUnavailable } from '../connection/failures.ts'
import { isOutdated, type Statement } from '../connection/prepared.ts'
import { noteStatement, reportStatement, type StatementObserver } from '../connection/statements.ts'

/**
 * The rows that a statement may see: an organization's id, or all. Row-level security enforces it on every statement,
 * in addition to the statement's own condition (catalogue A14).
 */
export type TenantScope = string

/** For work across organizations: authentication, a person's own pages, jobs, start-up. */
export const EVERY_ORGANIZATION: TenantScope = '*'

/**
 * The engagements that a statement sees: `all`, `open` (those that the whole organization sees), the id of a person,
 * the id of a key that is limited to engagements, `SYSTEM`, `EXPIRY` or `EVERY_ROW`. Row-level security enforces it on every statement.
 */
export type EngagementVisibility = string

/** For callers that see every engagement: owner, admins, and keys without a limit. */
export const EVERY_ENGAGEMENT: EngagementVisibility = 'all'

/** For the server's own work: it sees every engagement, except those that are deleted: in the trash, or being removed. */
export const SYSTEM: EngagementVisibility = '*'

/** For deleting what is old: as `SYSTEM`, without engagements on legal hold, in which nothing is deleted. */
export const EXPIRY: EngagementVisibility = 'expiry'

/**
 * Also sees deleted engagements. Only for the trash of engagements, and for work on rows in whatever engagement they
 * are: backups, clean-up of files, encryption with a new secret, the state of jobs, the log of what was sent. Never for
 * anything that people are shown, or that sends.
 */
export const EVERY_ROW: EngagementVisibility = '**'

/** For a pool's `verify`: outside any scope, a connection sees no row, even if the server connects as a superuser. */
export const assumeRole = (client: pg.PoolClient, done: (error?: Error) => void): void =>
  client.query('select assume_role()', (error) => done(error))

/** For `db.executeQuery`: one of the few reads that Postgres plans once per connection. */
export const named = <Row>({ name, text }: Statement<Row>, values: unknown[]): CompiledQuery<Row> =>
  ({ ...CompiledQuery.raw(text, values), name }) satisfies NamedQuery as CompiledQuery<Row>

interface NamedQuery extends CompiledQuery {
  readonly name?: string
}

/** A connection of the pool, in pipeline mode. */
export interface Lease {
  client: pg.PoolClient
  /** Postgres answered a statement: requests that wait for this connection keep waiting. */
  noteAnswer(): void
  /** A statement failed. */
  noteFailure(error: unknown): void
  /**
   * @param destroy closes the connection instead of returning it to the pool
   * @param hasWorked false if a statement waited too long or got no answer
   */
  release(destroy: boolean, hasWorked: boolean): void
}

/** Runs every statement in this scope: in a transaction of Kysely's, or else in its own. */
export const scopedDialect = (
  connect: () => Promise<Lease>,
  scope: TenantScope,
  viewer: EngagementVisibility,
  observer?: StatementObserver,
): Dialect => ({
  createDriver: () => ({
    init: async () => undefined,
    acquireConnection: async () => new ScopedConnection(await connect(), scope, viewer, observer),
    beginTransaction: (connection, settings) => (connection as ScopedConnection).begin(settings),
    commitTransaction: (connection) => (connection as ScopedConnection).end('commit'),
    // Without an answer the connection is closed, which also rolls back; the caller gets the error that failed the
    // transaction.
    rollbackTransaction: (connection) => (connection as ScopedConnection).end('rollback').catch(() => undefined),
    releaseConnection: async (connection) => (connection as ScopedConnection).release(),
    destroy: async () => undefined,
  }),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

/**
 * Sets the scope at the start of a transaction, and loses it with the transaction: nothing stays on the connection,
 * even after an error. A connection is reused only once Postgres has answered `commit` or `rollback`; any other is
 * closed.
 */
class ScopedConnection implements DatabaseConnection {
  readonly #lease: Lease
  readonly #client: pg.PoolClient
  /** Sent in one message with `begin`: without a transaction there is no scope. */
  readonly #enterScope: string
  readonly #observer: StatementObserver | undefined
  #inTransaction = false
  #isClean = true
  #hasWorked = true

  constructor(lease: Lease, scope: TenantScope, viewer: EngagementVisibility, observer: StatementObserver | undefined) {
    this.#observer = observer
    this.#lease = lease
    this.#client = lease.client
    this.#enterScope = `set local sortie.organization to ${pg.escapeLiteral(scope)}; set local sortie.viewer to ${pg.escapeLiteral(viewer)}`
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const modes = `${isolationLevel ? ` isolation level ${isolationLevel}` : ''}${accessMode ? ` ${accessMode}` : ''}`
    this.#isClean = false
    await this.#plain('begin', `begin${modes}; ${this.#enterScope}`)
    this.#inTransaction = true
  }

  /** @throws AbortedTransactionError on a commit after a failed statement: nothing is committed */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const { command } = await this.#plain(how, how)
    this.#inTransaction = false
    this.#isClean = true
    if (how === 'commit' && command !== 'COMMIT') throw new AbortedTransactionError()
  }

  async executeQuery<Row>({ sql: text, parameters, name }: NamedQuery): Promise<QueryResult<Row>> {
    const query = { text, values: [...parameters] }
    const startedAt = performance.now()
    try {
      if (this.#inTransaction) {
        const answer = await this.#client.query(query)
        this.#lease.noteAnswer()
        return toResult(answer)
      }
      try {
        return toResult(await this.#runInScope(name === undefined ? query : { ...query, name }))
      } catch (error) {
        if (!isOutdated(error)) throw error
        const answer = await this.#runInScope(query)
        // The connection's other named statements may be outdated too.
        this.#isClean = false
        return toResult(answer)
      }
    } catch (error) {
      throw this.#noted(error, text, name)
    } finally {
      reportStatement(this.#observer, startedAt, text, name)
    }
  }

  /** A statement without values, with the given name. */
  async #plain(name: string, text: string): Promise<pg.QueryResult> {
    const startedAt = performance.now()
    try {
      const answer = await this.#client.query(text)
      this.#lease.noteAnswer()
      return answer
    } catch (error) {
      throw this.#noted(error, text, name)
    } finally {
      reportStatement(this.#observer, startedAt, text, name)
    }
  }

  #noted(error: unknown, text: string, name: string | undefined): unknown {
    if (isUnavailable(error)) this.#hasWorked = false
    this.#lease.noteFailure(error)
    return noteStatement(error, text, name)
  }

  /** Begins, queries and commits in one round trip. */
  async #runInScope(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#isClean = false
    const sent = [
      this.#client.query(`begin; ${this.#enterScope}`),
      this.#client.query(query),
      this.#client.query('commit'),
    ] as const
    const [begun, answered, committed] = await Promise.allSettled(sent)
    this.#isClean = committed.status === 'fulfilled'
    if (begun.status === 'rejected') throw begun.reason
    if (answered.status === 'rejected') throw answered.reason
    if (committed.status === 'rejected') throw committed.reason
    return answered.value
  }

  streamQuery(): never {
    throw new Error('Statements are not streamed: read in pages.')
  }

  release(): void {
    this.#lease.release(!this.#isClean, this.#hasWorked)
  }
}

const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const toResult = <Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> => ({
  rows: rows as Row[],
  ...(CHANGING.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
})
