import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { startSortie, sortie } from '../../support/app/operator.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { filesOf, newEngagement, sha256, upload } from '../../support/document/files.ts'
import type { S3Server } from '../../support/storage/s3-server.ts'
import { createStorages } from '../../support/storage/storages.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

const LARGE = 12_000_000
const SMALL = 8

describe.each([
  ['a directory', 'a bucket'],
  ['a bucket', 'a directory'],
] as const)('move-storage from %s to %s', (fromName, toName) => {
  test('next to a server, killed in the middle of a file: later calls go on, repair what was damaged, follow added and deleted files, and end the use of the former storage', async () => {
    const settings = await copyTemplate()
    const [from, to] = [await open(fromName), await open(toName)]
    const s3 = (from.s3 ?? to.s3) as S3Server
    const database = { DATABASE_URL: databaseUrl(settings) }
    const server = await stage.server({ env: { ...database, ...from.env } })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const files = filesOf(await newEngagement(key))
    const contents = new Map<string, string>()
    const add = async (size: number) => {
      const bytes = randomBytes(size)
      const { status, body } = await upload(key, files, bytes)
      expect(status).toBe(201)
      contents.set(body.data.id, sha256(bytes))
      return body.data.id as string
    }
    const small: string[] = []
    for (let index = 0; index < SMALL; index++) small.push(await add(100_000))
    const large = await add(LARGE)
    const [wrong, deleted, damaged, longer] = small as [string, string, string, string]

    const args = ['move-storage', '--to', to.url]
    const { STORAGE_URL: _, STORAGE_PATH: __, ...keys } = to.env
    const env = { ...database, ...keys, ...from.env }
    // The file that is copied at the kill is there in part: its second part hangs, or it arrives in drops.
    let parts = 0
    s3.fault = (operation, object) => {
      if (!object.endsWith(large)) return undefined
      if (operation === 'get' && from.s3) return { dripBytes: 64 * 1024 }
      return operation === 'part' && parts++ > 0 ? 'hang' : undefined
    }
    const first = startSortie(args, stage.directory(), env)
    await eventually(() => expect(to.begun()).toEqual([large]))
    first.child.kill('SIGKILL')
    await first.finished
    s3.fault = () => undefined
    expect(to.begun()).toEqual([large])
    expect([...to.hashes().keys()].toSorted()).toEqual(small)

    // Meanwhile: damage on the way, changes by people, and damage where the files come from.
    writeFileSync(to.pathOf(wrong), randomBytes(100_000))
    expect((await key.delete(`${files}/${deleted}`)).status).toBe(200)
    contents.delete(deleted)
    await add(1_000)
    const [wholeDamaged, wholeLonger] = [damaged, longer].map((id) => readFileSync(from.pathOf(id)))
    for (const id of [damaged, longer]) writeFileSync(to.pathOf(id), 'lost')
    writeFileSync(from.pathOf(damaged), 'damaged')
    writeFileSync(from.pathOf(longer), randomBytes(300_000))
    const second = await sortie(args, stage.directory(), env)
    expect(second.err).toMatch(/(damaged: fil_.*\n){2}.* lacks 0 of the files, and 2 are damaged there/)
    // The wrong one, the large one and the added one.
    expect(second.out).toMatch(/^9 files, .*: 3 were copied to /)
    expect(second.code).toBe(1)
    writeFileSync(from.pathOf(damaged), wholeDamaged as Buffer)
    writeFileSync(from.pathOf(longer), wholeLonger as Buffer)

    // A file that is deleted while it is looked for is not a missing one.
    const racing = await add(1_000)
    contents.delete(racing)
    let deletions = 0
    s3.fault = (operation, object) =>
      operation === (from.s3 ? 'get' : 'head') && object.endsWith(racing) && deletions++ === 0
        ? key.delete(`${files}/${racing}`).then(() => undefined)
        : undefined
    const third = await sortie(args, stage.directory(), env)
    expect(third.out).toMatch(/^9 files, .*: 2 were copied to /)
    // The server has not counted a minute yet, and is noticed.
    expect(third).toMatchObject({ code: 1, err: '', out: expect.stringContaining('A server used the files') })
    expect(deletions).toBeGreaterThan(0)
    s3.fault = () => undefined
    await add(1_000)
    await server.stop()
    from.silence()

    // An answer that fails for good is one line.
    s3.fault = (_, object) => (/fil_/.test(object) ? 'cut' : undefined)
    expect(await sortie(args, stage.directory(), env)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^sortie: The storage of files does not answer\..*\n$/),
    })
    s3.fault = () => undefined
    const last = await sortie(args, stage.directory(), env)
    expect(last.out).toMatch(/^10 files, .*: 1 were copied to .*\n[\s\S]*Set STORAGE_URL=/)
    expect(last.code).toBe(0)
    const former = await sortie(['clean-storage'], stage.directory(), { ...database, ...from.env })
    expect(former).toMatchObject({ code: 78, err: expect.stringMatching(/were moved to /) })

    const moved = await stage.server({ env: { ...database, ...to.env }, port: server.port })
    await moved.ready()
    for (const [id, hash] of contents) {
      const response = await fetch(`${moved.origin}${files}/${id}`, { headers: key.headers })
      expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(hash)
    }
    // The file that was copied and then deleted goes: by the job for deleted files, or by the cleaning.
    await to.cleanLater(settings)
    expect([...to.hashes()].toSorted()).toEqual([...contents].toSorted())
    expect(to.begun()).toEqual([])
    expect(await asSuperuserRows(settings, 'select count(*)::int as count from files')).toEqual([{ count: 10 }])
  })
})
