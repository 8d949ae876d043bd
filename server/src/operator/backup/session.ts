import pg from 'pg'
import type { ConnectionSettings } from '../../platform/database/open.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** While files are copied, a connection is idle; this prevents a firewall from dropping it. */
const KEEP_ALIVE_MS = 30_000
/** A longer table lock of another program, such as a migration, ends the backup. */
const LOCK_TIMEOUT_MS = 60_000

/**
 * Set by statements, since poolers drop the settings that a connection starts with. The first group makes the text of `copy`
 * identical on every Postgres, in physical row order; the last lets row-level security show every row.
 */
const SESSION = `
  set client_encoding to 'UTF8'; set timezone to 'UTC'; set datestyle to 'ISO'; set intervalstyle to 'postgres';
  set extra_float_digits to 1; set bytea_output to 'hex'; set synchronize_seqscans to off; set max_parallel_workers_per_gather to 0;
  set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set idle_session_timeout to 0;
  set lock_timeout to ${LOCK_TIMEOUT_MS};
  set sortie.organization to '*'; set sortie.viewer to '*'`

export interface Session {
  client: pg.Client
  close(): Promise<void>
}

/** A connection without timeout for a backup or a restore. @param signal closes it */
export const openSession = async (settings: ConnectionSettings, applicationName: string, signal: AbortSignal): Promise<Session> => {
  signal.throwIfAborted()
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }
  const client = new pg.Client({ ...settings, ...alive, application_name: applicationName, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // The current statement fails as well, with a better message.
  client.on('error', () => undefined)
  const abort = () => void client.end().catch(() => undefined)
  await client.connect()
  signal.addEventListener('abort', abort)
  const close = async () => {
    signal.removeEventListener('abort', abort)
    await client.end().catch(() => undefined)
  }
  try {
    await client.query(SESSION)
    return { client, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @param work an error that it throws after an interruption is replaced by the reason for the interruption */
export const withSession = async <T>(
  settings: ConnectionSettings,
  applicationName: string,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const { client, close } = await openSession(settings, applicationName, signal)
  try {
    return await work(client)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await close()
  }
}
