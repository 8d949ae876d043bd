import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request as often as its weight says, among the others of the mix. */
export interface MixedRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  /** Beside those of all. */
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  weight: number
}

export interface OpenLoad {
  origin: string
  headers: Record<string, string>
  mix: MixedRequest[]
  /** Requests per second that are sent whatever comes back; undefined: as many as the connections can take. */
  rate?: number
  seconds: number
  /** Opened beforehand, as by clients that keep theirs; more requests than that at once wait here, and their time runs. */
  connections: number
  /** What is due while no connection is free is not sent instead, and counts as `unsent`. */
  skipsWhenBusy?: boolean
}

export interface Latencies {
  count: number
  p50: number
  p99: number
  max: number
}

export interface OpenResult {
  /** Requests that were due. */
  due: number
  /** Of these, those for which no connection was free, where such are skipped. */
  unsent: number
  /** 2xx. */
  good: Latencies
  goodPerSecond: number
  /** 429 or 503 that say when to come again. */
  refused: Latencies
  /** Any other answer, by status; `0`: none came. */
  other: Record<string, number>
}

/** As Node writes it. */
const CLOSES = '\r\nConnection: close\r\n'
/** Before a connection that the server ended is opened again. */
const RECONNECT_AFTER_MS = 10
/** Waiting for the last answers. */
const DRAIN_MS = 5_000

interface Connection {
  socket: net.Socket
  dueAt: number | undefined
  /** The beginning of the answer, as far as it has arrived. */
  head: string
  received: number
  /** Bytes of the whole answer; undefined until its headers are there. */
  length: number | undefined
}

/**
 * Sends requests at their time, whether or not earlier ones were answered, and counts each latency from the moment at
 * which it was due: a server that stalls is not spared the requests of that time.
 */
export const openLoop = async ({ origin, headers, mix, rate, seconds, connections: wanted, skipsWhenBusy = false }: OpenLoad): Promise<OpenResult> => {
  const { hostname, port } = new URL(origin)
  const requests = mix.flatMap((request) => Array.from({ length: request.weight }, () => bytesOf(request, headers)))
  const good: number[] = []
  const refused: number[] = []
  const other: Record<string, number> = {}
  const waiting: number[] = []
  const idle: Connection[] = []
  const sockets = new Set<Connection>()
  let due = 0
  let next = 0
  let taken = 0
  let skipped = 0
  let ended = false

  const countOther = (status: number) => {
    other[status] = (other[status] ?? 0) + 1
  }
  const send = (connection: Connection, dueAt: number) => {
    connection.dueAt = dueAt
    connection.socket.write(requests[next++ % requests.length] as Buffer)
  }
  const nextDue = (): number | undefined => {
    if (rate === undefined) {
      if (ended) return undefined
      due++
      return performance.now()
    }
    return taken < waiting.length ? waiting[taken++] : undefined
  }
  const free = (connection: Connection) => {
    const dueAt = nextDue()
    if (dueAt === undefined) idle.push(connection)
    else send(connection, dueAt)
  }
  const receive = (connection: Connection, chunk: Buffer) => {
    // Not asked for: the server closes what was idle for too long.
    if (connection.dueAt === undefined) return void connection.socket.destroy()
    connection.received += chunk.length
    if (connection.length === undefined) {
      connection.head += chunk.toString('latin1', 0, HEAD_BYTES)
      connection.length = lengthOf(connection.head)
    }
    if (connection.length === undefined || connection.received < connection.length) return
    const ms = performance.now() - connection.dueAt
    const { head } = connection
    const status = Number(head.slice(9, 12))
    const isRefusal = (status === 503 || status === 429) && /\r\nretry-after: \d/i.test(head)
    if (status >= 200 && status < 300) good.push(ms)
    else if (isRefusal) refused.push(ms)
    else countOther(status)
    connection.head = ''
    connection.received = 0
    connection.length = undefined
    connection.dueAt = undefined
    if (!head.includes(CLOSES)) free(connection)
  }
  const connect = async () => {
    const connection: Connection = { socket: net.connect(Number(port), hostname), dueAt: undefined, head: '', received: 0, length: undefined }
    sockets.add(connection)
    connection.socket.setNoDelay()
    connection.socket.on('data', (chunk) => receive(connection, chunk))
    connection.socket.on('error', () => undefined)
    connection.socket.on('close', () => {
      sockets.delete(connection)
      if (connection.dueAt !== undefined) countOther(0)
      const place = idle.indexOf(connection)
      if (place >= 0) idle.splice(place, 1)
      if (!ended) void reconnect()
    })
    await once(connection.socket, 'connect')
    return connection
  }
  /** What the server ended is opened anew, as clients do. */
  const reconnect = async () => {
    await sleep(RECONNECT_AFTER_MS)
    const connection = await connect().catch(() => undefined)
    if (connection) free(connection)
  }

  while (sockets.size < wanted) await connect()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  for (const connection of sockets) free(connection)
  for (let now = startedAt; now < endsAt; now = performance.now()) {
    if (rate !== undefined) {
      for (const total = Math.floor(((now - startedAt) / 1000) * rate) + 1; due < total; due++) waiting.push(startedAt + (due / rate) * 1000)
      while (taken < waiting.length && idle.length > 0) send(idle.shift() as Connection, waiting[taken++] as number)
      if (skipsWhenBusy) {
        skipped += waiting.length - taken
        taken = waiting.length
      }
    }
    await nap()
  }
  ended = true
  const isOpen = () => [...sockets].some(({ dueAt }) => dueAt !== undefined) || taken < waiting.length
  for (const deadline = performance.now() + DRAIN_MS; isOpen() && performance.now() < deadline; ) await sleep(5)
  for (const { socket } of sockets) socket.destroy()
  const unsent = waiting.length - taken
  if (unsent > 0) other[0] = (other[0] ?? 0) + unsent
  await sleep(20)
  return { due, unsent: skipped, good: latencies(good), goodPerSecond: good.length / seconds, refused: latencies(refused), other }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * Sleeps for a millisecond, deaf to its sockets, and then hears them all. Whoever waits in `epoll` is woken by each answer,
 * and between two virtual cores the waking costs the one who answers several microseconds, which no client elsewhere would
 * cost it.
 */
const nap = async (): Promise<void> => {
  Atomics.wait(sleeper, 0, 0, 1)
  await new Promise((resolve) => setImmediate(resolve))
}

const bytesOf = ({ method, path, body, headers: own }: MixedRequest, headers: Record<string, string>): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = { host: 'localhost', ...headers, ...own, ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** As much of a chunk as may belong to the headers. */
const HEAD_BYTES = 2_048

/** Length of the whole answer, once its headers are there. */
const lengthOf = (received: string): number | undefined => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  return end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
}

const latencies = (values: number[]): Latencies => {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}
