import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { mountSmallDisk } from '../../support/database/small-disk.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement, upload } from '../../support/document/files.ts'

const MEGABYTES = 4
const FILE = Buffer.alloc(1_500_000, 7)
/** Every second one fills the disk in another way. */
const ROUNDS = isNightly ? 20 : 2

const stage = createStage()
afterAll(() => stage.close())

test('F10: when the disk for files is full an upload is 503 and leaves nothing, reads continue, and with free space it works again', async () => {
  const disk = mountSmallDisk(stage, MEGABYTES)
  const storage = path.join(disk.directory, 'uploads')
  const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()), STORAGE_PATH: storage } })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  const kept = (await upload(key, files, FILE)).body.data.id as string
  for (let round = 0; round < ROUNDS; round++) {
    // Full from the start, and full in the middle of the file.
    if (round % 2) disk.fill()
    const large = round % 2 ? FILE : Buffer.alloc(MEGABYTES * 1024 * 1024)
    const { status, headers, body } = await upload(key, files, large)
    expect([status, body.error.message]).toEqual([
      503,
      'The disk for files is full. Nothing was stored; try again later.',
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await key.get(files)).body.meta.total).toBe(1)
    expect((await key.get(`${files}/${kept}`)).text.length).toBe(FILE.length)
    expect(filesBelow(storage).map((file) => path.basename(file))).toEqual([kept])
    disk.empty()
    const stored = await upload(key, files, FILE)
    expect(stored.status).toBe(201)
    expect((await key.delete(`${files}/${stored.body.data.id}`)).status).toBe(200)
  }
  expect((await server.stop()).code).toBe(0)
})
