import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeSlowReaders } from '../platform/http/slow-readers.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, type ServerProcess } from '../testing/server-process.ts'
import { type Slowness, slowClients } from '../testing/slow-clients.ts'
import { copyTemplate } from '../testing/test-app.ts'

const COUNT = 30
/** Each asks for 12 MB. */
const READERS = 3
const CLOSED_WITHIN_MS = 20_000
/** Timers of a busy machine. */
const TOLERANCE_MS = 4_000

/** As pino counts. */
const ERROR = 50

const stage = createStage()
let server: ServerProcess

beforeAll(async () => {
  server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
})
afterAll(() => stage.close())

test('F11: clients that are slow with headers, body or reading, or say nothing, are closed within 20 s, and others are served meanwhile', async () => {
  const key = await withNewKey(await signInAsOwner(server.origin))
  const description = 'x'.repeat(10_000)
  for (let i = 0; i < 100; i++) expect((await key.post('/api/v1/engagements', { name: 'Large', description })).status).toBe(201)
  const modes: [Slowness, string][] = [
    ['idle', '/'],
    ['headers', '/'],
    ['body', '/api/v1/engagements'],
    ['read', '/api/v1/engagements?perPage=100'],
  ]
  const slow = await Promise.all(
    modes.map(([slowness, path]) => slowClients(server.origin, slowness, slowness === 'read' ? READERS : COUNT, key.headers, path)),
  )
  const startedAt = performance.now()
  while (performance.now() - startedAt < CLOSED_WITHIN_MS + TOLERANCE_MS && slow.some((clients) => clients.open() > 0)) {
    expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
    expect((await key.post('/api/v1/engagements', { name: 'Meanwhile' })).status).toBe(201)
    await sleep(200)
  }
  const left = slow.map((clients) => clients.open())
  for (const clients of slow) clients.end()
  expect(left).toEqual(modes.map(() => 0))
  // Clients do not fill the log of the operator with errors.
  expect(server.log.filter(({ level }) => level >= ERROR)).toEqual([])
  expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
})

/** More than the buffers of two systems hold, and than is read in the time of the test. */
const LARGE_BYTES = 60_000_000
const BYTES_PER_SECOND = 1_500_000
const READ_FOR_MS = 16_000

test('F11: who takes a large answer slowly but steadily keeps the connection; who takes nothing of it loses theirs', async () => {
  const answering = http.createServer((_request, response) => response.end(Buffer.alloc(LARGE_BYTES)))
  const stopWatching = closeSlowReaders(answering)
  answering.listen(0, '127.0.0.1')
  await once(answering, 'listening')
  const ask = () => net.connect((answering.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  let ended = 0
  answering.on('connection', (socket) => socket.on('close', () => ended++))
  const [steady, still] = [ask(), ask()]
  steady.on('data', (chunk) => {
    steady.pause()
    setTimeout(() => steady.resume(), (chunk.length / BYTES_PER_SECOND) * 1000)
  })
  still.pause()
  for (const socket of [steady, still]) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await sleep(READ_FOR_MS)
  expect(ended).toBe(1)
  expect(steady.closed).toBe(false)
  expect(steady.bytesRead).toBeGreaterThan(BYTES_PER_SECOND)
  stopWatching()
  for (const socket of [steady, still]) socket.destroy()
  answering.close()
})
