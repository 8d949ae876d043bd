import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../../platform/clock.ts'
import type { Check, Outbound } from '../../../platform/outbound/outbound.ts'
import type { SentBody } from './build/body.ts'
import { type Header, headerValues } from './build/headers.ts'
import { certificateProblem, RunFailed } from './failures.ts'
import { type ReceivedBody, receiveBody } from './receive-body.ts'

/** One request to one address, without redirects. */
export interface Exchange {
  method: string
  url: URL
  /** As it is sent, without the query. */
  path: string
  headers: readonly Header[]
  body: SentBody | undefined
  /** Called once the address is known, before anything is sent. */
  check: Check
  verifyTls: boolean
  allowH2: boolean
  proxy: URL | undefined
  /** Limits the whole exchange. */
  signal: AbortSignal
  /** Remaining time in whole milliseconds. */
  timeoutMs: number
  /** Stored bytes of the response body. */
  keptBytes: number
  /** Nothing is read beyond the stored bytes. */
  stopsAtKept?: boolean
  /** Returns true if the response is a redirect to follow, whose body is not needed. */
  isFollowed(status: number, headers: readonly Header[]): boolean
}

const MAX_INTERIM_ANSWERS = 100

/** Milliseconds; null if the step was not reached. */
export interface Timing {
  dns: number | null
  connect: number | null
  tls: number | null
  firstByte: number | null
  total: number | null
}

export interface TlsFacts {
  version: string
  cipher: string
  issuer: string
  notAfter: string | null
  /** Why the certificate is not trusted; null if it is. */
  problem: string | null
}

/** State of an exchange, updated continuously: a failed exchange leaves what is known by then. */
export interface Progress {
  /** Address of the connection; null before there is one. */
  address: string | null
  /** Addresses to which a direct connection was attempted. */
  tried: readonly string[]
  /** Our address; null with a proxy, or before there was a connection. */
  sourceAddress: string | null
  /** The connection to the proxy; null without a proxy, and before the proxy was resolved. */
  proxied: Proxied | null
  timing: Timing
  tls: TlsFacts | null
  httpVersion: string
  status: number | null
}

/** The use of a proxy. */
interface Proxied {
  /** The connected address, or all attempted ones. */
  addresses: readonly string[]
  /** Our address; undefined if no connection was established. */
  sourceAddress: string | undefined
  /** The destination requested from the proxy. */
  target: string
  isAsked: boolean
}

export const noProgress = (): Progress => ({
  address: null,
  tried: [],
  sourceAddress: null,
  proxied: null,
  timing: { dns: null, connect: null, tls: null, firstByte: null, total: null },
  tls: null,
  httpVersion: '1.1',
  status: null,
})

export interface Answer {
  status: number
  statusText: string
  headers: Header[]
  body: ReceivedBody
}

/**
 * Sends one request over its own connection.
 *
 * @param progress updated in place
 * @throws RunFailed, EgressRefusedError, UnresolvedError, BodyError, errors of `check`, undici and `node:tls`
 */
export const exchange = async (
  outbound: Outbound,
  clock: Clock,
  wanted: Exchange,
  progress: Progress,
): Promise<Answer> => {
  const { method, url, path, body } = wanted
  const interim = countInterim()
  const signal = AbortSignal.any([wanted.signal, interim.signal])
  const since = stopwatch(clock)
  let checked: readonly string[] = []
  const agent = outbound.createHttpAgent({
    connectTimeoutMs: wanted.timeoutMs,
    check: wanted.check,
    signal,
    tls: { rejectUnauthorized: wanted.verifyTls },
    allowH2: wanted.allowH2,
    ...(wanted.proxy && { proxy: wanted.proxy }),
    stages: {
      resolved: ({ addresses }) => {
        progress.timing.dns = since()
        checked = addresses
      },
      opening: () => {
        progress.tried = checked
      },
      connected: (socket, address) => {
        progress.timing.connect = since()
        progress.address = address ?? null
        if (!wanted.proxy) progress.sourceAddress = socket.localAddress ?? null
      },
      proxyResolved: ({ addresses }) => {
        progress.proxied = { addresses, sourceAddress: undefined, target: checked[0] ?? '', isAsked: false }
      },
      proxyConnected: ({ remoteAddress, localAddress }) => {
        if (!progress.proxied) return
        const addresses = remoteAddress === undefined ? progress.proxied.addresses : [remoteAddress]
        progress.proxied = { ...progress.proxied, addresses, sourceAddress: localAddress, isAsked: true }
      },
      secured: (socket) => {
        progress.timing.tls = since()
        progress.tls = tlsFacts(socket)
        if (socket.alpnProtocol === 'h2') progress.httpVersion = '2'
      },
    },
  })
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${path}${url.search}`,
      method: method as 'GET',
      headers: requestHeaders(wanted),
      body: body && body.length > 0 ? (body.read() as unknown as Readable) : null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      responseHeaders: 'raw',
      onInfo: interim.count,
      servername: url.hostname,
      reset: true,
    } as never)
    progress.timing.firstByte = since()
    progress.status = answer.statusCode
    const headers = pairsOf(answer.headers as unknown as (string | Buffer)[])
    const { statusText } = answer as unknown as { statusText?: string }
    const encoding = hasNoBody(method, answer.statusCode) ? '' : headerValues(headers, 'content-encoding').join(',')
    const keptBytes = wanted.isFollowed(answer.statusCode, headers) ? 0 : wanted.keptBytes
    const received = await receiveBody(answer.body, encoding, keptBytes, signal, wanted.stopsAtKept)
    return { status: answer.statusCode, statusText: statusText ?? '', headers, body: received }
  } finally {
    const { timing } = progress
    timing.total = Object.values(timing).reduce((sum, part) => sum + (part ?? 0), 0) + since()
    await agent.destroy()
  }
}

/** Responses with a status of 1xx come before the final one, and could continue without end. */
const countInterim = (): { signal: AbortSignal; count: () => void } => {
  const controller = new AbortController()
  let seen = 0
  const count = () => {
    if (++seen > MAX_INTERIM_ANSWERS)
      controller.abort(new RunFailed(`more than ${MAX_INTERIM_ANSWERS} interim responses (1xx)`))
  }
  return { signal: controller.signal, count }
}

/** Returns the milliseconds since its last call. */
const stopwatch = (clock: Clock): (() => number) => {
  let last = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    const passed = Math.round(now - last)
    last = now
    return passed
  }
}

const requestHeaders = ({ headers, body }: Exchange): string[] => {
  const flat = headers
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .flatMap(([name, value]) => [name, value])
  return body ? [...flat, 'content-length', String(body.length)] : flat
}

const hasNoBody = (method: string, status: number): boolean => method === 'HEAD' || status === 204 || status === 304

const pairsOf = (raw: readonly (string | Buffer)[]): Header[] => {
  const texts = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : []))
}

const tlsFacts = (socket: TLSSocket): TlsFacts => {
  const { issuer, valid_to: validTo } = socket.getPeerCertificate()
  const { standardName, name } = socket.getCipher()
  const until = Date.parse(validTo ?? '')
  const stated = issuer?.CN ?? issuer?.O ?? ''
  return {
    version: socket.getProtocol() ?? '',
    cipher: standardName ?? name,
    issuer: Array.isArray(stated) ? stated.join(', ') : stated,
    notAfter: Number.isNaN(until) ? null : new Date(until).toISOString(),
    problem: socket.authorized ? null : certificateProblem(socket.authorizationError),
  }
}
