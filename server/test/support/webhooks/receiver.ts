import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate } from '../network/tls-side.ts'

/** A request that a receiver got. */
export interface Received {
  id: string
  headers: IncomingHttpHeaders
  body: string
  /** Parsed. */
  message: { type: string; timestamp: string; data: Record<string, unknown> }
}

interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A receiver of outgoing webhooks on a loopback port. */
export interface Receiver {
  url: string
  port: number
  /** Connections so far. */
  connections: number
  received: Received[]
  /** Decides the answer to each request; by default 204. Undefined: never answers. */
  answer(request: Received, count: number): Reply | undefined
  /** Writes an answer by itself; the function above is not asked then. */
  write?: (response: ServerResponse) => void
  close(): Promise<void>
}

/** @param options `name`: with TLS, and a certificate that the authority of the fixtures issued */
export const openReceiver = async ({ name }: { name?: 'target.example.com' } = {}): Promise<Receiver> => {
  const hear = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const got = {
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        body,
        message: JSON.parse(body),
      }
      receiver.received.push(got)
      if (receiver.write) return receiver.write(response)
      const reply = receiver.answer(got, receiver.received.length)
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  }
  const server = name === undefined ? createServer(hear) : createTlsServer(certificate('trusted'), hear)
  server.on('connection', () => receiver.connections++)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: name === undefined ? `http://127.0.0.1:${port}/hook` : `https://${name}:${port}/hook`,
    port,
    connections: 0,
    received: [],
    answer: () => ({ status: 204 }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
