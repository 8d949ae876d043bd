import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanWiki } from '../../../src/features/wiki/pages/trash.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: { id: string; name: string } }
let member: TestClient
let key: TestClient
const WEB = '/api/web/wiki-pages'
const V1 = '/api/v1/wiki-pages'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  key = await app.withKey(['wiki:read', 'wiki:write'])
})
afterAll(() => app.close())

const create = async (body: string): Promise<string> => (await owner.post(WEB, { title: 'Page', body })).body.data.id
const save = async (id: string, body: string, client: TestClient = owner, door = WEB) => {
  const { revision } = (await owner.get(`${WEB}/${id}`)).body.data
  expect((await client.patch(`${door}/${id}`, { body, baseRevision: revision })).status).toBe(200)
}
const revisions = async (id: string) =>
  (await owner.get(`${WEB}/${id}/revisions`)).body.data as { revision: number; author: unknown; size: number }[]
const numbers = async (id: string) => (await revisions(id)).map(({ revision }) => revision)

test('saves of one person within ten minutes are one entry with the last text; a pause, another person and a key start a new one', async () => {
  const id = await create('one')
  await save(id, 'two')
  app.clock.advance(9 * MINUTE)
  await save(id, 'three €')
  expect(await revisions(id)).toEqual([
    {
      revision: 3,
      author: { id: owner.user.id, name: owner.user.name },
      createdAt: expect.any(String),
      size: Buffer.byteLength('three €'),
    },
  ])
  app.clock.advance(2 * MINUTE)
  await save(id, 'four')
  await save(id, 'five', member)
  await save(id, 'six')
  await save(id, 'seven', key, V1)
  await save(id, 'eight', key, V1)
  expect(await numbers(id)).toEqual([8, 7, 6, 5, 4, 3])
  expect((await revisions(id))[0]?.author).toBeNull()
  const titled = await owner.patch(`${WEB}/${id}`, { title: 'Renamed' })
  expect(titled.body.data.revision).toBe(8)
})

test('a revision has its text, and the differences from another one', async () => {
  const id = await create('first\nsame\nlast')
  await save(id, 'FIRST\nsame\nlast\nmore', member)
  const { body } = await owner.get(`${WEB}/${id}/revisions/2?against=1`)
  expect(body.data).toMatchObject({
    revision: 2,
    body: 'FIRST\nsame\nlast\nmore',
    diff: [
      { type: 'removed', lines: ['first'] },
      { type: 'added', lines: ['FIRST'] },
      { type: 'same', lines: ['same', 'last'] },
      { type: 'added', lines: ['more'] },
    ],
  })
  expect((await owner.get(`${WEB}/${id}/revisions/1`)).body.data).not.toHaveProperty('diff')
  for (const address of ['/revisions/3', '/revisions/1?against=9'])
    expect((await owner.get(`${WEB}/${id}${address}`)).status, address).toBe(404)
})

test('restoring a text is a new revision with its own entry; the history is kept', async () => {
  const id = await create('first')
  await save(id, 'second', member)
  const { data } = (await owner.post(`${WEB}/${id}/revisions/1/restore`)).body
  expect(data).toMatchObject({ body: 'first', revision: 3 })
  await save(id, 'third')
  expect(await numbers(id)).toEqual([4, 2, 1])
  expect((await owner.post(`${WEB}/${id}/revisions/9/restore`)).status).toBe(404)
})

test('the history is paged by cursor, newest first', async () => {
  const id = await create('0')
  for (let index = 1; index < 5; index++) await save(id, String(index), index % 2 ? member : owner)
  const first = (await owner.get(`${WEB}/${id}/revisions?perPage=3`)).body
  const second = (await owner.get(`${WEB}/${id}/revisions?perPage=3&cursor=${first.meta.nextCursor}`)).body
  expect([first, second].map(({ data }) => data.map(({ revision }: { revision: number }) => revision))).toEqual([
    [5, 4, 3],
    [2, 1],
  ])
  expect(second.meta.nextCursor).toBeNull()
  expect((await owner.get(`${WEB}/${id}/revisions?cursor=abc`)).status).toBe(400)
})

test('texts between entries are deleted after seven days; entries stay, also in the trash, until the page is deleted permanently', async () => {
  const id = await create('one')
  await save(id, 'two')
  await save(id, 'three', member)
  const later = { now: () => app.clock.now() + 29 * DAY, monotonic: () => app.clock.monotonic() }
  const text = async (revision: number) => (await owner.get(`${WEB}/${id}/revisions/${revision}`)).status
  await cleanWiki(app.platform)
  expect(await text(1)).toBe(200)
  await cleanWiki({ ...app.platform, clock: later })
  expect([await text(1), await text(2), await text(3)]).toEqual([404, 200, 200])
  expect((await owner.delete(`${WEB}/${id}`)).status).toBe(200)
  expect(await numbers(id)).toEqual([3, 2])
  expect((await owner.delete(`${WEB}/${id}?forever=true`)).status).toBe(200)
  expect((await owner.get(`${WEB}/${id}/revisions`)).status).toBe(404)
  expect(await app.db.selectFrom('wiki_revisions').select('revision').where('page_id', '=', id).execute()).toEqual([])
})

test('B6, A6: the history of a page of a closed engagement is for those who see it', async () => {
  const engagementId = (
    await owner.post('/api/web/engagements', { name: 'Closed', details: { access: 'team', team: [] } })
  ).body.data.id
  const { id } = (await owner.post(WEB, { title: 'Canary', body: 'canary', engagementId })).body.data
  const stranger = await app.signedIn('owner', await app.createOrganization())
  for (const address of ['/revisions', '/revisions/1', '/revisions/1?against=1', '/backlinks', '/links', '/files']) {
    expect((await owner.get(`${WEB}/${id}${address}`)).status, address).toBe(200)
    for (const client of [member, stranger])
      expect((await client.get(`${WEB}/${id}${address}`)).status, address).toBe(404)
  }
  for (const client of [member, stranger])
    expect((await client.post(`${WEB}/${id}/revisions/1/restore`)).status).toBe(404)
})
