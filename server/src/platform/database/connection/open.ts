import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely } from 'kysely'
import pg from 'pg'
import { createFairSemaphore, type ReleasePlace } from '../../concurrency/fair-shares.ts'
import type { Config } from '../../config.ts'
import { unavailable } from '../../errors.ts'
import {
  EVERY_ORGANIZATION,
  type Lease,
  type TenantScope,
  SYSTEM,
  scopedDialect,
  assumeRole,
  type EngagementVisibility,
} from '../scope/tenant-scope.ts'
import type { DB as Schema } from '../types.gen.ts'
import { LOOKUP_CONNECTIONS, PreparedReader } from './prepared.ts'
import type { StatementObserver } from './statements.ts'

export type Database = Kysely<Schema>

/** Address of Postgres, or the socket directory of the embedded one. */
export type ConnectionSettings =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

export interface OpenDatabase {
  /** Typed queries and transactions over a pool, on the rows of every organization. */
  db: Database
  /** Limits `db` to one organization's rows, and to those that the visibility shows: the database enforces it. */
  scopedTo(organizationId: string, viewer?: EngagementVisibility): Database
  /**
   * Changes that lock the same row take turns before they take a connection: in Postgres each would hold one, and the
   * time limit of its statement would count the work of those before it.
   *
   * @param organizationId whose changes wait for each other
   * @throws ApiError 503 if the wait times out
   */
  waitForTurn(organizationId: string): Promise<ReleasePlace>
  /** Lookups of keys and sessions, on their own connections: they never wait behind a list. */
  prepared: PreparedReader
  /** Connections of the pool, and requests that wait for one: for metrics. */
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Limits of one process at the database. */
export interface DatabaseLimits {
  /** Connections of the pool. One organization may use half of them at the same time: the rest stays for others. */
  poolSize: number
  /** Postgres cancels a statement that takes longer: by default a client receives 503 within 2.5 s (fault case F1). */
  statementTimeoutMs: number
}

/** The defaults of the settings: for programs that do not answer requests. */
const DEFAULT_LIMITS: DatabaseLimits = { poolSize: 10, statementTimeoutMs: 2_000 }

/** The limits that the settings give. */
export const databaseLimits = (
  config: Pick<Config, 'DATABASE_POOL_SIZE' | 'DATABASE_STATEMENT_TIMEOUT_MS'>,
): DatabaseLimits => ({
  poolSize: config.DATABASE_POOL_SIZE,
  statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
})

const ACQUIRE_TIMEOUT_MS = 2_000
const LOCK_TIMEOUT_MS = 2_000
/** Waits for a connection end before the connection of the client, which is silent meanwhile. */
const MAX_WAIT_MS = 12_000
/** Without an answer for this much longer, the connection is broken. */
const ANSWER_GRACE_MS = 200
const CLOSE_TIMEOUT_MS = 2_000

/** Settings that every connection of the server shares. */
export const connectionOptions = (
  settings: ConnectionSettings,
  applicationName: string,
  statementTimeoutMs = DEFAULT_LIMITS.statementTimeoutMs,
): pg.ClientConfig => ({
  ...settings,
  application_name: applicationName,
  types: POSTGRES_TYPES,
  keepAlive: true,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c lock_timeout=${LOCK_TIMEOUT_MS} -c idle_in_transaction_session_timeout=15000`,
})

/**
 * Opens no connection yet: the first query does.
 *
 * @param limits a statement may take longer than 10 seconds only if no HTTP request waits for the answer
 * @param observer of statements; omit it to report none
 * @param onFailure receives the error of each failed statement of `db`
 */
export const openDatabase = (
  settings: ConnectionSettings,
  onError: (error: Error) => void,
  limits: Partial<DatabaseLimits> = {},
  observer?: StatementObserver,
  onFailure: (error: unknown) => void = () => undefined,
): OpenDatabase => {
  const { poolSize, statementTimeoutMs } = { ...DEFAULT_LIMITS, ...limits }
  // If the holders of a connection get no answer, waiting requests end before the statements that they wait for.
  const waits = { stillMs: statementTimeoutMs * 0.75, maxMs: MAX_WAIT_MS }
  const shared = {
    ...connectionOptions(settings, 'sortie', statementTimeoutMs),
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    verify: assumeRole,
  }
  const openPool = (options: pg.PoolConfig) => {
    const pool = new pg.Pool({ ...shared, ...options, idleTimeoutMillis: 30_000 })
    pool.on('error', onError)
    // While a connection is in use, the failing statement reports the error.
    return pool.on('connect', (client) => client.on('error', () => undefined))
  }
  // A statement uses one core, even to sort a million rows; only searches of whole tables use more. Random page reads
  // cost about as much as sequential ones on the disks of today's databases. A search begins with the first row, not
  // where another search is: how long it takes does not depend on that.
  const pool = openPool({
    max: poolSize,
    pipeline: true,
    options: `${shared.options} -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1 -c synchronize_seqscans=off`,
  })
  const lookups = openPool({
    max: LOOKUP_CONNECTIONS,
    options: `${shared.options} -c sortie.organization=${EVERY_ORGANIZATION} -c sortie.viewer=${SYSTEM}`,
  })
  const shares = createFairSemaphore(Math.floor(poolSize / 2), waits, () =>
    unavailable('Too many requests of this organization wait for the database.'),
  )
  // Before the pool's own queue, whose time limit counts the work of others. Waits as long as a statement may take: when
  // the statements of other organizations end, their connections serve those who wait.
  const connections = createFairSemaphore(poolSize, { ...waits, stillMs: statementTimeoutMs }, () =>
    unavailable('Too many requests wait for the database.'),
  )
  const places = createFairSemaphore(LOOKUP_CONNECTIONS, waits, () =>
    unavailable('Too many requests wait for the database.'),
  )
  const turns = createFairSemaphore(1, waits, () =>
    unavailable('Too many changes of this organization wait for each other.'),
  )
  const connect = async (scope: TenantScope): Promise<Lease> => {
    const held: ReleasePlace[] = []
    const giveBack = (hasWorked: boolean) => held.splice(0).forEach((release) => release(hasWorked))
    try {
      if (scope !== EVERY_ORGANIZATION) held.push(await shares.acquire(scope))
      held.push(await connections.acquire(''))
      const client = await pool.connect()
      const release = (destroy: boolean, hasWorked: boolean) => {
        client.release(destroy)
        giveBack(hasWorked)
      }
      const noteAnswer = () => {
        shares.noteProgress(scope)
        connections.noteProgress('')
        turns.noteProgress(scope)
      }
      return { client, noteAnswer, noteFailure: onFailure, release }
    } catch (error) {
      giveBack(false)
      throw error
    }
  }
  const scopedTo = (scope: TenantScope, viewer = SYSTEM) =>
    new Kysely<Schema>({ dialect: scopedDialect(() => connect(scope), scope, viewer, observer) })
  return {
    db: scopedTo(EVERY_ORGANIZATION),
    scopedTo,
    waitForTurn: turns.acquire,
    prepared: new PreparedReader(lookups, () => places.acquire(''), observer),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: connections.countWaiting('') }),
    // A database that hangs does not delay the end of the process.
    close: () =>
      Promise.race([
        Promise.all([pool.end(), lookups.end()]).then(() => undefined),
        sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  }
}

const TIMESTAMPTZ = 1184
const DATE = 1082
const INT8 = 20

/**
 * Turns `2026-11-21 08:30:00.12+00` into `2026-11-21T08:30:00.120Z`: from Postgres to the wire without a `Date` in
 * between. Connections run in UTC and columns store milliseconds.
 */
export const isoFromPostgres = (text: string): string => {
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const parsers: Record<number, (text: string) => unknown> = {
  [TIMESTAMPTZ]: isoFromPostgres,
  [DATE]: String,
  [INT8]: Number,
}

/** Converts values of Postgres: timestamps and days to ISO texts, counts to numbers. */
export const POSTGRES_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
}
