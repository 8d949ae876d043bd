import type { Clock } from '../../../platform/clock.ts'
import type { Check, Outbound } from '../../../platform/outbound/outbound.ts'
import { placeOf, proxyPort } from '../../../platform/outbound/tunnel.ts'
import type { Options } from '../saved/definition.ts'
import type { BuiltRequest } from './build/build-request.ts'
import { type Header, headerValues } from './build/headers.ts'
import { markedAgainstLoops } from './build/loops.ts'
import { type Address, addressText } from './build/written-address.ts'
import { type Answer, exchange, noProgress, type Progress, type Timing, type TlsFacts } from './exchange.ts'
import { BehindProxyError, outcomeOf, RunFailed, RunRefused } from './failures.ts'

export interface Hop {
  url: string
  /** Address of the connection; null if there was none. */
  address: string | null
  status: number | null
}

/** A connection attempt to a destination or its proxy. */
interface Attempt {
  /** URL of the hop or of the proxy. */
  url: string
  /** The connected address, or all that failed. */
  addresses: readonly string[]
  /** Null behind a proxy; undefined if no connection was established. */
  sourceAddress: string | null | undefined
  /** The role of a proxy, and the reason of a failure; for display. */
  note: string | null
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

/** State of a request and its redirects, updated continuously. */
export interface Sent {
  hops: Hop[]
  attempts: Attempt[]
  timing: Timing
  answer: (Answer & { httpVersion: string; remoteAddress: string | null; tls: TlsFacts | null }) | null
}

/** Checks where a hop goes, before its name is resolved; throws to refuse it. @returns the check of its connections */
export type CheckHop = (address: Address, headers: readonly Header[]) => Promise<Check>

interface Sending {
  outbound: Outbound
  clock: Clock
  checkHop: CheckHop
  options: Options
  proxy: URL | undefined
  keptBytes: number
  /** Aborted on cancellation; the time limit is added here. */
  signal: AbortSignal
}

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Sends a request and follows its redirects as configured. Checks each hop again and uses a new connection for it.
 *
 * @param sent updated in place, also if the request fails
 * @throws RunRefused, RunFailed, errors of `exchange`
 */
export const send = async (sending: Sending, request: BuiltRequest, sent: Sent): Promise<void> => {
  const { outbound, clock, checkHop, options, proxy, keptBytes } = sending
  const endsAt = clock.monotonic() + options.timeoutMs
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = AbortSignal.any([sending.signal, timeout])
  let { method, url, path, headers, body } = request
  for (let followed = 0; ; followed++) {
    const hop: Hop = { url: addressText({ url, path }), address: null, status: null }
    sent.hops.push(hop)
    const progress = noProgress()
    const from = url
    const startedAt = clock.now()
    let failure: string | undefined
    try {
      const check = await checkHop({ url, path }, headers)
      signal.throwIfAborted()
      const answer = await exchange(
        outbound,
        clock,
        {
          method,
          url,
          path,
          headers,
          body,
          proxy,
          keptBytes,
          signal,
          check,
          verifyTls: options.verifyTls,
          allowH2: options.httpVersion === 'auto',
          timeoutMs: Math.max(1, Math.ceil(endsAt - clock.monotonic())),
          isFollowed: (status, received) => next(options, from, status, received) !== undefined,
        },
        progress,
      )
      sent.answer = { ...answer, httpVersion: progress.httpVersion, remoteAddress: progress.address, tls: progress.tls }
    } catch (error) {
      sent.answer = null
      const reason = sending.signal.aborted
        ? sending.signal.reason
        : timeout.aborted
          ? tooLate(options, progress, error)
          : placed(progress, error)
      failure = outcomeOf(reason)?.reason
      throw reason
    } finally {
      hop.address = progress.address
      hop.status = progress.status
      const during = { startedAt, endedAt: clock.now() }
      sent.attempts.push(...probesOf(progress, hop, proxy, failure).map((probe) => ({ ...probe, ...during })))
      sent.timing = summed(sent.timing, progress)
    }
    const { status, headers: received } = sent.answer
    const target = next(options, url, status, received)
    if (!target) return
    if (followed === options.maxRedirects) throw tooMany(sent, options)
    if (!['http:', 'https:'].includes(target.protocol)) throw unfollowed(sent, target)
    if (becomesGet(method, status)) {
      method = 'GET'
      body = undefined
      headers = headers.filter(([name]) => !name.toLowerCase().startsWith('content-'))
    }
    if (target.origin !== url.origin) {
      if (body && request.bodyUsesSecret) throw unfollowedSecret(sent, target)
      headers = headers.filter(([name]) => !request.credentials.includes(name.toLowerCase()))
    }
    url = target
    path = url.pathname
    headers = markedAgainstLoops({ url, path }, headers)
  }
}

const tooLate = ({ timeoutMs }: Options, { proxied, address }: Progress, cause: unknown) => {
  const late = `it took longer than ${timeoutMs} ms`
  const isAtProxy = proxied && address === null
  return new RunFailed(
    isAtProxy ? `${late}: the proxy ${proxied.isAsked ? 'had opened no connection' : 'was not reached'} by then` : late,
    { cause },
  )
}

/** A failure after the proxy has connected is not the proxy's. */
const placed = ({ proxied, address }: Progress, error: unknown): unknown =>
  proxied && address !== null ? new BehindProxyError(error) : error

const probesOf = (
  progress: Progress,
  hop: Hop,
  proxy: URL | undefined,
  failure: string | undefined,
): Omit<Attempt, 'startedAt' | 'endedAt'>[] => {
  const { proxied, tried, sourceAddress } = progress
  const note = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join('; ') || null
  if (!proxied || !proxy) {
    if (hop.address !== null) return [{ url: hop.url, addresses: [hop.address], sourceAddress, note: note(failure) }]
    return tried.length > 0 ? [{ url: hop.url, addresses: tried, sourceAddress: undefined, note: note(failure) }] : []
  }
  const { addresses, target, isAsked } = proxied
  const toProxy = {
    url: proxy.href,
    addresses,
    sourceAddress: proxied.sourceAddress,
    note: note(`the proxy for ${target}`, failure),
  }
  const places = addresses.map((address) => placeOf(address, proxyPort(proxy))).join(', ')
  const behind = {
    url: hop.url,
    addresses: [target],
    sourceAddress: null,
    note: note(`through the proxy ${places}`, failure),
  }
  return isAsked ? [toProxy, behind] : [toProxy]
}

const tooMany = (sent: Sent, { maxRedirects }: Options) => {
  sent.answer = null
  return new RunFailed(`more than ${maxRedirects} redirects`)
}

const unfollowed = (sent: Sent, { protocol, href }: URL) => {
  sent.answer = null
  sent.hops.push({ url: href, address: null, status: null })
  return new RunRefused(`a redirect leads to ${protocol}, and only http and https are followed`)
}

const unfollowedSecret = (sent: Sent, { href, origin }: URL) => {
  sent.answer = null
  sent.hops.push({ url: href, address: null, status: null })
  return new RunRefused(`a redirect leads to ${origin}, and the body holds a secret, which is sent to no other origin`)
}

/** Returns the redirect to follow; undefined if the response is final. */
const next = ({ followRedirects }: Options, from: URL, status: number, headers: readonly Header[]): URL | undefined => {
  const [location] = headerValues(headers, 'location')
  if (followRedirects === 'no' || location === undefined || !REDIRECTS.includes(status)) return undefined
  const text = Buffer.from(location, 'latin1').toString('utf8')
  if (!URL.canParse(text, from.href)) return undefined
  const url = new URL(text, from.href)
  url.hash = ''
  url.username = ''
  url.password = ''
  return followRedirects === 'yes' || url.hostname === from.hostname ? url : undefined
}

/** Like browsers (Fetch, "HTTP-redirect fetch"). */
const becomesGet = (method: string, status: number): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST'

const summed = (timing: Timing, progress: Progress): Timing => {
  const add = (a: number | null, b: number | null) => (b === null ? a : (a ?? 0) + b)
  const { timing: more } = progress
  return {
    dns: add(timing.dns, more.dns),
    connect: add(timing.connect, more.connect),
    tls: add(timing.tls, more.tls),
    firstByte: add(timing.firstByte, more.firstByte),
    total: add(timing.total, more.total),
  }
}
