import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlainProxy {
  origin: string
  close(): Promise<void>
}

/**
 * A reverse proxy like `location / { proxy_pass http://127.0.0.1:PORT; }` of nginx: it connects from loopback, sends
 * the address of the server as `Host`, and no header about the client.
 */
export const plainProxy = async (target: string): Promise<PlainProxy> => {
  const { host } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { connection: _, 'keep-alive': __, ...headers } = incoming.headers
    const passed = request(
      target + (incoming.url ?? '/'),
      { method: incoming.method ?? 'GET', headers: { ...headers, host }, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
