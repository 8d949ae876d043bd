import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../log.ts'
import { addressBucket, trustedBy } from '../server/address.ts'
import { freeDescriptors } from './descriptors.ts'

/**
 * Connections of all clients together. The system queues as many more, for example when all clients of a server
 * reconnect at once.
 */
export const MAX_CONNECTIONS = 4_000
/** Requests of one connection without a complete answer (S27). Browsers and proxies send only one. */
const MAX_UNFINISHED_REQUESTS = 32
/**
 * An address that sends more loses all its connections for this long. Node creates objects for everything that has
 * arrived before the server can stop it, 1,400 requests per connection: closing one connection at a time would let a
 * few hundred connections fill the memory.
 */
const PIPELINING_PENALTY_MS = 5_000
/** Bytes of the request heads that wait for an earlier answer, per connection. */
const MAX_WAITING_HEAD_BYTES = 32_768
/** Descriptors reserved for files, threads and the database (S31). */
const RESERVED_DESCRIPTORS = 100
/** The value that Node announces to clients. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** Between two requests. Unlike Node's own limit, bytes that are not a request do not extend it (S35). */
const IDLE_DEADLINE_MS = KEEP_ALIVE_TIMEOUT_MS + 5_000
/** From the first byte of an answer to its last. */
const ANSWER_DEADLINE_MS = 60_000
/** Deadline for a file or an export: a gigabyte on a slow line takes hours. */
export const DOWNLOAD_DEADLINE_MS = 6 * 60 * 60 * 1000
const CHECK_MS = 1_000
/** The log has at most one line about refused connections in this time. */
const LOG_PAUSE_MS = 60_000

/** Reasons for which the server closes a connection. */
export const CLOSE_REASONS = [
  'too many of one address',
  'too many',
  'no descriptors',
  'idle',
  'pipelining',
  'deadline',
] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

interface Connection {
  readonly socket: Socket
  /** Undefined for a trusted proxy, which carries many clients. */
  readonly bucket: string | undefined
  /** Requests without a complete answer, including the current one. */
  unfinished: number
  /** Requests that wait for an earlier answer. */
  readonly waiting: [IncomingMessage, ServerResponse][]
  waitingHeadBytes: number
  answer: ServerResponse | undefined
  /** Start of the deadline, in milliseconds on the monotonic clock. */
  since: number
  answerDeadlineMs: number
}

export interface ConnectionOptions {
  log: Logger
  perAddress: number
  trustedProxies: readonly string[] | undefined
  /** Called for each connection that the server closes before the client does. */
  onClosed(reason: CloseReason): void
}

/** The connections of a process. */
export interface Connections {
  /** Maximum number of connections; tests lower it. */
  max: number
  count(): number
  /** Counts connections with a request that has no complete answer. */
  countBusy(): number
  /** Sets the deadline for the answer to this request. */
  limitAnswer(request: IncomingMessage, deadlineMs: number): void
}

/**
 * Creates an HTTP server that bounds its connections in total and per address, listens for the errors of each, answers
 * one request at a time per connection, and sets deadlines that arriving bytes do not extend (findings S25 to S27, S29,
 * S30, S35).
 *
 * @param handle called for a request once the earlier answers on its connection are complete
 */
export const createBoundedServer = (
  handle: RequestListener,
  httpOptions: ServerOptions,
  options: ConnectionOptions,
): [Server, Connections] => {
  const { log, perAddress } = options
  const isTrusted = trustedBy(options.trustedProxies ?? [])
  const open = new Map<Socket, Connection>()
  const perBucket = new Map<string, number>()
  /** When addresses that pipelined too much are accepted again, on the monotonic clock. */
  const refusedUntil = new Map<string, number>()
  let maxByDescriptors = Number.POSITIVE_INFINITY
  const noteClosed = closeNotes(log, options.onClosed)

  const close = ({ socket }: Connection, reason: CloseReason) => {
    noteClosed(reason)
    socket.destroy()
  }

  const reasonToRefuse = (bucket: string | undefined): CloseReason | undefined => {
    if (bucket !== undefined && refusedUntil.has(bucket)) return 'pipelining'
    if (bucket !== undefined && (perBucket.get(bucket) ?? 0) >= perAddress) return 'too many of one address'
    if (open.size >= maxByDescriptors) return closeIdleOfBusiest() > 0 ? undefined : 'no descriptors'
    if (open.size >= connections.max) return closeIdleOfBusiest() > 0 ? undefined : 'too many'
    return undefined
  }

  /**
   * @returns how many connections were closed: all idle ones of the address with the most connections and an idle one
   */
  const closeIdleOfBusiest = (): number => {
    const idleOf = new Map<string, Connection[]>()
    for (const connection of open.values()) {
      const { bucket, unfinished, socket } = connection
      if (bucket === undefined || unfinished > 0 || socket.destroyed) continue
      const others = idleOf.get(bucket)
      if (others) others.push(connection)
      else idleOf.set(bucket, [connection])
    }
    const [busiest] = [...idleOf].toSorted(([a], [b]) => (perBucket.get(b) ?? 0) - (perBucket.get(a) ?? 0))
    for (const connection of busiest?.[1] ?? []) {
      forget(connection)
      close(connection, 'idle')
    }
    return busiest?.[1].length ?? 0
  }

  const closeForPipelining = (connection: Connection) => {
    const { bucket } = connection
    close(connection, 'pipelining')
    if (bucket === undefined) return
    refusedUntil.set(bucket, performance.now() + PIPELINING_PENALTY_MS)
    for (const other of open.values())
      if (other.bucket === bucket && !other.socket.destroyed) close(other, 'pipelining')
  }

  const forget = (connection: Connection) => {
    if (!open.delete(connection.socket) || connection.bucket === undefined) return
    const left = (perBucket.get(connection.bucket) ?? 0) - 1
    if (left > 0) perBucket.set(connection.bucket, left)
    else perBucket.delete(connection.bucket)
  }

  const answerNext = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.answer = response
    connection.answerDeadlineMs = ANSWER_DEADLINE_MS
    connection.since = Number.POSITIVE_INFINITY
    response.once('close', () => {
      connection.answer = undefined
      connection.unfinished--
      connection.since = performance.now()
      // Lets other connections run in between.
      if (connection.waiting.length > 0) setImmediate(answerWaiting, connection)
    })
    handle(request, response)
  }

  const answerWaiting = (connection: Connection) => {
    const next = connection.waiting.shift()
    if (!next || connection.socket.destroyed) return
    connection.waitingHeadBytes -= headBytes(next[0])
    answerNext(connection, ...next)
  }

  const server = http.createServer(httpOptions, (request, response) => {
    const connection = open.get(request.socket)
    // Requests that arrived in the same packet as the one that closed the connection.
    if (!connection || request.socket.destroyed) return
    connection.unfinished++
    if (connection.unfinished === 1) return answerNext(connection, request, response)
    connection.waitingHeadBytes += headBytes(request)
    if (connection.unfinished > MAX_UNFINISHED_REQUESTS || connection.waitingHeadBytes > MAX_WAITING_HEAD_BYTES)
      return closeForPipelining(connection)
    connection.waiting.push([request, response])
  })

  server.on('connection', (socket: Socket) => {
    // Node removes its own listener when a client sends CONNECT.
    socket.on('error', () => socket.destroy())
    const { remoteAddress = '' } = socket
    const bucket = isTrusted(remoteAddress) ? undefined : addressBucket(remoteAddress)
    const connection: Connection = {
      socket,
      bucket,
      unfinished: 0,
      waiting: [],
      waitingHeadBytes: 0,
      answer: undefined,
      since: performance.now(),
      answerDeadlineMs: ANSWER_DEADLINE_MS,
    }
    const reason = reasonToRefuse(bucket)
    if (reason) return close(connection, reason)
    open.set(socket, connection)
    if (bucket !== undefined) perBucket.set(bucket, (perBucket.get(bucket) ?? 0) + 1)
    socket.once('close', () => {
      connection.waiting.length = 0
      forget(connection)
    })
  })
  // A connection that cannot be accepted affects only its client; without a listener it would end the process.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (server.listening) log.warn({ err: error }, 'a connection could not be accepted')
  })

  const check = setInterval(() => {
    const now = performance.now()
    for (const connection of open.values()) {
      const { answer, since } = connection
      if (answer && since === Number.POSITIVE_INFINITY && answer.headersSent) connection.since = now
      const deadlineMs = answer ? connection.answerDeadlineMs : IDLE_DEADLINE_MS
      if (now - since > deadlineMs) close(connection, 'deadline')
    }
    for (const [bucket, until] of refusedUntil) if (now > until) refusedUntil.delete(bucket)
    maxByDescriptors = open.size + freeDescriptors() - RESERVED_DESCRIPTORS
  }, CHECK_MS).unref()
  server.once('close', () => clearInterval(check))

  const connections: Connections = {
    max: MAX_CONNECTIONS,
    count: () => open.size,
    countBusy: () => [...open.values()].filter(({ unfinished }) => unfinished > 0).length,
    limitAnswer: ({ socket }, deadlineMs) => {
      const connection = open.get(socket)
      if (connection) connection.answerDeadlineMs = deadlineMs
    },
  }
  return [server, connections]
}

/** Names and values as they were sent, without separators. */
const headBytes = ({ url = '', rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length, url.length)

/** Counts each closed connection; the log has one line a minute with the counts. */
const closeNotes = (log: Logger, onClosed: (reason: CloseReason) => void) => {
  const counts = new Map<CloseReason, number>()
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    timer = undefined
    log.warn({ closed: Object.fromEntries(counts) }, 'connections were closed: limits of connections were reached')
    counts.clear()
  }
  return (reason: CloseReason) => {
    onClosed(reason)
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
    timer ??= setTimeout(write, LOG_PAUSE_MS).unref()
  }
}
