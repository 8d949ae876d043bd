import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { overloaded } from '../errors.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'
import { Lanes, PreparedReader } from './prepared.ts'
import { beginInScope, EVERY_ORGANIZATION, prepareScopes, queryAfter, queryInScope, type Scope } from './scope.ts'
import { type Bound, isOutdated, KeptStatements } from './statements.ts'
import type { DB as Schema } from './types.gen.ts'

export type Database = Kysely<Schema>

/** How to reach Postgres: an address, or the socket directory of the embedded one. */
export type ConnectionSettings = { connectionString: string } | { host: string; port: number; user: string; database: string }

export interface OpenDatabase {
  /** Typed queries and transactions over a pool, on the rows of every organization. */
  db: Database
  /** The same on one organization's rows: the database itself shows no other. */
  ofOrganization(organizationId: string): Database
  /** Named prepared statements over a few pipelined connections: for reads on the path of every request. */
  prepared: PreparedReader
  /** Connections in use, requests that wait for one, and those that were refused since too many did: for metrics. */
  load(): { total: number; idle: number; waiting: number; refused: number }
  close(): Promise<void>
}

const POOL_SIZE = 10
/** So many may wait for a connection of the pool; one more is refused at once, and what needs none of it goes on. */
const MAX_WAITING = 100
/** Fewer, where as many would have to wait longer than this for their turn; but never fewer than these. */
const MAX_WAIT_MS = 250
const ALWAYS_WAITING = 4 * POOL_SIZE
/** How much the last use of a connection counts in how long uses last. */
const LAST_SHARE = 0.05
const ACQUIRE_TIMEOUT_MS = 2_000
/** Bounds every answer while the database hangs: a client hears 503 within 2.5 s (fault case F1). */
const QUERY_TIMEOUT_MS = 2_300
const CLOSE_TIMEOUT_MS = 2_000
const BEGIN = /^(begin|start transaction)\b/
const END = /^(commit|rollback)$/
/** What a statement begins with that may leave with the next one of its transaction: see `later`. */
export const LATER = '/* later */ '
/** The result of a statement that Postgres was not bothered with. */
const NOTHING = { command: '', rowCount: 0, rows: [] }

/** Settings that every connection of the server shares. */
export const connectionOptions = (settings: ConnectionSettings, applicationName: string): pg.ClientConfig => ({
  ...settings,
  application_name: applicationName,
  types: POSTGRES_TYPES,
  keepAlive: true,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  options: '-c TimeZone=UTC -c statement_timeout=10000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000',
})

/**
 * Opens no connection yet: the first query does.
 *
 * @param queryTimeoutMs longer only where nobody waits for an answer over HTTP
 */
export const openDatabase = (settings: ConnectionSettings, onError: (error: Error) => void, queryTimeoutMs = QUERY_TIMEOUT_MS): OpenDatabase => {
  const options = { ...connectionOptions(settings, 'sortie'), query_timeout: queryTimeoutMs }
  const pool = renewablePool({ ...options, max: POOL_SIZE, idleTimeoutMillis: 30_000 }, onError)
  const lanes = new Lanes(options, onError)
  const kysely = (scope: Scope) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool.inScope(scope) }) })
  return {
    db: kysely(EVERY_ORGANIZATION),
    ofOrganization: kysely,
    prepared: new PreparedReader(lanes),
    load: pool.load,
    close: async () => {
      // A database that hangs does not hold up the end of the process.
      await Promise.race([Promise.all([pool.end(), lanes.close()]), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/**
 * A pool that mistrusts all its connections once one of them broke or gave no answer: each of them may be as dead, and
 * would cost one request its answer. Those in use finish, the rest is closed, and new ones are opened.
 *
 * A broken connection is closed instead of given to the next caller, for it still waits for that answer; what would queue
 * up behind (the rollback) fails at once with the same error, so that the client's answer is not late.
 */
const renewablePool = (options: pg.PoolConfig, onError: (error: Error) => void) => {
  const open = () => {
    const pool = new pg.Pool(options)
    pool.on('error', onError)
    // A connection that breaks while it is in use, between two queries, tells nobody else: unheard, that would end the process.
    pool.on('connect', (client) => void client.on('error', onError))
    return pool
  }
  let pool = open()
  let refused = 0
  let heldMs = 0
  const mayWait = () => Math.max(ALWAYS_WAITING, Math.min(MAX_WAITING, (POOL_SIZE * MAX_WAIT_MS) / heldMs))
  const renew = (mistrusted: pg.Pool) => {
    if (pool !== mistrusted || mistrusted.ending) return
    pool = open()
    mistrusted.end().catch(onError)
  }
  const keptBy = new WeakMap<pg.PoolClient, KeptStatements>()
  const connect = async (scope: Scope) => {
    const origin = pool
    if (origin.waitingCount >= mayWait()) {
      refused++
      throw overloaded('database connections')
    }
    const client = await origin.connect()
    const takenAt = performance.now()
    let broken: unknown
    let transaction: 'none' | 'begun' | { begin: string } = 'none'
    let held: Bound[] = []
    const run = async (text: string, values: unknown[]) => {
      if (BEGIN.test(text)) {
        // Leaves with the first statement.
        transaction = { begin: text }
        return NOTHING
      }
      if (text.startsWith(LATER) && transaction !== 'none') {
        held.push({ text, values })
        return NOTHING
      }
      const leading = text === 'rollback' ? [] : held
      held = []
      const begin = typeof transaction === 'object' ? transaction.begin : undefined
      if (begin !== undefined && END.test(text) && leading.length === 0) return NOTHING
      let kept = keptBy.get(client)
      if (!kept) {
        await prepareScopes(client)
        kept = new KeptStatements()
        keptBy.set(client, kept)
      }
      if (transaction === 'none') return queryInScope(client, { text, values }, scope)
      const leads = leading.map((statement) => kept.bind(statement))
      const last = kept.bind({ text, values })
      transaction = 'begun'
      try {
        return await (begin === undefined ? queryAfter(client, leads, last) : beginInScope(client, begin, scope, leads, last))
      } catch (error) {
        kept.failed([...leads, last])
        throw error
      }
    }
    const query = async (text: string, values: unknown[]) => {
      if (broken !== undefined) throw broken
      try {
        return await run(text, values)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || isOutdated(error)) {
          broken = error
          renew(origin)
        }
        throw error
      }
    }
    const release = () => {
      heldMs += (performance.now() - takenAt - heldMs) * LAST_SHARE
      client.release(broken !== undefined)
    }
    return { query, release } as unknown as PostgresPoolClient
  }
  return {
    inScope: (scope: Scope): PostgresPool => ({ options: {}, connect: () => connect(scope), end: async () => undefined }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, refused }),
    end: () => pool.end(),
  }
}
