import type { Clock } from '../../../platform/clock.ts'
import type { Check, Outbound } from '../../../platform/outbound/outbound.ts'
import { placeOf, proxyPort } from '../../../platform/outbound/tunnel.ts'
import type { Options } from '../saved/definition.ts'
import type { BuiltRequest } from './build-request.ts'
import { type Answer, exchange, noProgress, type Progress, type Timing, type TlsFacts } from './exchange.ts'
import { BehindProxyError, outcomeOf, RunFailed, RunRefused } from './failures.ts'
import { type Header, headerValues } from './headers.ts'
import { markedAgainstLoops } from './loops.ts'
import { type Address, addressText } from './written-address.ts'

export interface Hop {
  url: string
  /** What it was sent to; null where it did not come to that. */
  address: string | null
  status: number | null
}

/** What went to a destination or to a proxy for it, and was not only considered. */
interface Attempt {
  /** Of the hop, or of the proxy. */
  url: string
  /** The one that it was sent to, or all that did not open a connection. */
  addresses: readonly string[]
  /** Null where a proxy stands between; undefined where no connection came about. */
  sourceAddress: string | null | undefined
  /** What a proxy has to do with it, and why it failed; for people. */
  note: string | null
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

/** What came of a request and of what it was redirected to; filled in as it goes on. */
export interface Sent {
  hops: Hop[]
  attempts: Attempt[]
  timing: Timing
  answer: (Answer & { httpVersion: string; remoteAddress: string | null; tls: TlsFacts | null }) | null
}

/** Judges where a hop goes, before its name is resolved; throws to refuse it. @returns what judges its connections */
export type CheckHop = (address: Address, headers: readonly Header[]) => Promise<Check>

interface Sending {
  outbound: Outbound
  clock: Clock
  checkHop: CheckHop
  options: Options
  proxy: URL | undefined
  keptBytes: number
  /** Aborted when somebody cancels; the time limit is added here. */
  signal: AbortSignal
}

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Sends a request and follows its redirects as it says. Each hop is judged anew, on a connection of its own.
 *
 * @param sent is filled in, also by what fails
 * @throws RunRefused, RunFailed and what `exchange` throws
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
      const reason = sending.signal.aborted ? sending.signal.reason : timeout.aborted ? tooLate(options, progress, error) : placed(progress, error)
      failure = outcomeOf(reason)?.reason
      throw reason
    } finally {
      hop.address = progress.address
      hop.status = progress.status
      const during = { startedAt, endedAt: clock.now() }
      sent.attempts.push(...contactsOf(progress, hop, proxy, failure).map((contact) => ({ ...contact, ...during })))
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
  return new RunFailed(isAtProxy ? `${late}: the proxy ${proxied.isAsked ? 'had opened no connection' : 'was not reached'} by then` : late, { cause })
}

/** What fails once a proxy has opened the way is not the proxy's fault. */
const placed = ({ proxied, address }: Progress, error: unknown): unknown => (proxied && address !== null ? new BehindProxyError(error) : error)

const contactsOf = (progress: Progress, hop: Hop, proxy: URL | undefined, failure: string | undefined): Omit<Attempt, 'startedAt' | 'endedAt'>[] => {
  const { proxied, tried, sourceAddress } = progress
  const note = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join('; ') || null
  if (!proxied || !proxy) {
    if (hop.address !== null) return [{ url: hop.url, addresses: [hop.address], sourceAddress, note: note(failure) }]
    return tried.length > 0 ? [{ url: hop.url, addresses: tried, sourceAddress: undefined, note: note(failure) }] : []
  }
  const { addresses, target, isAsked } = proxied
  const toProxy = { url: proxy.href, addresses, sourceAddress: proxied.sourceAddress, note: note(`the proxy for ${target}`, failure) }
  const places = addresses.map((address) => placeOf(address, proxyPort(proxy))).join(', ')
  const behind = { url: hop.url, addresses: [target], sourceAddress: null, note: note(`through the proxy ${places}`, failure) }
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

/** Where a redirect is followed to; undefined where the answer itself is what was asked for. */
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

/** As browsers do (Fetch, "HTTP-redirect fetch"). */
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
