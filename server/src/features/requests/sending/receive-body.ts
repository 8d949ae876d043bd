import { createHash } from 'node:crypto'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** Limit of a body in bytes, both encoded and decoded. */
export const MAX_RECEIVED_BYTES = 104_857_600
const MAX_CODINGS = 2

/** Why the body cannot be read; the message is for users. */
export class BodyError extends Error {}

export interface ReceivedBody {
  /** Bytes after content decoding. */
  size: number
  sha256: string
  /** The stored start of the body. */
  kept: Buffer
}

/**
 * Reads a body to its end and keeps its start, in bounded memory.
 *
 * @param encoding value of `Content-Encoding`
 * @param stopsAtKept reads no further than what is kept: `size` and `sha256` are of that part
 * @throws BodyError, errors of the stream
 */
export const receiveBody = async (
  body: Readable,
  encoding: string,
  keptBytes: number,
  signal: AbortSignal,
  stopsAtKept = false,
): Promise<ReceivedBody> => {
  const decoders = decodersOf(encoding)
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let kept = 0
  let size = 0
  const count = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > MAX_RECEIVED_BYTES) throw tooLarge()
      hash.update(chunk)
      if (kept >= keptBytes) continue
      // A copy, because a subarray would keep the whole chunk in memory.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - kept)))
      kept += chunks.at(-1)?.length ?? 0
      if (stopsAtKept && kept >= keptBytes) throw new Enough()
    }
  }
  try {
    await pipeline([body, limited, ...decoders, count] as never, { signal })
  } catch (error) {
    if (!(error instanceof Enough))
      throw isZlibError(error) ? new BodyError(`the body is not valid ${encoding}`) : error
  }
  return { size, sha256: hash.digest('hex'), kept: Buffer.concat(chunks) }
}

/** Ends the pipeline early. */
class Enough extends Error {}

const tooLarge = () => new BodyError(`the body has more than ${MAX_RECEIVED_BYTES} bytes`)

/** Limits the encoded bytes too, for a body that decodes to nothing. */
const limited = async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > MAX_RECEIVED_BYTES) throw tooLarge()
    yield chunk
  }
}

const DECODERS = new Map<string, () => Transform>(
  Object.entries({
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
    zstd: createZstdDecompress,
  }),
)

/** Removes the last coding first. An unknown coding stays, with all codings below it. */
const decodersOf = (encoding: string): Transform[] => {
  const codings = encoding
    .slice(0, 1_000)
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_CODINGS) throw new BodyError(`the body has more than ${MAX_CODINGS} content codings`)
  const decoders = codings.toReversed().map((coding) => DECODERS.get(coding))
  const known = decoders.findIndex((decoder) => decoder === undefined)
  return decoders.slice(0, known < 0 ? undefined : known).map((create) => (create as () => Transform)())
}

const isZlibError = (error: unknown): boolean =>
  /^(?:Z_|ERR__ERROR|ERR_BROTLI|ZSTD_)/.test((error as NodeJS.ErrnoException).code ?? '')
