import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UnreadableFile } from '../registry/format.ts'

/** Limits for a compressed file: the expansion ratio and the total size. */
export interface TextLimits {
  maxRatio: number
  maxBytes: number
}

/** Bytes of the file read so far; updated while reading. */
export interface Progress {
  bytes: number
}

const CHUNK_BYTES = 64 * 1024

/** The file ended too early; what was read so far counts. */
export class CutOff extends Error {}

/**
 * Opens a file as text: decompresses gzip and decodes by byte order mark, XML declaration or the pattern of UTF-16,
 * else as UTF-8. Invalid bytes become U+FFFD.
 *
 * @param encoding overrides detection
 * @throws UnreadableFile for gzip that exceeds the limits, CutOff for gzip that ends too early
 */
export async function* openText(
  file: string,
  limits: TextLimits,
  progress: Progress,
  encoding?: string,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const bytes of plainBytes(file, limits, progress)) {
    decoder ??= new TextDecoder(encoding ?? encodingOf(bytes))
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder?.decode() ?? ''
  if (rest !== '') yield rest
}

/** True if more non-ASCII characters are broken than valid: then the text is not UTF-8. */
export const isMostlyBroken = async (text: AsyncIterable<string>): Promise<boolean> => {
  let [broken, fine] = [0, 0]
  for await (const chunk of text) {
    broken += chunk.match(/\ufffd/g)?.length ?? 0
    // What is not ASCII
    fine += chunk.match(/[^\u0000-\u007f\ufffd]/g)?.length ?? 0
  }
  return broken > fine
}

async function* plainBytes(
  file: string,
  { maxRatio, maxBytes }: TextLimits,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  // The next read of a chunk reports the error.
  source.on('error', () => undefined)
  const chunks = source.iterator() as AsyncIterableIterator<Buffer>
  const first = await chunks.next()
  if (first.done) return
  if (!(first.value[0] === 0x1f && first.value[1] === 0x8b)) {
    for (let chunk: Buffer | undefined = first.value; chunk !== undefined; chunk = (await chunks.next()).value) {
      progress.bytes += chunk.length
      yield chunk
    }
    return
  }
  source.destroy()
  const compressed = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip()
  compressed.on('error', (error) => gunzip.destroy(error))
  let bytesOut = 0
  try {
    for await (const chunk of compressed.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytesOut += chunk.length
      if (bytesOut > maxBytes) throw new UnreadableFile(`the gzip file has more than ${maxBytes} bytes inside`)
      if (bytesOut > maxRatio * compressed.bytesRead)
        throw new UnreadableFile(`the gzip file grows to more than ${maxRatio} times its size`)
      progress.bytes = compressed.bytesRead
      yield chunk
    }
  } catch (error) {
    throw gzipFailure(error, bytesOut)
  } finally {
    compressed.destroy()
    gunzip.destroy()
  }
}

const gzipFailure = (error: unknown, bytesOut: number): unknown => {
  const { code } = error as NodeJS.ErrnoException
  if (!code?.startsWith('Z_')) return error
  if (bytesOut === 0) return new UnreadableFile('the gzip file is damaged')
  return new CutOff(code === 'Z_BUF_ERROR' ? 'the gzip file is truncated' : 'the gzip file is damaged')
}

/** Encodings that tools declare; other files are read as UTF-8. */
const DECLARED = /^<\?xml[^>]{0,200}?encoding=["'](iso-8859-1|iso-8859-15|windows-1252|us-ascii|latin1)["']/i

const encodingOf = (bytes: Buffer): string => {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== undefined && a !== 0 && b === 0) return 'utf-16le'
  if (a === 0 && b !== undefined && b !== 0) return 'utf-16be'
  return DECLARED.exec(bytes.toString('latin1', 0, 256))?.[1] ?? 'utf-8'
}

/**
 * `begin` returns at least this many characters of the text's start, if it has them; `whole` then yields the whole
 * text.
 */
export const peek = (
  text: AsyncIterable<string>,
): { begin: (characters: number) => Promise<string>; whole: AsyncGenerator<string> } => {
  const chunks = text[Symbol.asyncIterator]()
  let start = ''
  let isOver = false
  let failure: unknown
  const begin = async (characters: number): Promise<string> => {
    try {
      while (start.length < characters && !isOver) {
        const { value, done } = await chunks.next()
        isOver = done ?? false
        if (!done) start += value
        // Leading blanks are dropped, however many.
        if (start.length >= characters && start.trim() === '') start = ''
      }
    } catch (error) {
      if (!(error instanceof CutOff)) throw error
      failure = error
      isOver = true
    }
    return start
  }
  async function* again() {
    if (start !== '') yield start
    if (failure !== undefined) throw failure
    while (true) {
      const { value, done } = await chunks.next()
      if (done) return
      yield value
    }
  }
  return { begin, whole: again() }
}
