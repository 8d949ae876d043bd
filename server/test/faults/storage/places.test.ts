import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { newEngagement, sha256 } from '../../support/document/files.ts'
import { metricsText } from '../../support/document/metrics.ts'
import type { S3Server } from '../../support/storage/s3-server.ts'
import { createStorages, STORAGES, type TestStorage } from '../../support/storage/storages.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

/** Where files are uploaded to. */
interface Place {
  name: string
  /** The path of an upload, without a file name. */
  uploads: string
  /** The path of a stored file; undefined where it cannot be read. */
  file?(id: string): string
}

const makePlaces = async (key: TestClient): Promise<Place[]> => {
  const engagementId = await newEngagement(key)
  const page = (await key.post('/api/v1/wiki-pages', { title: 'Notes', engagementId })).body.data.id
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'
  const wanted = { engagementId, title: 'XSS', asset: 'https://portal.example.com', data: { cvssVector: vector } }
  const result = (await key.post('/api/v1/results', wanted)).body.data.id
  const attached = (name: string, path: string): Place => ({
    name,
    uploads: `${path}/files?`,
    file: (id) => `${path}/files/${id}`,
  })
  return [
    attached('a file of an engagement', `/api/v1/engagements/${engagementId}`),
    attached('a file of a wiki page', `/api/v1/wiki-pages/${page}`),
    attached('evidence of a result', `/api/v1/results/${result}`),
    { name: 'a file to import', uploads: `/api/v1/imports?engagementId=${engagementId}&` },
  ]
}

const start = async (storage: TestStorage) => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings), ...storage.env }
  const server = await stage.server({ env })
  await server.ready()
  const owner = await signInAsOwner(server.origin)
  const scopes = ['organizations', 'targets', 'wiki'].flatMap((name) => [`${name}:read`, `${name}:write`])
  const key = await withNewKey(owner, scopes as Parameters<typeof withNewKey>[1])
  const rows = () =>
    asSuperuserRows<{ id: string; sha256: string }>(settings, 'select id, sha256 from files order by id')
  return { settings, env, server, owner, key, rows, places: await makePlaces(key) }
}

const uploadTo = async (key: TestClient, place: Place, bytes: Buffer) =>
  key.request('POST', `${place.uploads}fileName=file.bin`, { rawBody: bytes })

const download = async (key: TestClient, path: string): Promise<Buffer> => {
  const response = await fetch(`${key.origin}${path}`, { headers: key.headers })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Rows and whole files are the same, and nothing is begun. */
const expectMatch = async (storage: TestStorage, rows: () => Promise<{ id: string; sha256: string }[]>) => {
  await eventually(() => expect(storage.begun()).toEqual([]))
  expect([...storage.hashes()].toSorted()).toEqual((await rows()).map(({ id, sha256: hash }) => [id, hash]))
}

describe.each(STORAGES)('%s', (name) => {
  test('a server that is killed during an upload of each kind: no row without its file, and after the cleaning no file without its row', async () => {
    const storage = await open(name)
    const { settings, env, server, key, rows, places } = await start(storage)
    const whole = new Map<string, Buffer>()
    for (const place of places) {
      const bytes = Buffer.from(`{"ip":"10.0.0.${whole.size}","port":443}\n`)
      const { status, body } = await uploadTo(key, place, bytes)
      expect(status, place.name).toBe(201)
      if (place.file) whole.set(place.file(body.data.id), bytes)
    }
    const size = 4 * storage.stepBytes
    const sent = places.map(({ uploads }) =>
      openUpload(`${server.origin}${uploads}fileName=cut`, key.headers['authorization'] as string, size),
    )
    await Promise.all(sent.map((each) => each.send(randomBytes(2 * storage.stepBytes))))
    await eventually(() => expect(storage.begun()).toHaveLength(places.length))
    await server.kill()
    expect(storage.begun()).toHaveLength(places.length)
    const again = await stage.server({ env, port: server.port })
    await again.ready()
    expect(await rows()).toHaveLength(places.length)
    for (const [path, bytes] of whole) expect((await download(key, path)).equals(bytes)).toBe(true)
    await storage.cleanLater(settings)
    await expectMatch(storage, rows)
  })

  test('clients that break off uploads and downloads of each kind leave nothing, no open request and no descriptor', async () => {
    const storage = await open(name)
    const { server, key, rows, places } = await start(storage)
    const size = 3 * storage.stepBytes
    const bytes = randomBytes(size)
    const descriptors = descriptorsOf(server)
    const stored = (await uploadTo(key, places[0] as Place, bytes)).body.data.id as string
    const path = places[0]?.file?.(stored) as string
    for (let round = 0; round < 3; round++) {
      for (const { uploads } of places) {
        const begun = storage.begun()
        const cut = openUpload(`${key.origin}${uploads}fileName=cut`, key.headers['authorization'] as string, size)
        await cut.send(randomBytes(storage.stepBytes))
        await eventually(() => expect(storage.begun().length).toBeGreaterThan(begun.length))
        cut.breakOff()
        const reading = new AbortController()
        await fetch(`${key.origin}${path}`, { headers: key.headers, signal: reading.signal })
        reading.abort()
      }
    }
    await expectMatch(storage, rows)
    expect((await download(key, path)).equals(bytes)).toBe(true)
    await eventually(() => {
      expect(storage.s3?.open ?? 0).toBe(0)
      expect(descriptorsOf(server).length).toBeLessThanOrEqual(descriptors.length + 2)
    })
  })
})

/** Open files and connections, without those to the database, whose number varies. */
const descriptorsOf = ({ child: { pid } }: ServerProcess): string[] => {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })
}

describe('a bucket whose server fails', () => {
  let storage: TestStorage
  let started: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    storage = await open('a bucket')
    started = await start(storage)
  })

  const s3 = () => storage.s3 as S3Server
  const PUT = Buffer.from('{"ip":"10.0.0.1","port":443}\n')
  const IN_PARTS = randomBytes(12 * 1024 * 1024)

  test.each([
    ['a small file whose connection is cut', 'put', 'cut', PUT],
    ['a small file whose answer is lost', 'put', 'lose', PUT],
    ['a small file that is refused for overload', 'put', { status: 503, code: 'SlowDown' }, PUT],
    ['a part whose connection is cut', 'part', 'cut', IN_PARTS],
    ['an end of parts whose answer is lost', 'complete', 'lose', IN_PARTS],
  ] as const)('%s, once: the upload succeeds, and reads back as it was', async (_what, operation, fault, bytes) => {
    const { key, rows, places } = started
    let left = 1
    s3().fault = (asked, object) => (asked === operation && object.includes('fil_') && left-- > 0 ? fault : undefined)
    const { status, body, text } = await uploadTo(key, places[1] as Place, bytes)
    expect(status, text).toBe(201)
    expect(left).toBeLessThan(1)
    expect((await download(key, places[1]?.file?.(body.data.id) as string)).equals(bytes)).toBe(true)
    await expectMatch(storage, rows)
  })

  test.each([
    ['put', 'cut', PUT],
    ['part', 'cut', IN_PARTS],
    ['complete', { status: 500, code: 'InternalError' }, IN_PARTS],
    ['head', { status: 503, code: 'SlowDown' }, PUT],
  ] as const)(
    'that always fails at %s: uploads of each kind are 503 and leave nothing',
    async (operation, fault, bytes) => {
      const { key, rows, places } = started
      const before = await rows()
      s3().fault = (asked, object) => (asked === operation && object.includes('fil_') ? fault : undefined)
      const answers = await Promise.all(places.map((place) => uploadTo(key, place, bytes)))
      s3().fault = () => undefined
      for (const { status, body, headers } of answers) {
        expect([status, body.error.message]).toEqual([
          503,
          'The storage of files does not answer. Nothing was stored; try again later.',
        ])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(await rows()).toEqual(before)
      await expectMatch(storage, rows)
    },
  )

  test('whose connections break during downloads: a reader gets the whole file, or an answer that ends too early, never a short one', async () => {
    const { key, places } = started
    const { body } = await uploadTo(key, places[2] as Place, IN_PARTS)
    const path = places[2]?.file?.(body.data.id) as string
    let left = 2
    s3().fault = (asked) => (asked === 'get' && left-- > 0 ? 'halve' : undefined)
    expect(sha256(await download(key, path))).toBe(sha256(IN_PARTS))
    expect(left).toBeLessThan(1)
    s3().fault = (asked, object) => (asked === 'get' && object.includes('fil_') ? 'cut' : undefined)
    expect((await key.get(path)).status).toBe(503)
    let passed = 1
    s3().fault = (asked, object) => {
      if (asked !== 'get' || !object.includes('fil_')) return undefined
      return passed-- > 0 ? 'halve' : 'cut'
    }
    await expect(download(key, path)).rejects.toThrow()
    s3().fault = () => undefined
    expect(sha256(await download(key, path))).toBe(sha256(IN_PARTS))
    await eventually(() => expect(storage.s3?.open).toBe(0))
  })

  test('the health and the metrics say that and why the bucket cannot be used, within 6 seconds, and that it can be again', async () => {
    const { owner, key } = started
    const component = async () =>
      (await owner.get('/api/health?verbose')).body.components.find((each: { name: string }) => each.name === 'storage')
    const isUp = async () => /^sortie_storage_up (\d)$/m.exec(await metricsText(key.origin))?.[1]
    const becomes = (status: string, message: RegExp) =>
      eventually(async () =>
        expect(await component()).toEqual({ name: 'storage', status, message: expect.stringMatching(message) }),
      )
    await becomes('ok', /^Files can be written to s3:\/\/files\/storage-\d+\/ and read\.$/)
    expect(await isUp()).toBe('1')
    const faults = [
      [
        { status: 403, code: 'AccessDenied' },
        /cannot be written to: this access key may not do that \(AccessDenied\)\.$/,
      ],
      [
        { status: 507, code: 'XMinioStorageFull' },
        /is full \(XMinioStorageFull\): uploads are refused until there is space\.$/,
      ],
      [{ status: 503, code: 'SlowDown' }, /does not answer \(SlowDown\): files are refused until it does\.$/],
      ['cut', /does not answer \(\w+\): files are refused until it does\.$/],
      ['hang', /does not answer/],
    ] as const
    for (const [fault, message] of faults) {
      s3().fault = () => fault
      await becomes('degraded', message)
      const askedAt = performance.now()
      expect((await owner.get('/api/health?verbose')).body.status).toBe('degraded')
      expect(performance.now() - askedAt).toBeLessThan(hereMs(6_000))
      expect(await isUp()).toBe('0')
      expect((await key.get('/api/health')).status).toBe(200)
    }
    s3().fault = () => undefined
    await becomes('ok', /^Files can be written/)
    expect(await isUp()).toBe('1')
  })

  nightly(
    'that hangs: uploads and downloads are 503 within two minutes, deletions do not wait, all in bounded memory, and no request stays open',
    async () => {
      const { server, key, rows, places } = started
      const { body } = await uploadTo(key, places[0] as Place, PUT)
      const path = places[0]?.file?.(body.data.id) as string
      const before = await rows()
      const removed = (await uploadTo(key, places[0] as Place, PUT)).body.data.id as string
      s3().fault = (asked, object) => (object.includes('fil_') && asked !== 'begin' ? 'hang' : undefined)
      const memory = () =>
        Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024
      const [atRest, askedAt] = [memory(), performance.now()]
      const uploads = Array.from({ length: 80 }, (_, index) =>
        uploadTo(key, places[index % 3] as Place, IN_PARTS.subarray(0, 6 * 1024 * 1024)),
      )
      const reads = Array.from({ length: 20 }, () => key.get(path))
      expect((await key.delete(places[0]?.file?.(removed) as string)).status).toBe(200)
      expect(performance.now() - askedAt).toBeLessThan(hereMs(15_000))
      let peak = 0
      const watching = setInterval(() => (peak = Math.max(peak, memory())), 100)
      const answers = await Promise.all([...uploads, ...reads])
      clearInterval(watching)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      expect(performance.now() - askedAt).toBeLessThan(hereMs(120_000))
      // 256 MiB of parts, and what waits for them.
      expect(peak - atRest).toBeLessThan(700 * 1024 * 1024)
      s3().fault = () => undefined
      await eventually(() => expect(storage.s3?.open).toBe(0), 60_000)
      expect(await rows()).toEqual(before)
      await storage.cleanLater(started.settings)
      await expectMatch(storage, rows)
    },
    300_000,
  )

  nightly(
    'that is slow: a part that takes longer than the limit of an answer, and a download of drops, are whole',
    async () => {
      const { key, places } = started
      s3().fault = (asked) => (asked === 'part' ? { dripBytes: 7_000 } : undefined)
      const { status, body, text } = await uploadTo(key, places[1] as Place, IN_PARTS.subarray(0, 6 * 1024 * 1024))
      expect(status, text).toBe(201)
      s3().fault = (asked) => (asked === 'get' ? { dripBytes: 8_192 } : undefined)
      const read = await download(key, places[1]?.file?.(body.data.id) as string)
      expect(sha256(read)).toBe(sha256(IN_PARTS.subarray(0, 6 * 1024 * 1024)))
      s3().fault = () => undefined
    },
    300_000,
  )
})
