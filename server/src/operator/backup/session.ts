import pg from 'pg'
import type { ConnectionSettings } from '../../platform/database/connection/open.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** A connection is idle while files are copied; this keeps firewalls from dropping it. */
const KEEP_ALIVE_MS = 30_000
/** A table that another program locks for longer, such as a migration, ends the backup. */
const LOCK_TIMEOUT_MS = 60_000

/**
 * Set by statements, since poolers drop startup options. The first two lines make the text of `copy` the same on every
 * Postgres, in the physical order of the rows. The last line makes every row visible to Sortie's policies.
 */
const SESSION = `
  set client_encoding to 'UTF8'; set timezone to 'UTC'; set datestyle to 'ISO'; set intervalstyle to 'postgres';
  set extra_float_digits to 1; set bytea_output to 'hex'; set synchronize_seqscans to off; set max_parallel_workers_per_gather to 0;
  set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set idle_session_timeout to 0;
  set lock_timeout to ${LOCK_TIMEOUT_MS};
  set sortie.organization to '*'; set sortie.viewer to '**'; set sortie.trash to 'shown'`

export interface Session {
  client: pg.Client
  close(): Promise<void>
}

/** Opens a connection without time limits, for a backup or a restore. @param signal closes it */
export const openSession = async (
  settings: ConnectionSettings,
  applicationName: string,
  signal: AbortSignal,
): Promise<Session> => {
  signal.throwIfAborted()
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }
  const client = new pg.Client({
    ...settings,
    ...alive,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // The query that is running fails as well, with a better message.
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

/**
 * Runs `work` on a connection of its own. @throws the reason of `signal` once that is aborted, whatever `work` throws
 */
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
