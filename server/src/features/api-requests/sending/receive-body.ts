import { createHash } from 'node:crypto'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** More than this is not read on, coded or decoded. */
export const MAX_RECEIVED_BYTES = 104_857_600
const MAX_CODINGS = 2

/** Why the body is none that can be read; for people. */
export class BodyError extends Error {}

export interface ReceivedBody {
  /** Bytes after content decoding. */
  size: number
  sha256: string
  /** As much of it as is kept. */
  kept: Buffer
}

/**
 * Reads a body to its end, and keeps the beginning: memory is bounded, whatever comes.
 *
 * @param encoding of `Content-Encoding`
 * @throws BodyError, what the stream throws
 */
export const receiveBody = async (body: Readable, encoding: string, keptBytes: number, signal: AbortSignal): Promise<ReceivedBody> => {
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
      // A copy: the part would keep the whole chunk in memory.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - kept)))
      kept += chunks.at(-1)?.length ?? 0
    }
  }
  try {
    await pipeline([body, limited, ...decoders, count] as never, { signal })
  } catch (error) {
    throw isZlibError(error) ? new BodyError(`the body is not valid ${encoding}`) : error
  }
  return { size, sha256: hash.digest('hex'), kept: Buffer.concat(chunks) }
}

const tooLarge = () => new BodyError(`the body has more than ${MAX_RECEIVED_BYTES} bytes`)

/** As it comes over the wire: what unpacks to nothing has an end, too. */
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

/** The last coding comes off first. A coding that is not known is left as it is, with all below it. */
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

const isZlibError = (error: unknown): boolean => /^(?:Z_|ERR__ERROR|ERR_BROTLI|ZSTD_)/.test((error as NodeJS.ErrnoException).code ?? '')
