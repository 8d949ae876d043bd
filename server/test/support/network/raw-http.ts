import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface RawExchange {
  /** Everything that was received. */
  text: string
  /** The responses in it, in order; bodies by `Content-Length` or chunked. */
  responses: RawResponse[]
  /** True if the server closed the connection. */
  closed: boolean
}

/**
 * Sends bytes unchanged over one TCP connection and collects the response until the server closes it or has been silent
 * for `quietMs` after an answer.
 */
export const sendRaw = (
  origin: string,
  bytes: string | Buffer,
  { quietMs = 150, timeoutMs = 5_000, headOnly = false } = {},
): Promise<RawExchange> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connectTo(origin)
    let quiet: NodeJS.Timeout | undefined
    const finish = (closed: boolean) => {
      clearTimeout(quiet)
      clearTimeout(limit)
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      resolve({ text, responses: parseResponses(text, headOnly), closed })
    }
    const limit = setTimeout(() => finish(false), timeoutMs)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      clearTimeout(quiet)
      quiet = setTimeout(() => finish(false), quietMs)
    })
    socket.on('close', () => finish(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
  })

export interface RawConnection {
  /** Sends the pieces one after another, each separately, and collects the response until the server is silent. */
  exchange(...pieces: string[]): Promise<RawResponse[]>
  /** Sends a piece without waiting for an answer. */
  send(piece: string): void
  /** True if data was received since the last exchange started. */
  hasAnswer(): boolean
  isClosed(): boolean
  close(): void
}

const QUIET_MS = 150
const PAUSE_MS = 15

/** One persistent TCP connection for several requests. */
export const openRaw = async (origin: string): Promise<RawConnection> => {
  const socket = connectTo(origin)
  socket.setNoDelay()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let received = ''
  let receivedAt = 0
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    receivedAt = performance.now()
  })
  return {
    exchange: async (...pieces) => {
      received = ''
      receivedAt = performance.now()
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        await sleep(PAUSE_MS)
      }
      while (!socket.closed && (received === '' || performance.now() - receivedAt < QUIET_MS)) await sleep(PAUSE_MS)
      return parseResponses(received, false)
    },
    send: (piece) => void socket.write(piece, 'latin1'),
    hasAnswer: () => received !== '',
    isClosed: () => socket.closed,
    close: () => socket.destroy(),
  }
}

/** The port of an origin; an IPv6 address is in brackets there. */
export const connectTo = (origin: string): net.Socket => {
  const { hostname, port } = new URL(origin)
  return net.connect(Number(port), hostname.replace(/^\[(.*)\]$/, '$1'))
}

/** A request in HTTP/1.1 with these lines; the body's length is declared unless a header does so. */
export const rawRequest = (requestLine: string, headers: readonly string[] = [], body = ''): string => {
  const declares = headers.some((header) => /^(?:content-length|transfer-encoding)/i.test(header))
  const lines = [
    requestLine,
    ...(headers.some((header) => /^host/i.test(header)) ? [] : ['Host: localhost']),
    ...headers,
  ]
  if (body && !declares) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const parseResponses = (text: string, headOnly: boolean): RawResponse[] => {
  const responses: RawResponse[] = []
  let rest = text
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?)\r\n\r\n/.exec(rest)
    if (!head) return responses
    const headers = Object.fromEntries(
      (head[2] as string).split('\r\n').map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    rest = rest.slice(head[0].length)
    const status = Number(head[1])
    const length = headOnly || status < 200 ? 0 : Number(headers['content-length'] ?? 0)
    if (status >= 200) responses.push({ status, headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
}
