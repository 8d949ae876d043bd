import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { type Slowness, slowClients } from '../../support/clients/slow-clients.ts'
import { openUpload, uploadSlowly } from '../../support/clients/slow-upload.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement } from '../../support/document/files.ts'
import { connectTo, rawRequest } from '../../support/network/raw-http.ts'

const COUNT = isNightly ? 30 : 5
/** Each asks for 12 MB. */
const READERS = 3
const CLOSED_WITHIN_MS = 20_000
const READERS_CLOSED_WITHIN_MS = 50_000
/** Number of 12 MB answers: more than the buffers of two systems. */
const STEADY_ANSWERS = isNightly ? 12 : 2
const LARGE = 100
const STEADY_BYTES_PER_SECOND = 700_000
/** Between two requests of others. */
const MEANWHILE_MS = isNightly ? 200 : 1_000
/** Delay of timers on a busy machine. */
const TOLERANCE_MS = 4_000

/** Size of an upload in bytes. */
const SIZE = 1_000_000
/** Any other body has 17 s. */
const UPLOAD_MS = isNightly ? 25_000 : 19_000
const SILENCE_MS = { atLeast: 15_000, atMost: 20_000 }

/** Level number of pino. */
const ERROR = 50

const stage = createStage()
let server: ServerProcess
let key: TestClient
let files: string

beforeAll(async () => {
  server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
  key = await withNewKey(await signInAsOwner(server.origin))
  files = filesOf(await newEngagement(key))
})
afterAll(() => stage.close())

/** Requests much data and reads it slowly, but steadily. @returns how many answers arrived completely before the end */
const readSteadily = (path: string, authorization: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = connectTo(server.origin)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      socket.pause()
      setTimeout(() => socket.resume(), (chunk.length / STEADY_BYTES_PER_SECOND) * 1000)
    })
    socket.on('close', () => resolve(received.split('"meta":').length - 1))
    const ask = (...headers: string[]) =>
      rawRequest(`GET ${path} HTTP/1.1`, [`Authorization: ${authorization}`, ...headers])
    socket.write(ask().repeat(STEADY_ANSWERS - 1) + ask('Connection: close'))
  })

const open = () => openUpload(`${server.origin}${files}?fileName=slow`, key.headers['authorization'] as string, SIZE)

// Concurrently: they wait for nearly all of their time.
describe.concurrent('F11:', () => {
  test(
    'clients that are slow with headers, body or reading, or send nothing, are closed within 20 s, readers within 50 (at night), and others, steady slow readers too, are served',
    {
      timeout: 120_000,
    },
    async () => {
      const description = 'x'.repeat(10_000)
      for (let i = 0; i < LARGE; i++)
        expect((await key.post('/api/v1/engagements', { name: 'Large', description })).status).toBe(201)
      const modes: [Slowness, string][] = [
        ['idle', '/'],
        ['headers', '/'],
        ['body', '/api/v1/engagements'],
        // They take 50 s.
        ...(isNightly ? [['read', '/api/v1/engagements?perPage=100'] as [Slowness, string]] : []),
      ]
      const slow = await Promise.all(
        modes.map(([slowness, path]) =>
          slowClients(server.origin, slowness, slowness === 'read' ? READERS : COUNT, key.headers, path),
        ),
      )
      const steady = readSteadily('/api/v1/engagements?perPage=100', key.headers['authorization'] ?? '')
      const startedAt = performance.now()
      const openOf = (isReading: boolean) =>
        slow.filter((_, i) => (modes[i]?.[0] === 'read') === isReading).map((clients) => clients.open())
      let leftInTime: number[] | undefined
      while (
        performance.now() - startedAt < READERS_CLOSED_WITHIN_MS + TOLERANCE_MS &&
        slow.some((clients) => clients.open() > 0)
      ) {
        if (performance.now() - startedAt > CLOSED_WITHIN_MS + TOLERANCE_MS) leftInTime ??= openOf(false)
        expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
        expect((await key.post('/api/v1/engagements', { name: 'Meanwhile' })).status).toBe(201)
        await sleep(MEANWHILE_MS)
      }
      const left = slow.map((clients) => clients.open())
      for (const clients of slow) clients.end()
      expect(leftInTime ?? openOf(false)).toEqual([0, 0, 0])
      expect(left).toEqual(modes.map(() => 0))
      expect(await steady).toBe(STEADY_ANSWERS)
      // Clients do not fill the operator's log with errors.
      expect(server.log.filter(({ level }) => level >= ERROR)).toEqual([])
      expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
    },
  )

  test('an upload that makes progress may take longer than any other request; one that stops is ended within 20 s and leaves nothing', async () => {
    const slow = uploadSlowly(open(), SIZE, UPLOAD_MS)
    const stalled = open()
    const startedAt = performance.now()
    await stalled.send(Buffer.alloc(SIZE / 2))
    const answer = await stalled.answer
    const endedAfterMs = performance.now() - startedAt
    expect(answer?.status ?? 400).toBe(400)
    expect(endedAfterMs).toBeGreaterThan(SILENCE_MS.atLeast)
    expect(endedAfterMs).toBeLessThan(hereMs(SILENCE_MS.atMost))
    expect((await slow)?.status).toBe(201)
    const { data } = (await key.get(files)).body
    expect(filesBelow(path.join(server.dataDir, 'uploads')).map((file) => path.basename(file))).toEqual(
      data.map(({ id }: { id: string }) => id),
    )
    expect(data).toHaveLength(1)
  })
})
