import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { request } from 'undici'
import { limitTime } from '../../../../platform/concurrency/time-limit.ts'
import { hostOfUrl, portOfUrl } from '../places.ts'
import { NoAnswer, type ScanNetwork } from '../scanner.ts'

/** Bytes read of a body: titles and signatures are at its start. */
const MAX_BODY_BYTES = 262_144
const MAX_HEADERS = 100
/** In characters; content security policies are the longest headers. */
const MAX_HEADER_LENGTH = 8_000
/** Identifies Sortie, so that clients can recognise its requests. */
const USER_AGENT = 'Mozilla/5.0 (compatible; Sortie)'

export interface Answer {
  url: URL
  /** The address that responded. */
  address: string
  status: number
  /** Lower-case names; repeated headers are joined in one line. */
  headers: Record<string, string>
  body: Buffer
  /** True if the body is complete. */
  isWhole: boolean
  /** SHA-256 of the body, in hexadecimal. */
  sha256: string
}

/**
 * Sends one GET request over HTTP/1.1, without following redirects. Keeps the start of a body that does not end.
 *
 * @param timeoutMs for the connection, for the headers, and for the body, whose start is kept then
 * @param address address of its name, if already resolved
 * @throws the errors of `ScanNetwork.createHttpAgent`, NoAnswer
 */
export const fetchOnce = async (
  url: URL,
  address: string | undefined,
  timeoutMs: number,
  reach: ScanNetwork,
): Promise<Answer> => {
  const [host, port] = [hostOfUrl(url), portOfUrl(url)]
  const reached = address ?? preferred(await reach.evaluate({ host, port, url }))
  const late = new AbortController()
  let endLimit = () => {}
  const limit = () => {
    endLimit()
    endLimit = limitTime(timeoutMs, () => late.abort(new NoAnswer(`no answer within ${timeoutMs} ms`)))
  }
  const agent = reach.createHttpAgent({ host, address: reached, port, url }, timeoutMs, limit)
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([reach.signal, late.signal]),
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: { 'user-agent': USER_AGENT, accept: '*/*', 'accept-encoding': 'identity' },
    })
    limit()
    const { bytes, isWhole } = await beginningOf(body, reach.signal)
    return {
      url,
      address: reached,
      status: statusCode,
      headers: plain(headers),
      body: bytes,
      isWhole,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  } catch (error) {
    reach.signal.throwIfAborted()
    throw late.signal.aborted ? (late.signal.reason as Error) : error
  } finally {
    endLimit()
    await agent.destroy()
  }
}

/** Prefers IPv4, because IPv6 routes are missing more often. */
const preferred = (addresses: readonly string[]): string =>
  (addresses.find((each) => isIP(each) === 4) ?? addresses[0]) as string

/** Reads the body until its end, an error, the time limit or the size limit. */
const beginningOf = async (
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length > MAX_BODY_BYTES) return { bytes: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), isWhole: false }
    }
    return { bytes: Buffer.concat(chunks), isWhole: true }
  } catch {
    signal.throwIfAborted()
    return { bytes: Buffer.concat(chunks), isWhole: false }
  }
}

const plain = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [
        name.toLowerCase(),
        (Array.isArray(value) ? value.join(', ') : (value ?? '')).slice(0, MAX_HEADER_LENGTH),
      ]),
  )
