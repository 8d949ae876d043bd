import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { overloaded, type Shed } from '../errors.ts'
import type { Overload } from './overload.ts'

const ALWAYS_SERVED = new Set(['/api/health', '/api/health/live', '/metrics'])

/** What the headers of a refusal depend on. */
export interface Asked {
  url: string
  origin: string | undefined
  address: string
}

/** A refusal but for the id of its request. */
interface Written {
  before: string
  after: string
}

/** So long the headers of refusals to one client stay as they are, in milliseconds: their clocks count seconds. */
const SAME_FOR_MS = 100
/** Connections that are opened within so long of a refusal are looked at from their first byte on. */
const REFUSING_FOR_MS = 5_000
/**
 * On a connection this old the parser reads one request at least: one on which it has seen none is ended as one that says
 * nothing (`headersTimeout`), however many were refused before it.
 */
const UNREAD_FOR_MS = 2_000
/** As much of a path as says whether it belongs to a version of the API. */
const VERSION_PREFIX = '/api/v1/'.length

/** Whether a request is answered however much there is to do: whoever watches the server wants to know then most. */
export const isAlwaysServed = (url: string | undefined): boolean => url !== undefined && ALWAYS_SERVED.has(url)

/**
 * Refuses what is too much before anything else is done for it: at ten times the load that can be served, most of the work
 * is refusing. Where what arrives is plainly one whole request, it is refused as the bytes that it is, which costs half of
 * what reading it as HTTP does; anything else is read first and refused then. What comes by another address of `localhost`
 * than the first has its own listener, and is refused later.
 *
 * Looking at the bytes costs each request something, so a connection is looked at from its first refusal on; one on which
 * nothing has arrived yet, from the first refusal of any.
 */
export const refuseEarly = (server: Server, overload: Overload, headersOf: (asked: Asked) => Record<string, string>, keepAliveMs: number): void => {
  const error = overloaded('requests under way')
  const body = JSON.stringify(error.body)
  const fixed = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'retry-after': String(error.retryAfterSeconds),
  }
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n`
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n${body}`
  const written = new Map<string, Written>()
  let writtenUntil = 0
  const bytesFor = (asked: Asked) => {
    const now = performance.now()
    if (now > writtenUntil) {
      written.clear()
      writtenUntil = now + SAME_FOR_MS
    }
    const key = `${asked.address} ${asked.url.slice(0, VERSION_PREFIX)} ${asked.origin}`
    let same = written.get(key)
    if (!same) {
      const headers = Object.entries({ ...headersOf(asked), ...fixed, date: new Date().toUTCString() }).map(([name, value]) => `${name}: ${value}\r\n`)
      same = { before: `${status}${headers.join('')}x-request-id: `, after: `\r\n${kept}` }
      written.set(key, same)
    }
    return same.before + randomUUID() + same.after
  }
  let refusedAt = Number.NEGATIVE_INFINITY
  const noteRefusal = (reason: Shed) => {
    overload.refused(reason)
    refusedAt = performance.now()
    for (const [socket, since] of unused) if (socket.bytesRead === 0) watch(socket, since)
    unused.clear()
  }
  const refuse = (request: IncomingMessage, response: ServerResponse, reason: Shed) => {
    noteRefusal(reason)
    const { url = '', headers, socket } = request
    const asked = { url, origin: headers.origin, address: socket.remoteAddress ?? '' }
    response.writeHead(error.status, { ...headersOf(asked), ...fixed, 'x-request-id': randomUUID() })
    if (!watched.has(socket)) response.once('finish', () => watch(socket))
    response.end(body)
  }

  const watched = new WeakMap<Socket, Watched>()
  /** @param unusedSince when it was opened, for one on which nothing has arrived yet */
  const watch = (socket: Socket, unusedSince?: number) => {
    const parse = socket.listeners('data')[0] as ((chunk: Buffer) => void) | undefined
    if (!parse || watched.has(socket)) return
    const readsFrom = (unusedSince ?? Number.POSITIVE_INFINITY) + UNREAD_FOR_MS
    const state: Watched = { isBetween: unusedSince !== undefined, readsFrom, unanswered: 0, last: undefined }
    watched.set(socket, state)
    socket.removeListener('data', parse)
    socket.on('data', (chunk: Buffer) => {
      const isRead = performance.now() >= state.readsFrom
      const asked = state.isBetween && state.unanswered === 0 && !isRead ? wholeRequest(chunk) : undefined
      if (asked && socket.writable && socket.writableLength === 0 && !isAlwaysServed(asked.url)) {
        const reason = overload.refusal()
        if (reason) {
          noteRefusal(reason)
          socket.write(bytesFor({ ...asked, address: socket.remoteAddress ?? '' }), 'latin1')
          return
        }
      }
      parse.call(socket, chunk)
      state.readsFrom = Number.POSITIVE_INFINITY
      state.isBetween = asked !== undefined || (state.last !== undefined && endsWithHead(chunk, state.last))
      state.last = undefined
    })
  }
  /** Nothing has arrived on them yet: where their first byte will be is where a request begins. */
  const unused = new Map<Socket, number>()
  server.on('connection', (socket) => {
    const now = performance.now()
    if (now - refusedAt < REFUSING_FOR_MS) return watch(socket, now)
    unused.set(socket, now)
    socket.once('close', () => unused.delete(socket))
  })
  // The connection is no longer read as HTTP.
  server.prependListener('connect', (_request, socket) => socket.removeAllListeners('data'))

  const serve = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    unused.delete(request.socket)
    const state = watched.get(request.socket)
    if (state) {
      state.last = request
      state.unanswered++
      response.once('finish', () => state.unanswered--)
    }
    const reason = isAlwaysServed(request.url) ? undefined : overload.refusal()
    if (reason) refuse(request, response, reason)
    else for (const listener of serve) listener(request, response)
  })
}

/** A connection whose bytes are looked at before they are parsed. */
interface Watched {
  /** The parser has read all of some request and nothing of another: the next byte begins one. */
  isBetween: boolean
  /** From when on the parser reads what arrives, so that it reads something of this connection. */
  readsFrom: number
  /** Requests that were read and not answered yet. */
  unanswered: number
  /** The last request whose head ended within the chunk that is being parsed. */
  last: IncomingMessage | undefined
}

const REQUEST_LINE = /^(?:GET|POST|PUT|PATCH|DELETE) (\/[^ ]*) HTTP\/1\.1\r\n/
const END_OF_HEAD = '\r\n\r\n'
const END_OF_LINE = 2

/**
 * Whether a chunk ends where a request ends: with the end of a head, which no head follows within it, of a request that has
 * no body.
 */
const endsWithHead = (chunk: Buffer, { headers }: IncomingMessage): boolean =>
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  chunk.toString('latin1', chunk.length - END_OF_HEAD.length) === END_OF_HEAD

/**
 * What was asked, where the bytes are exactly one request whose end is beyond doubt: by HTTP/1.1, with no body or one whose
 * length is said once, on a connection that stays open. Undefined for all else: doubt about where a request ends is how
 * one is smuggled into another.
 */
const wholeRequest = (chunk: Buffer): { url: string; origin: string | undefined } | undefined => {
  const end = chunk.indexOf(END_OF_HEAD, 0, 'latin1')
  if (end < 0) return undefined
  const head = chunk.toString('latin1', 0, end + END_OF_LINE)
  const url = REQUEST_LINE.exec(head)?.[1]
  if (url === undefined) return undefined
  const lower = head.toLowerCase()
  if (lower.includes('transfer-encoding') || lower.includes('upgrade') || lower.includes('\r\nexpect')) return undefined
  if (lower.includes('\r\nconnection') && !lower.includes('\r\nconnection: keep-alive\r\n')) return undefined
  if (chunk.length !== end + END_OF_HEAD.length + bodyLength(lower)) return undefined
  return { url, origin: lower.includes('\r\norigin') ? /\r\norigin: ([^\r]*)\r\n/i.exec(head)?.[1] : undefined }
}

/** Bytes of the body that a head in lower case declares; NaN where it says so in an unusual way, or more than once. */
const bodyLength = (head: string): number => {
  const at = head.indexOf('content-length')
  if (at < 0) return 0
  if (head.includes('content-length', at + 1)) return Number.NaN
  return Number(/\r\ncontent-length: (\d{1,9})\r\n/.exec(head)?.[1] ?? Number.NaN)
}
