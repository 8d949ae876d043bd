import { randomBytes } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cleanFiles } from '../../../src/features/files/files.jobs.ts'
import { newId } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesBelow, filesOf, newEngagement, upload } from '../../support/document/files.ts'
import { connectTo, openRaw } from '../../support/network/raw-http.ts'

const LIMIT = 100_000
const QUOTA = 250_000
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let organization: TestOrganization
let key: TestClient & { keyId: string }
let engagementId: string
let files: string

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: { UPLOAD_LIMIT_BYTES: `${LIMIT}`, STORAGE_LIMIT_BYTES_PER_ORGANIZATION: `${QUOTA}` },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  organization = await app.createOrganization()
  key = await app.withKey(['organizations:read', 'organizations:write'], organization)
  engagementId = await newEngagement(key)
  files = filesOf(engagementId)
})

const stored = () => filesBelow(path.join(app.platform.config.STORAGE_PATH, organization.id))
const listed = async (): Promise<string[]> =>
  (await key.get(`${files}?perPage=100`)).body.data.map(({ id }: { id: string }) => id).toSorted()
const expectRowsAndFilesAgree = async (count: number) => {
  const ids = await listed()
  expect(ids).toHaveLength(count)
  expect(
    stored()
      .map((file) => path.basename(file))
      .toSorted(),
  ).toEqual(ids)
}

/** Sends the headers and half of the bytes of an upload, and returns once they are being stored. */
const startUpload = async (size: number) => {
  const before = stored().length
  const bytes = randomBytes(size).toString('latin1')
  const connection = await openRaw(app.origin)
  const headers = Object.entries({ host: 'localhost', ...key.headers, 'content-length': size })
  connection.send(
    `POST ${files}?fileName=x HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${bytes.slice(0, size / 2)}`,
  )
  await eventually(() => expect(stored().length).toBe(before + 1))
  expect(stored().some((file) => file.endsWith('.partial'))).toBe(true)
  const finish = async () => JSON.parse((await connection.exchange(bytes.slice(size / 2)))[0]?.body as string)
  return { finish, close: () => connection.close() }
}

describe('too much', () => {
  test('a file over UPLOAD_LIMIT_BYTES is 400 with the limit named, with or without Content-Length, and nothing is left', async () => {
    const tooLarge = Buffer.alloc(LIMIT + 1)
    const chunked = await fetch(`${app.origin}${files}?fileName=x`, {
      method: 'POST',
      headers: key.headers,
      body: new Blob([tooLarge]).stream(),
      duplex: 'half',
    })
    for (const [status, body] of [
      [chunked.status, await chunked.json()] as const,
      await upload(key, files, tooLarge).then((answer) => [answer.status, answer.body] as const),
    ])
      expect([status, body.error.message]).toEqual([400, `The body is larger than ${LIMIT} bytes.`])
    expect(stored()).toEqual([])
    expect((await upload(key, files, tooLarge.subarray(1))).status).toBe(201)
    await expectRowsAndFilesAgree(1)
  })

  test('files of engagements that the caller does not see count as well', async () => {
    const { id } = (await key.post('/api/v1/engagements', { name: 'Closed', details: { access: 'team' } })).body.data
    for (let i = 0; i < 2; i++) expect((await upload(key, filesOf(id), Buffer.alloc(LIMIT))).status).toBe(201)
    const owner = await app.signedIn('owner', organization)
    const made = await owner.post('/api/web/api-keys', {
      name: 'open',
      environment: 'live',
      scopes: ['organizations:write'],
      engagementIds: 'open',
    })
    const limited = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
    expect((await upload(limited, files, Buffer.alloc(QUOTA - 2 * LIMIT + 1))).status).toBe(409)
    expect((await upload(limited, files, Buffer.alloc(QUOTA - 2 * LIMIT))).status).toBe(201)
  })

  test("an upload over the organization's limit is 409 with the limit named, leaves nothing, and fits after a deletion", async () => {
    const [first] = [await upload(key, files, Buffer.alloc(LIMIT)), await upload(key, files, Buffer.alloc(LIMIT))]
    const { status, body } = await upload(key, files, Buffer.alloc(QUOTA - 2 * LIMIT + 1))
    expect([status, body.error.message]).toEqual([
      409,
      `This organization may store ${QUOTA} bytes, including its files: delete some first.`,
    ])
    await expectRowsAndFilesAgree(2)
    expect((await upload(key, files, Buffer.alloc(QUOTA - 2 * LIMIT))).status).toBe(201)
    expect((await upload(key, files, 'x')).status).toBe(409)
    await key.delete(`${files}/${first?.body.data.id}`)
    expect((await upload(key, files, 'x')).status).toBe(201)
    await expectRowsAndFilesAgree(3)
  })

  test('U7: of 20 simultaneous uploads as many are stored as the quota allows, and the others leave nothing', async () => {
    const other = filesOf(await newEngagement(key))
    const size = 30_000
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => upload(key, i % 2 ? files : other, randomBytes(size))),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    const fitting = Math.floor(QUOTA / size)
    expect(statuses).toEqual([
      ...Array.from({ length: fitting }, () => 201),
      ...Array.from({ length: 20 - fitting }, () => 409),
    ])
    expect(stored()).toHaveLength(fitting)
  })
})

describe('U7: an upload that ends early leaves nothing', () => {
  test('because the client disconnects', async () => {
    const { close } = await startUpload(50_000)
    close()
    await eventually(() => expect(stored()).toEqual([]))
    expect(await listed()).toEqual([])
  })

  test('because the connection ended before the announced number of bytes', async () => {
    const socket = connectTo(app.origin)
    socket.end(
      `POST ${files}?fileName=x HTTP/1.1\r\nhost: localhost\r\nauthorization: ${key.headers['authorization']}\r\ncontent-length: 100\r\n\r\nhalf`,
    )
    await eventually(() =>
      expect(app.logLines.some((line) => line.includes('/files"') && line.includes('"status":400'))).toBe(true),
    )
    expect(stored()).toEqual([])
    expect(await listed()).toEqual([])
  })

  test('because the engagement is archived during the upload', async () => {
    const { finish } = await startUpload(50_000)
    for (const status of ['completed', 'archived']) await key.patch(`/api/v1/engagements/${engagementId}`, { status })
    expect((await finish()).error.code).toBe('CONFLICT')
    expect(stored()).toEqual([])
  })

  test('K14: because the key is deleted during the upload', async () => {
    const owner = await app.signedIn('owner', organization)
    const { finish } = await startUpload(50_000)
    expect((await owner.delete(`/api/web/api-keys/${key.keyId}`)).status).toBe(200)
    expect((await finish()).error.code).toBe('UNAUTHORIZED')
    expect(stored()).toEqual([])
  })
})

describe('the hourly cleaning', () => {
  const place = (name: string, ageMs: number) => {
    const file = path.join(app.platform.config.STORAGE_PATH, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'left')
    const at = (app.clock.now() - ageMs) / 1000
    utimesSync(file, at, at)
  }

  test('removes complete and partial files that no row has named for 24 hours, and nothing else', async () => {
    const { id } = (await upload(key, files, 'kept')).body.data
    const own = stored()[0] as string
    place(path.join(organization.id, own), 2 * DAY_MS)
    const young = [newId('fil'), `${newId('fil')}.partial`].map((name) => `00/${name}`)
    for (const name of young) place(path.join(organization.id, name), DAY_MS - 60_000)
    const old = [newId('fil'), `${newId('fil')}.partial`, `${id}.partial`].map((name) => `ff/${name}`)
    for (const name of old) place(path.join(organization.id, name), DAY_MS + 60_000)
    const foreign = ['notes.txt', 'ff/notes.txt', `other/${newId('fil')}`]
    for (const name of foreign) place(path.join(organization.id, name), 2 * DAY_MS)
    await cleanFiles(app.platform)
    expect(stored()).toEqual([own, ...young, ...foreign].toSorted())
  })
})
