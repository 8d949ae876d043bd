import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  received: Received[]
  /** Decides the answer to each request; by default 204. Undefined: never answers. */
  answer(request: Received, count: number): Reply | undefined
  close(): Promise<void>
}

export const openReceiver = async (): Promise<Receiver> => {
  const server = createServer((request, response) => {
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
      const reply = receiver.answer(got, receiver.received.length)
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
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
