import pg from 'pg'
import { type Extract, extract } from 'tar-stream'
import { EmbeddedPostgresError } from '../errors.ts'
import type { SocketSettings } from '../types.ts'

/** Receives the entries of the data directory, in its order; the bytes of a file follow its header. */
export interface Sink {
  directory(name: string): void
  begin(name: string): void
  data(bytes: Buffer): void
  end(): void
}

export interface BaseBackup {
  systemIdentifier: string
  /** The copy was made between these two positions of the log; restored, it is the database as of the second. */
  startLsn: string
  endLsn: string
}

const COMMAND = "BASE_BACKUP (LABEL 'backup', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no')"
/** First byte of a message with bytes of the archive; others name the archive or report the progress. */
const ARCHIVE_BYTES = 'd'.charCodeAt(0)

/**
 * Copies a running Postgres with its own `BASE_BACKUP`, as pg_basebackup does: Postgres chooses what belongs to a copy,
 * verifies the checksum of every page that it reads, and appends the write-ahead log that makes the copy consistent. A
 * slot that ends with the connection keeps that log until it has been read.
 *
 * @param sink an error that it throws ends the copy
 * @throws EmbeddedPostgresError if a table space is outside of the data directory
 */
export const readBaseBackup = async (
  settings: SocketSettings,
  sink: Sink,
  signal: AbortSignal,
): Promise<BaseBackup> => {
  const options: pg.ClientConfig & { replication: string } = {
    ...settings,
    replication: 'true',
    application_name: `${settings.user}-backup`,
  }
  const client = new pg.Client(options)
  client.on('error', () => undefined)
  // During a command this closes the connection.
  const abort = () => void client.end()
  await client.connect()
  signal.addEventListener('abort', abort)
  try {
    const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM')
    await client.query(`CREATE_REPLICATION_SLOT backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL true)`)
    return { systemIdentifier: (rows[0] as { systemid: string }).systemid, ...(await copyInto(sink, client, abort)) }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    await client.end().catch(() => undefined)
  }
}

const copyInto = async (sink: Sink, client: pg.Client, abort: () => void) => {
  const archive = extract()
  const unpacking = unpack(archive, sink)
  unpacking.catch(abort)
  try {
    const [start, spaces, end] = await new Promise<Answer[]>((resolve, reject) => {
      client.query(new CopyOut(COMMAND, { onData: (bytes) => archive.write(bytes), resolve, reject }))
    })
    if (spaces?.some(([oid]) => oid !== null)) {
      throw new EmbeddedPostgresError('directory', 'this database has table spaces of its own, which are not backed up')
    }
    archive.end()
    await unpacking
    return { startLsn: String(start?.[0]?.[0]), endLsn: String(end?.[0]?.[0]) }
  } catch (error) {
    archive.destroy(error as Error)
    // If the sink failed first, its error is more informative than the end of the connection.
    await unpacking
    throw error
  }
}

/** @throws Error for an entry of another kind, and for an archive that ends within an entry */
const unpack = async (archive: Extract, sink: Sink): Promise<void> => {
  for await (const entry of archive) {
    const { name, type } = entry.header
    if (type === 'directory') sink.directory(name.replace(/\/$/, ''))
    else if (type === 'file') {
      sink.begin(name)
      for await (const bytes of entry) sink.data(bytes)
      sink.end()
    } else throw new Error(`an unsupported entry: ${name} (${type})`)
    entry.resume()
  }
}

/** One answer of a command with several: its rows, as texts. */
type Answer = (string | null)[][]

interface CopyHandlers {
  onData(bytes: Buffer): void
  resolve(answers: Answer[]): void
  reject(error: Error): void
}

/**
 * A command with a stream of bytes among its answers, implemented like cursors for `pg`: see "Submittable" in its
 * manual.
 */
class CopyOut implements pg.Submittable {
  readonly #command: string
  readonly #handlers: CopyHandlers
  readonly #answers: Answer[] = []

  constructor(command: string, handlers: CopyHandlers) {
    this.#command = command
    this.#handlers = handlers
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#command)
  }

  handleRowDescription(): void {
    this.#answers.push([])
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#answers.at(-1)?.push(fields)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] === ARCHIVE_BYTES) this.#handlers.onData(chunk.subarray(1))
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#handlers.resolve(this.#answers)
  }

  handleError(error: Error): void {
    this.#handlers.reject(error)
  }
}
