import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { POSTGRES_TYPES } from './postgres-types.ts'
import { PreparedReader } from './prepared.ts'
import type { DB as Schema } from './types.gen.ts'

export type Database = Kysely<Schema>

/** How to reach Postgres: an address, or the socket directory of the embedded one. */
export type ConnectionSettings = { connectionString: string } | { host: string; port: number; user: string; database: string }

export interface OpenDatabase {
  /** Typed queries and transactions, over a pool. */
  db: Database
  /** Named prepared statements over a few pipelined connections: for reads on the path of every request. */
  prepared: PreparedReader
  /** Connections in use and waiting, for metrics. */
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

const POOL_SIZE = 10
const ACQUIRE_TIMEOUT_MS = 2_000
/** Bounds every answer while the database hangs: a client hears 503 within 2.5 s (fault case F1). */
const QUERY_TIMEOUT_MS = 2_300

/** Settings that every connection of the server shares. */
export const connectionOptions = (settings: ConnectionSettings, applicationName: string): pg.ClientConfig => ({
  ...settings,
  application_name: applicationName,
  types: POSTGRES_TYPES,
  keepAlive: true,
  connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
  options: '-c TimeZone=UTC -c statement_timeout=10000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=15000',
})

/** Opens no connection yet: the first query does. */
export const openDatabase = (settings: ConnectionSettings, onError: (error: Error) => void): OpenDatabase => {
  const options = { ...connectionOptions(settings, 'sortie'), query_timeout: QUERY_TIMEOUT_MS }
  const pool = new pg.Pool({ ...options, max: POOL_SIZE, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  const prepared = new PreparedReader(options, onError)
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: droppingBroken(pool) }) }),
    prepared,
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), prepared.close()])
    },
  }
}

/** A connection whose query timed out still waits for that answer: it is closed instead of given to the next caller. */
const droppingBroken = (pool: pg.Pool): PostgresPool => ({
  options: {},
  connect: async () => {
    const client = await pool.connect()
    let broken = false
    const query = async (...args: Parameters<PostgresPoolClient['query']>) => {
      try {
        return await (client.query as (...all: unknown[]) => Promise<unknown>)(...args)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) broken = true
        throw error
      }
    }
    return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient
  },
  end: async () => undefined,
})
