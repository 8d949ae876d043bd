import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { eventually } from '../app/server-process.ts'
import type { TestClient } from '../app/test-client.ts'

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
      const got = { id: String(request.headers['webhook-id']), headers: request.headers, body, message: JSON.parse(body) }
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

/** Creates an endpoint. @returns it, with its secret */
export const endpointOf = async (client: TestClient, prefix: string, wanted: object) => {
  const made = await client.post(`${prefix}/webhook-endpoints`, { name: 'Receiver', ...wanted })
  expect(made.status, made.text).toBe(201)
  return made.body.data as { id: string; secret: string; updatedAt: string }
}

/** Waits until an endpoint has this many deliveries in a state. @returns them, the oldest first */
export const deliveriesOf = async (
  client: TestClient,
  endpointId: string,
  { state, count }: { state: string; count: number },
) =>
  eventually(async () => {
    const { body } = await client.get(
      `/api/web/webhook-deliveries?endpointId=${endpointId}&state=${state}&perPage=100&order=asc`,
    )
    expect(body.data.length).toBe(count)
    return body.data as {
      id: string
      event: string
      state: string
      attempts: { at: string; status: number | null; durationMs: number; answer: string | null; error: string | null }[]
      nextAttemptAt: string | null
    }[]
  })
