import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'

const PER_ADDRESS = 6
const MAX = 20
const PROXY = '127.0.0.77'
const LIVE = '/api/health/live'
const ASK = rawRequest(`GET ${LIVE} HTTP/1.1`)

let app: TestApp
const opened: net.Socket[] = []
beforeAll(async () => {
  app = await testApp({
    workers: false,
    maxConnections: MAX,
    env: { CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS), TRUST_PROXY: PROXY },
  })
})
afterAll(async () => {
  for (const socket of opened) socket.destroy()
  await app.close()
})

/** A connection from a loopback address after its first answer; undefined if the server closes it. */
const connectFrom = async (localAddress: string): Promise<net.Socket | undefined> => {
  const { port } = new URL(app.origin)
  const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress })
  opened.push(socket)
  socket.on('error', () => undefined)
  socket.write(ASK)
  const answered = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  return answered ? socket : undefined
}

const closeAll = async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await eventually(() => expect(app.http.connections.count()).toBe(0))
}

test('S29: an address has at most CONNECTIONS_PER_ADDRESS connections, others are served, and a proxy in TRUST_PROXY has no such limit', async () => {
  const own = await Promise.all(Array.from({ length: PER_ADDRESS + 3 }, () => connectFrom('127.0.0.1')))
  expect(own.filter((socket) => socket !== undefined)).toHaveLength(PER_ADDRESS)
  expect(await connectFrom('127.0.0.2')).toBeDefined()
  const ofProxy = await Promise.all(Array.from({ length: PER_ADDRESS + 3 }, () => connectFrom(PROXY)))
  expect(ofProxy.filter((socket) => socket !== undefined)).toHaveLength(PER_ADDRESS + 3)
  own.find((socket) => socket !== undefined)?.destroy()
  await eventually(async () => expect(await connectFrom('127.0.0.1')).toBeDefined())
  await closeAll()
})

test('S29: when all connections are in use, only the address with the most loses its idle ones', async () => {
  const few = await Promise.all(
    ['127.0.0.2', '127.0.0.3'].flatMap((address) => [connectFrom(address), connectFrom(address)]),
  )
  const more = await Promise.all(
    ['127.0.0.4', '127.0.0.5'].flatMap((address) => Array.from({ length: 5 }, () => connectFrom(address))),
  )
  const most = await Promise.all(Array.from({ length: 6 }, () => connectFrom('127.0.0.6')))
  const [working] = most
  working?.write(
    rawRequest('POST /api/auth/sign-in/email HTTP/1.1', ['Content-Length: 10', 'Content-Type: application/json']),
  )
  await eventually(() => expect(app.http.connections.countBusy()).toBe(1))
  expect(await connectFrom('127.0.0.7')).toBeDefined()
  await eventually(() => expect(most.map((socket) => socket?.closed)).toEqual([false, true, true, true, true, true]))
  expect([...few, ...more].filter((socket) => socket === undefined || socket.closed)).toEqual([])
  await closeAll()
})

test('S27: 32 requests sent at once are answered one after another, in order', async () => {
  const { responses } = await sendRaw(
    app.origin,
    Array.from({ length: 32 }, (_, i) => rawRequest(`GET ${i % 2 === 0 ? LIVE : '/api/none'} HTTP/1.1`)).join(''),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? 200 : 404)))
  await closeAll()
})

test.each([
  ['more than 32 requests', ASK.repeat(2_000)],
  ['requests with 40 kB of headers', rawRequest(`GET ${LIVE} HTTP/1.1`, [`X-Large: ${'x'.repeat(10_000)}`]).repeat(5)],
])(
  'S27: an address that sends %s on one connection before the first is answered loses all its connections for 5 s, and others are served',
  async (_, bytes) => {
    const [first, second] = await Promise.all([connectFrom('127.0.0.8'), connectFrom('127.0.0.8')])
    first?.write(bytes)
    await eventually(() => expect([first?.closed, second?.closed]).toEqual([true, true]))
    expect(await connectFrom('127.0.0.8')).toBeUndefined()
    expect(await connectFrom('127.0.0.9')).toBeDefined()
    await eventually(async () => expect(await connectFrom('127.0.0.8')).toBeDefined())
    await closeAll()
  },
)

test('S26: a client that resets its connection after CONNECT does no harm', async () => {
  const { port } = new URL(app.origin)
  for (let i = 0; i < 20; i++) {
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write('CONNECT a.example:443 HTTP/1.1\r\n\r\n', () => socket.resetAndDestroy())
    await once(socket, 'close')
  }
  expect((await fetch(app.origin + LIVE, { headers: { connection: 'close' } })).status).toBe(200)
  await eventually(() => expect(app.http.connections.count()).toBeLessThanOrEqual(1))
})
