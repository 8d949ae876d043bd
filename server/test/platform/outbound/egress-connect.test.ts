import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Dispatcher, request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UnresolvedError } from '../../../src/platform/outbound/names.ts'
import {
  createOutbound,
  EgressRefusedError,
  type Outbound,
  type OutboundSettings,
} from '../../../src/platform/outbound/outbound.ts'
import { ALWAYS_LIVE } from '../../support/clients/always-live.ts'
import { DnsServer } from '../../support/network/dns-server.ts'

const NAME = 'target.example.com'
const CONNECT_TIMEOUT_MS = 30_000

let dns: DnsServer
let closing: (() => unknown)[]

beforeEach(async () => {
  dns = await DnsServer.start()
  closing = [() => dns.stop()]
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
})

const listenOn = async (server: Server, address: string, port = 0): Promise<number> => {
  server.listen(port, address)
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Counts connections, and ends them. */
const canary = async (address: string, port = 0) => {
  const found = { connections: 0, port: 0 }
  const server = createServer((socket) => {
    found.connections++
    socket.on('error', () => undefined).end()
  })
  found.port = await listenOn(server, address, port)
  return found
}

/** The caller has no rules. */
const permitted = () => undefined

const outboundWith = (EGRESS_ALLOW: string[], more: Partial<OutboundSettings> = {}): Outbound =>
  createOutbound(
    {
      PORT: 1,
      METRICS_PORT: undefined,
      FRONTEND_URL: 'https://sortie.example.com',
      ALLOWED_HOSTS: undefined,
      DATABASE_URL: undefined,
      REDIS_URL: undefined,
      SMTP_URL: undefined,
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      DNS_SERVERS: [dns.address],
      EGRESS_ALLOW,
      EGRESS_DENY: undefined,
      ...more,
    },
    ALWAYS_LIVE,
  )

/** The A records of each query in order, the last one repeated; no IPv6. */
const answering = (...answers: string[][]) => {
  let questions = 0
  dns.addresses.set(NAME, (type) =>
    type === 'A' ? (answers[Math.min(questions++, answers.length - 1)] as string[]) : [],
  )
}

const agentOf = (outbound: Outbound, options: Partial<Parameters<Outbound['createHttpAgent']>[0]> = {}) => {
  const agent = outbound.createHttpAgent({ connectTimeoutMs: CONNECT_TIMEOUT_MS, check: permitted, ...options })
  closing.push(() => agent.close())
  return agent
}

const get = async (dispatcher: Dispatcher, url: string) => {
  const { statusCode, headers, body } = await request(url, { dispatcher })
  return { statusCode, headers, text: await body.text() }
}

describe('a name', () => {
  test('whose name server is silent is given up with the signal, and not when the name server had its time', async () => {
    dns.silent.add(NAME)
    const outbound = outboundWith(['127.0.0.1'])
    const reason = new Error('no longer wanted')
    const controller = new AbortController()
    const connecting = outbound.connect({ check: permitted, host: NAME, port: 1, signal: controller.signal })
    const asking = get(agentOf(outbound, { signal: controller.signal }), `http://${NAME}/`)
    const failures = Promise.all([connecting, asking].map((work) => work.catch((error: unknown) => error)))
    await expect.poll(() => dns.asked.length).toBeGreaterThanOrEqual(2)
    controller.abort(reason)
    // A silent name server ends as UnresolvedError.
    expect(await failures).toEqual([reason, reason])
  })

  test(
    'X2: that answers with another address each time is connected to at the address that was judged, in 1,000 rounds',
    { timeout: 120_000 },
    async () => {
      const good = await canary('127.0.0.1')
      const bad = await canary('127.0.0.2', good.port)
      const outbound = outboundWith([`127.0.0.1:${good.port}`])
      let questions = 0
      dns.addresses.set(NAME, (type) => (type === 'A' ? [questions++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2'] : []))
      let [connected, refused] = [0, 0]
      for (let round = 0; round < 1_000; round++) {
        try {
          const socket = await outbound.connect({ check: permitted, host: NAME, port: good.port })
          expect(socket.remoteAddress).toBe('127.0.0.1')
          socket.destroy()
          connected++
        } catch (error) {
          if (!(error instanceof EgressRefusedError)) throw error
          refused++
        }
      }
      expect({ connected, refused, bad: bad.connections }).toEqual({ connected: 500, refused: 500, bad: 0 })
      expect(questions).toBe(1_000)
    },
  )

  test('X2: that resolves differently at the second query is queried once by an HTTP request', async () => {
    const server = createHttpServer((incoming, response) =>
      response.setHeader('connection', 'close').end(incoming.headers.host),
    )
    const port = await listenOn(server, '127.0.0.1')
    const bad = await canary('127.0.0.2', port)
    answering(['127.0.0.1'], ['127.0.0.2'])
    const agent = agentOf(outboundWith([`127.0.0.1:${port}`]))
    expect(await get(agent, `http://${NAME}:${port}/`)).toMatchObject({ statusCode: 200, text: `${NAME}:${port}` })
    expect(dns.asked).toEqual([NAME, NAME])
    await expect(get(agent, `http://${NAME}:${port}/`)).rejects.toThrow(EgressRefusedError)
    expect(bad.connections).toBe(0)
  })

  test('X2: with one refused address among its answers, of either family, is refused completely', async () => {
    const { port } = await canary('127.0.0.1')
    const outbound = outboundWith([`127.0.0.1:${port}`])
    for (const others of [['127.0.0.2'], ['::1'], ['fd00:ec2::254'], ['::ffff:10.0.0.5']]) {
      const all = ['127.0.0.1', ...others]
      dns.addresses.set(NAME, (type) => all.filter((address) => address.includes(':') === (type === 'AAAA')))
      await expect(outbound.connect({ check: permitted, host: NAME, port })).rejects.toThrow(EgressRefusedError)
    }
    dns.addresses.set(NAME, (type) => (type === 'A' ? ['127.0.0.1'] : []))
    ;(await outbound.connect({ check: permitted, host: NAME, port })).destroy()
  })

  test('X2: without an address, or without an answer to either query, is not connected to', async () => {
    const { port } = await canary('127.0.0.1')
    const outbound = outboundWith([`127.0.0.1:${port}`])
    await expect(outbound.connect({ check: permitted, host: 'nowhere.example.com', port })).rejects.toThrow(
      UnresolvedError,
    )
    dns.addresses.set(NAME, () => [])
    await expect(outbound.connect({ check: permitted, host: NAME, port })).rejects.toThrow(UnresolvedError)
    answering(['127.0.0.1'])
    dns.failing.add(NAME)
    await expect(outbound.connect({ check: permitted, host: NAME, port })).rejects.toThrow(UnresolvedError)
  })

  test('X11: that is refused is reported without its addresses', async () => {
    answering(['10.11.12.13'])
    const error = await outboundWith([])
      .connect({ check: permitted, host: NAME, port: 80 })
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      message: `the egress policy refuses ${NAME}: not public (private) and not in EGRESS_ALLOW`,
    })
  })

  test('is the SNI of TLS, though the connection is made to a checked address', async () => {
    const hellos: string[] = []
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', (hello) => {
          hellos.push(hello.toString('latin1'))
          socket.end()
        }),
    )
    const port = await listenOn(server, '127.0.0.1')
    answering(['127.0.0.1'])
    const agent = agentOf(outboundWith([`127.0.0.1:${port}`]))
    await expect(get(agent, `https://${NAME}:${port}/`)).rejects.toThrow(/disconnected|closed|ECONNRESET/)
    expect(hellos).toEqual([expect.stringContaining(NAME)])
  })
})

describe('an HTTP agent', () => {
  test('X1: refuses every spelling of an address that a URL can hold', async () => {
    const target = await canary('127.0.0.1')
    const { port } = target
    const agent = agentOf(outboundWith([]))
    for (const host of [
      '127.0.0.1',
      '0177.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '１２７.0.0.1',
      '①②⑦.0.0.1',
      '127.0.0.1.',
      '[::1]',
      '[::ffff:7f00:1]',
      '0',
    ])
      await expect(get(agent, `http://${host}:${port}/`), host).rejects.toThrow(EgressRefusedError)
    expect(target.connections).toBe(0)
  })

  test('X3: follows no redirect', async () => {
    const server = createHttpServer((_incoming, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    )
    const port = await listenOn(server, '127.0.0.1')
    const { statusCode, headers } = await get(agentOf(outboundWith([`127.0.0.1:${port}`])), `http://127.0.0.1:${port}/`)
    expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: 'http://169.254.169.254/' })
  })

  test('X5: ignores HTTP_PROXY and its kin', async () => {
    const server = createHttpServer((_incoming, response) => response.end('direct'))
    const port = await listenOn(server, '127.0.0.1')
    const proxy = await canary('127.0.0.1')
    const url = `http://127.0.0.1:${proxy.port}`
    const program = `
      import { request } from 'undici'
      import { createOutbound } from ${JSON.stringify(new URL('../../../src/platform/outbound/outbound.ts', import.meta.url).href)}
      const outbound = createOutbound({ PORT: 1, FRONTEND_URL: 'https://sortie.example.com', EGRESS_ALLOW: ['127.0.0.1'] }, { requireLive: async () => undefined })
      const dispatcher = outbound.createHttpAgent({ connectTimeoutMs: ${CONNECT_TIMEOUT_MS}, check: () => undefined })
      const { body } = await request('http://127.0.0.1:${port}/', { dispatcher })
      process.stdout.write(await body.text())
      await dispatcher.close()`
    const environment = {
      http_proxy: url,
      HTTP_PROXY: url,
      https_proxy: url,
      HTTPS_PROXY: url,
      all_proxy: url,
      ALL_PROXY: url,
      NODE_USE_ENV_PROXY: '1',
    }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (data) => (out += String(data)))
    await once(child, 'close')
    expect({ out, proxied: proxy.connections }).toEqual({ out: 'direct', proxied: 0 })
  })

  test("asks the caller's own rule about the checked addresses before it connects", async () => {
    const target = await canary('127.0.0.1')
    const { port } = target
    answering(['127.0.0.1'])
    const seen: unknown[] = []
    const check = (destination: unknown) => {
      seen.push(destination)
      throw new Error('out of scope')
    }
    const outbound = outboundWith([`127.0.0.1:${port}`])
    await expect(get(agentOf(outbound, { check }), `http://${NAME}:${port}/`)).rejects.toThrow('out of scope')
    await expect(outbound.connect({ host: NAME, port, check })).rejects.toThrow('out of scope')
    const destination = { host: NAME, port, addresses: ['127.0.0.1'], isProxy: false, isOpen: false }
    expect(seen).toEqual([destination, destination])
    expect(target.connections).toBe(0)
  })
})

describe('a socket', () => {
  test('X1: a UDP socket sends only to an allowed address, and is not opened to a refused one', async () => {
    const listener = createSocket('udp4')
    listener.bind(0, '127.0.0.1')
    await once(listener, 'listening')
    closing.push(() => listener.close())
    const { port } = listener.address()
    await expect(outboundWith([]).connectUdp({ check: permitted, host: '127.0.0.1', port })).rejects.toThrow(
      EgressRefusedError,
    )
    answering(['127.0.0.1'], ['127.0.0.2'])
    const socket = await outboundWith([`127.0.0.1:${port}`]).connectUdp({ check: permitted, host: NAME, port })
    closing.push(() => socket.close())
    socket.send('hello')
    expect(String((await once(listener, 'message'))[0])).toBe('hello')
    expect(socket.remoteAddress()).toMatchObject({ address: '127.0.0.1', port })
  })

  test('tries the other checked addresses when one does not answer', async () => {
    const { port } = await canary('127.0.0.1')
    dns.addresses.set(NAME, (type) => (type === 'A' ? ['127.0.0.3', '127.0.0.1'] : []))
    const socket = await outboundWith(['127.0.0.0/8']).connect({ check: permitted, host: NAME, port })
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  test('is not opened once its signal is aborted, or while its address refuses connections', async () => {
    const target = await canary('127.0.0.1')
    const { port } = target
    const outbound = outboundWith(['127.0.0.1'])
    await expect(
      outbound.connect({ check: permitted, host: '127.0.0.1', port, signal: AbortSignal.abort() }),
    ).rejects.toThrow('aborted')
    expect(target.connections).toBe(0)
    const closed = createServer()
    const closedPort = await listenOn(closed, '127.0.0.1')
    closed.close()
    await once(closed, 'close')
    await expect(outbound.connect({ check: permitted, host: '127.0.0.1', port: closedPort })).rejects.toThrow(
      'ECONNREFUSED',
    )
  })
})

/** Never called: the compiler refuses to open a connection without the caller's rules (`npm test -- types`). */
export const withoutCheck = (outbound: Outbound): unknown[] => [
  // @ts-expect-error -- a connection needs a check
  outbound.connect({ host: NAME, port: 80 }),
  // @ts-expect-error -- and so does one by UDP
  outbound.connectUdp({ host: NAME, port: 80 }),
  // @ts-expect-error -- and an agent
  outbound.createHttpAgent({ connectTimeoutMs: CONNECT_TIMEOUT_MS }),
]
