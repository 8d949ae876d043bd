import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesBelow, filesOf, newEngagement } from '../support/files.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../support/server-clients.ts'
import { createStage, type ServerProcess } from '../support/server-process.ts'
import { openUpload, uploadSlowly } from '../support/slow-upload.ts'
import { copyTemplate } from '../support/test-databases.ts'
import type { TestClient } from '../support/test-client.ts'

const SIZE = 1_000_000
/** Any other body has 17 s. */
const SLOW_MS = 25_000
const SILENCE_MS = { atLeast: 15_000, atMost: 20_000 }

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

const open = () => openUpload(`${server.origin}${files}?fileName=slow`, key.headers['authorization'] as string, SIZE)

test('F11: an upload that makes progress may take longer than any other request; one that falls silent is ended within 20 s and leaves nothing', async () => {
  const slow = uploadSlowly(open(), SIZE, SLOW_MS)
  const stalled = open()
  const startedAt = performance.now()
  await stalled.send(Buffer.alloc(SIZE / 2))
  const answer = await stalled.answer
  const endedAfterMs = performance.now() - startedAt
  expect(answer?.status ?? 400).toBe(400)
  expect(endedAfterMs).toBeGreaterThan(SILENCE_MS.atLeast)
  expect(endedAfterMs).toBeLessThan(SILENCE_MS.atMost)
  expect((await slow)?.status).toBe(201)
  const { data } = (await key.get(files)).body
  expect(filesBelow(path.join(server.dataDir, 'uploads')).map((file) => path.basename(file))).toEqual(data.map(({ id }: { id: string }) => id))
  expect(data).toHaveLength(1)
}, 60_000)
