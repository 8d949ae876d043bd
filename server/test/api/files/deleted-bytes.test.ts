import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeDeletedBytes } from '../../../src/platform/files/deleted-bytes.ts'
import { putIntoSafeMode } from '../../support/app/safe-mode.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesBelow, filesOf, newEngagement, upload } from '../../support/document/files.ts'

const rootOf = (app: TestApp) => app.platform.config.STORAGE_PATH

describe('the bytes of files whose objects are deleted', () => {
  let app: TestApp
  let owner: TestClient
  beforeAll(async () => {
    app = await testApp()
    owner = await app.signedIn('owner')
  })
  afterAll(() => app.close())

  test('are gone soon after a page was deleted forever, with those of the pages below it', async () => {
    const WIKI = '/api/web/wiki-pages'
    const create = async (body: object) => (await owner.post(WIKI, body)).body.data.id as string
    const top = await create({ title: 'Top' })
    const below = await create({ title: 'Below', parentId: top })
    const other = await create({ title: 'Other' })
    for (const id of [top, below, other])
      expect((await upload(owner, `${WIKI}/${id}/files`, `of ${id}`)).status).toBe(201)
    expect(filesBelow(rootOf(app))).toHaveLength(3)
    expect((await owner.delete(`${WIKI}/${top}?forever=true`)).status).toBe(200)
    await eventually(() =>
      expect(filesBelow(rootOf(app)).map((file) => readFileSync(path.join(rootOf(app), file), 'utf8'))).toEqual([
        `of ${other}`,
      ]),
    )
    expect((await owner.delete(`${WIKI}/${other}?forever=true`)).status).toBe(200)
    await eventually(() => expect(filesBelow(rootOf(app))).toEqual([]))
  })

  test('are gone when the rows of an engagement are that was deleted for good', async () => {
    const [gone, stays] = [await newEngagement(owner, 'Gone'), await newEngagement(owner, 'Stays')]
    const web = (id: string) => `/api/web/engagements/${id}`
    for (const id of [gone, gone, stays]) expect((await upload(owner, `${web(id)}/files`, `of ${id}`)).status).toBe(201)
    expect((await owner.delete(web(gone), { body: { name: 'Gone' } })).status).toBe(200)
    expect((await owner.delete(`/api/web/trashed-engagements/${gone}`, { body: { name: 'Gone' } })).status).toBe(200)
    await eventually(() =>
      expect(filesBelow(rootOf(app)).map((file) => readFileSync(path.join(rootOf(app), file), 'utf8'))).toEqual([
        `of ${stays}`,
      ]),
    )
  })
})

describe('the bytes of deleted files stay', () => {
  let app: TestApp
  let key: TestClient
  let engagementId: string
  beforeAll(async () => {
    app = await testApp({ workers: false })
    key = await app.withKey(['organizations:read', 'organizations:write'])
    engagementId = await newEngagement(key)
  })
  afterAll(() => app.close())

  const remove = () => removeDeletedBytes(app.platform, new AbortController().signal)
  const bytes = (id: string) => filesBelow(rootOf(app)).filter((file) => path.basename(file) === id).length
  /** A file whose row is deleted, as by the deletion of its owner. @returns its id */
  const deleted = async () => {
    const { id } = (await upload(key, filesOf(engagementId), 'deleted')).body.data
    await app.db.deleteFrom('files').where('id', '=', id).execute()
    return id as string
  }

  test('while a row names the file again, and where no row was ever deleted', async () => {
    const named = (await upload(key, filesOf(engagementId), 'named')).body.data.id as string
    const { counted_bytes: _, ...row } = await app.db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', named)
      .executeTakeFirstOrThrow()
    await app.db.deleteFrom('files').where('id', '=', named).execute()
    await app.db.insertInto('files').values(row).execute()
    const arriving = path.join(rootOf(app), `${path.dirname(filesBelow(rootOf(app))[0] as string)}/${named}.partial`)
    writeFileSync(arriving, 'part')
    const gone = await deleted()
    await remove()
    expect([bytes(named), bytes(gone), readFileSync(arriving, 'utf8')]).toEqual([1, 0, 'part'])
    // Deleted a second time, it goes.
    await app.db.deleteFrom('files').where('id', '=', named).execute()
    await remove()
    expect(bytes(named)).toBe(0)
  })

  test('where a note names no directory of an organization, and go once it does', async () => {
    const [one, other] = [await deleted(), await deleted()]
    await app.db.updateTable('deleted_files').set({ directory: '../outside' }).where('id', '=', one).execute()
    await remove()
    expect([bytes(one), bytes(other)]).toEqual([1, 0])
    await app.db.updateTable('deleted_files').set({ directory: app.organization.id }).where('id', '=', one).execute()
    await remove()
    expect(bytes(one)).toBe(0)
  })

  test('where STORAGE_PATH is not the directory of this database, and in safe mode', async () => {
    const id = await deleted()
    const mark = path.join(rootOf(app), '.sortie-storage.json')
    const own = readFileSync(mark)
    writeFileSync(mark, JSON.stringify({ storage: 'another' }))
    await remove()
    expect(bytes(id)).toBe(1)
    writeFileSync(mark, own)
    await putIntoSafeMode(app)
    await remove()
    expect(bytes(id)).toBe(1)
  })
})
