import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { type Readable, Transform, type TransformCallback, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { EmbeddedPostgresError } from '@sortie/embedded-postgres/errors.ts'
import type { StoredContent } from '../manifest.ts'

/** Of gzip, 1 to 9. Higher levels take at least twice the time for a tenth less. */
const COMPRESSION_LEVEL = 3
const NEWLINE = 10
const PIECE_BYTES = 256 * 1024

/** Passes bytes through, counts and hashes them. */
export class Meter extends Transform {
  bytes = 0
  /** Newlines. In the text format of `copy`, each row ends with one and contains no other. */
  lines = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) this.lines++
    this.#hash.update(chunk)
    done(null, chunk)
  }

  /** To be called once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}

/** Writes a stream into a new compressed file of the backup; it is on the disk when this returns. */
export const writeContent = async (
  source: Readable,
  backup: string,
  name: string,
  signal: AbortSignal,
): Promise<StoredContent> => {
  const [content, stored] = [new Meter(), new Meter()]
  await pipeline(
    source,
    content,
    createGzip({ level: COMPRESSION_LEVEL, chunkSize: PIECE_BYTES }),
    stored,
    createWriteStream(path.join(backup, name), { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  return {
    path: name,
    bytes: stored.bytes,
    sha256: stored.sha256(),
    contentBytes: content.bytes,
    contentSha256: content.sha256(),
    lines: content.lines,
  }
}

/**
 * Reads a compressed file of the backup into a stream, and compares it with its checksums.
 *
 * @throws EmbeddedPostgresError when the file is damaged; `target` may have received a part of it
 */
export const readContent = async (
  backup: string,
  entry: StoredContent,
  target: Writable,
  signal: AbortSignal,
): Promise<void> => {
  const [stored, content] = [new Meter(), new Meter()]
  try {
    await pipeline(
      createReadStream(path.join(backup, entry.path), { highWaterMark: PIECE_BYTES }),
      stored,
      createGunzip({ chunkSize: PIECE_BYTES }),
      content,
      target,
      { signal },
    )
  } catch (error) {
    signal.throwIfAborted()
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw damaged(backup, entry.path, 'is missing')
    // Z_DATA_ERROR and Z_BUF_ERROR come from the decompressor.
    throw code.startsWith('Z_') ? damaged(backup, entry.path) : error
  }
  const isSame =
    stored.sha256() === entry.sha256 && content.sha256() === entry.contentSha256 && content.lines === entry.lines
  if (!isSame) throw damaged(backup, entry.path)
}

export const damaged = (backup: string, name: string, how = 'has changed since it was written') =>
  new EmbeddedPostgresError('backup', `the backup is damaged: ${path.join(backup, name)} ${how}`)

/** Discards what is written to it. */
export const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })
