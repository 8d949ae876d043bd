import { afterAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { filesOf, newEngagement, upload } from '../../support/document/files.ts'
import { openSmallStorage, STORAGES } from '../../support/storage/storages.ts'

const FILE = Buffer.alloc(1_500_000, 7)
/** Every second one fills the storage in another way. */
const ROUNDS = isNightly ? 20 : 2

const stage = createStage()
afterAll(() => stage.close())

test.each(STORAGES)(
  'F10: when %s is full an upload is 503 and leaves nothing, reads continue, and with free space it works again',
  async (name) => {
    const storage = await openSmallStorage(stage, name)
    const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()), ...storage.env } })
    await server.ready()
    const owner = await signInAsOwner(server.origin)
    const key = await withNewKey(owner)
    const health = async () =>
      (await owner.get('/api/health?verbose')).body.components.find((each: { name: string }) => each.name === 'storage')
    const files = filesOf(await newEngagement(key))
    const kept = (await upload(key, files, FILE)).body.data.id as string
    for (let round = 0; round < ROUNDS; round++) {
      // Full from the start, and full in the middle of the file.
      const isAtOnce = round % 2 === 1
      storage.fill(isAtOnce ? 'at once' : 'midway', round)
      const { status, headers, body } = await upload(key, files, isAtOnce ? FILE : Buffer.alloc(storage.largeBytes))
      expect([status, body.error.message]).toEqual([503, storage.message(round)])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await key.get(files)).body.meta.total).toBe(1)
      expect((await key.get(`${files}/${kept}`)).text.length).toBe(FILE.length)
      expect([...storage.hashes().keys()]).toEqual([kept])
      expect(storage.begun()).toEqual([])
      if (round === 1)
        expect(await health()).toMatchObject({
          status: 'degraded',
          message: expect.stringMatching(/ is full| does not answer/),
        })
      storage.empty()
      if (round === 1) await eventually(async () => expect((await health()).status).toBe('ok'))
      const stored = await upload(key, files, FILE)
      expect(stored.status).toBe(201)
      expect((await key.delete(`${files}/${stored.body.data.id}`)).status).toBe(200)
    }
    expect((await server.stop()).code).toBe(0)
  },
)
