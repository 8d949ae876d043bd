import pg from 'pg'
import type { ConnectionSettings } from '../database/open.ts'
import { ConfigurationError } from '../errors.ts'
import { TarReader, type TarSink } from './tar.ts'

export interface BaseBackup {
  systemIdentifier: string
  /** Between these two positions of the log the copy was made; restored, it is the database as of the second. */
  startLsn: string
  endLsn: string
}

/**
 * Copies a running Postgres with its own `BASE_BACKUP`, as pg_basebackup does: Postgres chooses what belongs to a copy,
 * checks the checksum of every page that it reads, and appends the write-ahead log that makes the copy consistent. A slot
 * that ends with the connection keeps that log until it has been read.
 *
 * @param sink gets the data directory's entries; what it throws ends the copy
 * @throws ConfigurationError where a table space lies outside of the data directory
 */
export const readBaseBackup = async (settings: ConnectionSettings, sink: TarSink, signal: AbortSignal): Promise<BaseBackup> => {
  const options: pg.ClientConfig & { replication: string } = { ...settings, replication: 'true', application_name: 'sortie-backup' }
  const client = new pg.Client(options)
  client.on('error', () => undefined)
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  const abort = () => stream.destroy()
  await client.connect()
  signal.addEventListener('abort', abort)
  try {
    const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM')
    await client.query(`CREATE_REPLICATION_SLOT sortie_backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL true)`)
    const { startLsn, endLsn } = await copyOut(client, sink, abort)
    return { systemIdentifier: (rows[0] as { systemid: string }).systemid, startLsn, endLsn }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    await client.end().catch(() => undefined)
  }
}

const copyOut = async (client: pg.Client, sink: TarSink, abort: () => void) => {
  const tar = new TarReader(sink)
  let failure: unknown
  const onMessage = (message: Buffer) => {
    // What was sent before the connection is closed still arrives.
    if (failure !== undefined || message[0] !== DATA) return
    try {
      tar.push(message.subarray(1))
    } catch (error) {
      failure = error
      abort()
    }
  }
  const results = await new Promise<pg.QueryResult[]>((resolve, reject) => {
    const text = "BASE_BACKUP (LABEL 'sortie', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no')"
    client.query(new CopyQuery(text, onMessage, (error, answer) => (error ? reject(failure ?? error) : resolve(answer as unknown as pg.QueryResult[]))))
  })
  const [start, spaces, end] = results
  if (spaces?.rows.some(({ spcoid }) => spcoid !== null)) {
    throw new ConfigurationError(['DATA_DIR: this database has table spaces of its own, which are not backed up'])
  }
  if (!tar.isComplete) throw new Error('Postgres ended the copy in the middle of a file')
  return { startLsn: String(start?.rows[0]?.recptr), endLsn: String(end?.rows[0]?.recptr) }
}

/** First byte of a message with bytes of the archive; the others name the archive or tell the progress. */
const DATA = 'd'.charCodeAt(0)

/** A query whose answer is a stream of bytes between rows. */
class CopyQuery extends pg.Query {
  readonly #onMessage: (message: Buffer) => void

  constructor(text: string, onMessage: (message: Buffer) => void, callback: (error: Error | null, result: pg.QueryResult) => void) {
    super({ text, callback } as unknown as pg.QueryConfig)
    this.#onMessage = onMessage
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onMessage(chunk)
  }
}
