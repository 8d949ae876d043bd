import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as the receiver of an executed one got it. */
export interface Received {
  method: string
  url: string
  rawHeaders: string[]
  headers: IncomingMessage['headers']
  body: string
}

/** The receiver of executed requests. */
export interface Receiver {
  origin: string
  port: number
  received: Received[]
  /** Number of connections so far. */
  connections: number
  close(): Promise<void>
}

type Answer = (request: Received, response: ServerResponse) => void

/**
 * An HTTP server on loopback.
 *
 * @param port any free one by default
 */
export const startReceiver = async (answer: Answer, host = '127.0.0.1', port = 0): Promise<Receiver> => {
  const received: Received[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', rawHeaders, headers } = request
    const whole = { method, url, rawHeaders, headers, body: await text(request).catch(() => '') }
    received.push(whole)
    answer(whole, response)
  }
  const server = http.createServer({ maxHeaderSize: 65_536 }, (request, response) => void hear(request, response))
  return listening(server, received, 'http', host, port)
}

/** A TCP server on loopback with a configurable protocol. */
export const startRawReceiver = (onData: (socket: Socket, data: string) => void): Promise<Receiver> => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => onData(socket, data.toString('latin1')))
  })
  return listening(server, [])
}

export const listening = async (
  server: net.Server,
  received: Received[],
  protocol = 'http',
  host = '127.0.0.1',
  port = 0,
): Promise<Receiver> => {
  const sockets = new Set<Socket>()
  const side = { origin: '', port: 0, received, connections: 0, close: async () => undefined as void }
  server.on('connection', (socket) => {
    side.connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  side.port = (server.address() as AddressInfo).port
  side.origin = `${protocol}://${net.isIPv6(host) ? `[${host}]` : host}:${side.port}`
  side.close = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    if (server.listening) await once(server, 'close')
  }
  return side
}
