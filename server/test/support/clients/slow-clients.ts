import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * idle: connects and sends nothing. headers: sends a header line at intervals, and never the last. body: sends a byte
 * of its body at intervals. read: requests much data repeatedly, and reads nothing of the answers.
 */
export type Slowness = 'idle' | 'headers' | 'body' | 'read'

export interface SlowClients {
  /** The number of open connections. */
  open(): number
  /** Milliseconds from its connection to its end, for each that was closed. */
  readonly closedAfterMs: number[]
  end(): void
}

const PAUSE_MS = 1_000
/**
 * They use several loopback addresses, from 127.0.0.2 on: a limit of connections per address would end them otherwise.
 */
const ADDRESSES = 8
/**
 * This many answers of a megabyte exceed the buffers of two systems for a client that does not read: the rest waits in
 * the server.
 */
const PIPELINED = 12
/** One after another: all at once could be refused, and a refusal is small. */
const PIPELINE_PAUSE_MS = 200
/**
 * A client that does not read cannot see an end: after this time it reads, and finds one, or all its data and no end.
 */
const READ_AFTER_MS = 49_000

/**
 * Opens `count` connections to a loopback address that all misbehave in one way, until the server closes them.
 *
 * @param perSecond how many are opened in a second; unlimited by default
 * @param readAfterMs when clients that do not read begin to
 */
export const slowClients = async (
  origin: string,
  slowness: Slowness,
  count: number,
  headers: Record<string, string> = {},
  path = '/',
  perSecond = Number.POSITIVE_INFINITY,
  readAfterMs = READ_AFTER_MS,
): Promise<SlowClients> => {
  const startedAt = performance.now()
  const { hostname, port } = new URL(origin)
  const closedAfterMs: number[] = []
  const sockets = new Set<net.Socket>()
  for (let i = 0; i < count; i++) {
    const socket = net.connect({
      port: Number(port),
      host: hostname,
      ...(hostname === '127.0.0.1' && { localAddress: `127.0.0.${2 + (i % ADDRESSES)}` }),
    })
    const since = performance.now()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      closedAfterMs.push(performance.now() - since)
    })
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    sockets.add(socket)
    void behave(socket, slowness, { host: 'localhost', ...headers }, path, readAfterMs)
    const early = startedAt + (i * 1000) / perSecond - performance.now()
    if (early > 0) await sleep(early)
  }
  return {
    open: () => sockets.size,
    closedAfterMs,
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const behave = async (
  socket: net.Socket,
  slowness: Slowness,
  headers: Record<string, string>,
  path: string,
  readAfterMs: number,
): Promise<void> => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = (method: string) => `${method} ${path} HTTP/1.1\r\n${lines.join('')}`
  if (slowness === 'read') {
    socket.pause()
    setTimeout(() => socket.resume(), readAfterMs).unref()
    for (let i = 0; i < PIPELINED && socket.writable; i++) {
      socket.write(`${head('GET')}\r\n`)
      await sleep(PIPELINE_PAUSE_MS)
    }
    return
  }
  // An unread end is not noticed.
  socket.resume()
  if (slowness === 'idle') return
  socket.write(
    slowness === 'headers'
      ? head('GET')
      : `${head('POST')}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
  )
  for (let i = 0; !socket.destroyed; i++) {
    await sleep(PAUSE_MS)
    if (socket.writable) socket.write(slowness === 'headers' ? `x-${i}: 1\r\n` : ' ')
  }
}
