import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const HEALTH_INTERVAL_MS = 200

export interface Balancer {
  origin: string
  /** Servers that currently get requests. */
  healthy(): string[]
  close(): Promise<void>
}

/**
 * A load balancer with the usual behaviour: checks the health of each server and distributes requests over the healthy
 * ones, through persistent connections. It never repeats a request, so that every lost one is visible.
 */
export const startBalancer = async (origins: readonly string[]): Promise<Balancer> => {
  const agents = new Map(origins.map((origin) => [origin, new Agent({ keepAlive: true })]))
  const healthy = new Set<string>()
  const check = (origin: string) => {
    const probe = request(`${origin}/api/health`, { agent: false, timeout: 5_000 }, (response) => {
      response.resume()
      if (response.statusCode === 200) healthy.add(origin)
      else healthy.delete(origin)
    })
    probe.once('error', () => healthy.delete(origin))
    probe.end()
  }
  const timer = setInterval(() => origins.forEach(check), HEALTH_INTERVAL_MS)
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const targets = [...healthy].sort()
    const origin = targets[turn++ % targets.length]
    if (origin === undefined) refuse(outgoing, 'no server is well')
    else pass(incoming, outgoing, origin, agents.get(origin) as Agent)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    healthy: () => [...healthy],
    close: async () => {
      clearInterval(timer)
      for (const agent of agents.values()) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const pass = (incoming: IncomingMessage, outgoing: ServerResponse, origin: string, agent: Agent): void => {
  const { connection: _, ...headers } = incoming.headers
  const passed = request(
    origin + (incoming.url ?? '/'),
    { method: incoming.method ?? 'GET', headers, agent },
    (response) => {
      const { connection, 'keep-alive': __, ...answered } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, answered)
      response.pipe(outgoing)
      response.once('error', () => outgoing.destroy())
    },
  )
  passed.once('error', (error: NodeJS.ErrnoException) => refuse(outgoing, `${error.code}`))
  incoming.pipe(passed)
}

const refuse = (outgoing: ServerResponse, why: string): void => {
  outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(why)
}
