import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyRequestTrash } from '../../../../src/features/requests/trash/empty-trash.service.ts'
import { readWithTrash } from '../../../../src/platform/database/transaction.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import { TestClient, type TestResponse } from '../../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'
import { unknownId } from '../../../support/walks/walk.ts'

const REQUESTS = '/api/web/api-requests'
const FOLDERS = '/api/web/request-folders'
const DAY_MS = 24 * 60 * 60 * 1000
let app: TestApp
let owner: TestClient
let web: Receiver

beforeAll(async () => {
  web = await startReceiver((_request, response) => response.end('{"ok":true}'))
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  owner = await app.signedIn('owner')
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const done = (response: TestResponse, status = 200) => {
  expect(response.status, response.text).toBe(status)
  return response.body.data
}
const engagement = async (details?: object): Promise<string> =>
  done(await owner.post('/api/web/engagements', { name: 'Trash', ...(details && { details }) }), 201).id
const folderIn = async (engagementId: string, name: string, fields: object = {}) =>
  done(await owner.post(FOLDERS, { engagementId, name, ...fields }), 201)
const requestIn = async (engagementId: string, name: string, fields: object = {}) =>
  done(await owner.post(REQUESTS, { engagementId, name, url: `${web.origin}/${name}`, ...fields }), 201)
const names = async (path: string, engagementId: string): Promise<string[]> =>
  done(await owner.get(`${path}?engagementId=${engagementId}&perPage=100`)).map(({ name }: { name: string }) => name)
const remove = async (path: string, id: string) =>
  expect(done(await owner.delete(`${path}/${id}`))).toEqual({ deleted: true, id })
const restore = async (path: string, id: string) => done(await owner.post(`${path}/${id}/restore`))
const storedBytes = async (): Promise<number> => {
  const { rows } = await sql<{ sum: number }>`select sum(bytes)::int as sum from stored_bytes`.execute(app.db)
  return rows[0]?.sum ?? 0
}
const cleanAfter = (days: number) =>
  emptyRequestTrash({
    ...app.platform,
    clock: { now: () => app.clock.now() + days * DAY_MS, monotonic: () => app.clock.monotonic() },
  })

/** A folder with a secret, in it a folder with a request that sends a file, and one request next to it. */
const tree = async () => {
  const engagementId = await engagement()
  const outer = await folderIn(engagementId, 'Outer', { auth: { type: 'bearer', token: 's3cret' } })
  const inner = await folderIn(engagementId, 'Inner', { parentId: outer.id })
  const first = await requestIn(engagementId, 'Zebrafish', { folderId: outer.id })
  const second = await requestIn(engagementId, 'Second', { folderId: inner.id, method: 'POST' })
  const third = await requestIn(engagementId, 'Third', { folderId: inner.id })
  const file = done(
    await owner.request('POST', `${REQUESTS}/${second.id}/files?fileName=a.bin`, { rawBody: 'exactly this' }),
    201,
  )
  done(await owner.patch(`${REQUESTS}/${second.id}`, { body: { mode: 'file', fileId: file.id } }))
  done(await owner.post(`${REQUESTS}/${third.id}/move`, { beforeId: second.id }))
  const run = done(await owner.post(`${REQUESTS}/${second.id}/execute`, {}), 201)
  expect(run).toMatchObject({ state: 'succeeded', reason: null })
  const outside = await requestIn(engagementId, 'Outside')
  return { engagementId, outer, inner, first, second, third, file, run, outside }
}

/** All that the API shows of these folders and requests. */
const readAll = async ({ engagementId, outer, inner, first, second, third, file }: Awaited<ReturnType<typeof tree>>) =>
  Promise.all(
    [
      `${FOLDERS}?engagementId=${engagementId}`,
      `${REQUESTS}?engagementId=${engagementId}`,
      ...[outer, inner].map(({ id }) => `${FOLDERS}/${id}`),
      ...[first, second, third].map(({ id }) => `${REQUESTS}/${id}`),
      `${REQUESTS}/${second.id}/files`,
      `${REQUESTS}/${second.id}/files/${file.id}`,
      `/api/web/request-runs?requestId=${second.id}`,
      '/api/web/search?q=zebrafish',
      `${REQUESTS}/export?engagementId=${engagementId}&format=postman`,
    ].map(async (path) => (await owner.get(path)).text),
  )

describe('a deleted folder', () => {
  test('is gone with all that is in it, and cannot be read, changed, sent, exported, cloned, found or named', async () => {
    const made = await tree()
    const { engagementId, outer, inner, first, second, file, run, outside } = made
    const task = done(
      await owner.post('/api/web/tasks', {
        engagementId,
        title: 'Links',
        links: [{ type: 'request', id: first.id }],
      }),
      201,
    )
    await remove(FOLDERS, outer.id)

    expect(await names(FOLDERS, engagementId)).toEqual([])
    expect(await names(REQUESTS, engagementId)).toEqual(['Outside'])
    const inFolder = { engagementId, name: 'New', url: web.origin, folderId: inner.id }
    const sent = web.received.length
    const answers: [ask: () => Promise<TestResponse>, status: number][] = [
      [() => owner.get(`${FOLDERS}/${outer.id}`), 404],
      [() => owner.get(`${FOLDERS}/${inner.id}`), 404],
      [() => owner.patch(`${FOLDERS}/${inner.id}`, { name: 'Changed' }), 404],
      [() => owner.delete(`${FOLDERS}/${outer.id}`), 404],
      [() => owner.post(`${FOLDERS}/${inner.id}/execute`, {}), 404],
      [() => owner.post(FOLDERS, { engagementId, name: 'New', parentId: outer.id }), 422],
      [() => owner.get(`${REQUESTS}/${second.id}`), 404],
      [() => owner.get(`${REQUESTS}/${second.id}/curl`), 404],
      [() => owner.get(`${REQUESTS}/${second.id}/files`), 404],
      [() => owner.get(`${REQUESTS}/${second.id}/files/${file.id}`), 404],
      [() => owner.request('POST', `${REQUESTS}/${second.id}/files?fileName=b`, { rawBody: 'b' }), 404],
      [() => owner.patch(`${REQUESTS}/${second.id}`, { name: 'Changed' }), 404],
      [() => owner.delete(`${REQUESTS}/${second.id}`), 404],
      [() => owner.post(`${REQUESTS}/${second.id}/copy`, {}), 404],
      [() => owner.post(`${REQUESTS}/${second.id}/move`, { folderId: null }), 404],
      [() => owner.post(`${REQUESTS}/${second.id}/execute`, {}), 404],
      [() => owner.post(REQUESTS, inFolder), 422],
      [() => owner.post(`${REQUESTS}/${outside.id}/move`, { folderId: inner.id }), 422],
      [() => owner.post(`${REQUESTS}/${outside.id}/move`, { afterId: second.id }), 422],
      [() => owner.patch(`${REQUESTS}/${outside.id}`, { body: { mode: 'file', fileId: file.id } }), 200],
      [
        () => owner.post('/api/web/tasks', { engagementId, title: 'New', links: [{ type: 'request', id: first.id }] }),
        422,
      ],
    ]
    for (const [ask, status] of answers) {
      const response = await ask()
      expect(response.status, response.text).toBe(status)
    }
    const unsaved = { engagementId, requestId: second.id, request: { url: web.origin, auth: { type: 'inherit' } } }
    expect([404, 422]).toContain((await owner.post(`${REQUESTS}/send`, unsaved)).status)
    // The file of a request in the trash is no one else's.
    expect((await owner.post(`${REQUESTS}/${outside.id}/execute`, {})).status).toBe(422)
    expect(web.received).toHaveLength(sent)

    expect((await owner.get('/api/web/search?q=zebrafish')).body.data).toEqual([])
    const exported = (await owner.get(`${REQUESTS}/export?engagementId=${engagementId}&format=postman`)).text
    expect(exported).toContain('Outside')
    expect(exported).not.toMatch(/Outer|Inner|Zebrafish|Second|Third/)
    const clone = done(
      await owner.post(`/api/web/engagements/${engagementId}/clone`, { name: 'Copy', include: ['requests'] }),
      201,
    )
    expect(await names(REQUESTS, clone.id)).toEqual(['Outside'])
    expect(await names(FOLDERS, clone.id)).toEqual([])
    expect(done(await owner.get(`/api/web/tasks/${task.id}`)).links).toEqual([
      { type: 'request', id: first.id, title: 'Zebrafish', deleted: true },
    ])
    // As before a deletion could be undone: what was sent stays on record.
    expect(done(await owner.get(`/api/web/request-runs/${run.id}`)).requestId).toBe(second.id)
  })

  test('comes back as it was: order, settings, runs, files, secrets and storage', async () => {
    const made = await tree()
    const { engagementId, outer, inner, second } = made
    const [before, bytes] = [await readAll(made), await storedBytes()]
    await remove(FOLDERS, outer.id)
    expect(await storedBytes(), 'what is in the trash counts').toBe(bytes)
    expect(await restore(FOLDERS, outer.id)).toEqual(outer)
    expect(await readAll(made)).toEqual(before)
    expect(await storedBytes()).toBe(bytes)
    expect(await names(REQUESTS, engagementId)).toEqual(['Zebrafish', 'Third', 'Second', 'Outside'])

    const run = done(await owner.post(`${REQUESTS}/${second.id}/execute`, {}), 201)
    expect(run).toMatchObject({ state: 'succeeded' })
    expect(web.received.at(-1)).toMatchObject({ body: 'exactly this', headers: { authorization: 'Bearer s3cret' } })
    expect(JSON.stringify(run)).not.toContain('s3cret')
    const sequence = done(await owner.post(`${FOLDERS}/${inner.id}/execute`, {}), 201)
    expect(sequence).toMatchObject({ state: 'succeeded', progress: { done: 2, total: 2 } })
    const audited = done(await owner.get(`/api/web/audit?perPage=100`)).filter(
      ({ object }: { object: { id: string } }) => object.id === outer.id,
    )
    expect(audited).toMatchObject([
      { action: 'request-folder.restored', after: { name: 'Outer', folders: 2, requests: 3 } },
      { action: 'request-folder.trashed', before: { name: 'Outer', folders: 2, requests: 3 } },
      { action: 'request-folder.created' },
    ])
    const again = await owner.post(`${FOLDERS}/${outer.id}/restore`)
    expect([again.status, again.body.error.message]).toEqual([409, 'This folder is not in the trash.'])
  })

  test('does not bring back what was deleted before it, which is restored separately, at its place', async () => {
    const { engagementId, outer, inner, third, second } = await tree()
    const sub = await folderIn(engagementId, 'Sub', { parentId: outer.id })
    await requestIn(engagementId, 'In sub', { folderId: sub.id })
    await remove(REQUESTS, third.id)
    await remove(FOLDERS, sub.id)
    await remove(FOLDERS, outer.id)
    await restore(FOLDERS, outer.id)
    expect(await names(FOLDERS, engagementId)).toEqual(['Outer', 'Inner'])
    expect(await names(REQUESTS, engagementId)).toEqual(['Zebrafish', 'Second', 'Outside'])
    expect(await restore(REQUESTS, third.id)).toMatchObject({ folderId: inner.id })
    expect(await restore(FOLDERS, sub.id)).toMatchObject({ parentId: outer.id })
    expect(await names(REQUESTS, engagementId)).toEqual(['Zebrafish', 'Third', 'Second', 'Outside', 'In sub'])
    expect(done(await owner.get(`${REQUESTS}/${second.id}`)).folderId).toBe(inner.id)
  })

  test('leaves its place in the order to no other', async () => {
    const engagementId = await engagement()
    const [first, last] = [await folderIn(engagementId, 'First'), await folderIn(engagementId, 'Last')]
    const gone = await requestIn(engagementId, 'Gone')
    await remove(FOLDERS, last.id)
    await remove(REQUESTS, gone.id)
    const added = await folderIn(engagementId, 'Added')
    await requestIn(engagementId, 'Also added')
    await owner.request('POST', `${REQUESTS}/import?engagementId=${engagementId}`, {
      rawBody: 'curl https://example.com/imported',
    })
    done(await owner.patch(`${FOLDERS}/${added.id}`, { afterId: first.id }))
    await restore(FOLDERS, last.id)
    await restore(REQUESTS, gone.id)
    expect(await names(FOLDERS, engagementId)).toEqual(['First', 'Added', 'Last'])
    expect((await names(REQUESTS, engagementId)).slice(0, 2)).toEqual(['Gone', 'Also added'])
    done(await owner.patch(`${FOLDERS}/${last.id}`, { afterId: first.id }))
    expect(await names(FOLDERS, engagementId)).toEqual(['First', 'Last', 'Added'])
  })

  test('is restored at the top if its parent was deleted or is too deep, and parts of it separately', async () => {
    const { engagementId, outer, inner, first, second } = await tree()
    await remove(FOLDERS, outer.id)
    expect(await restore(REQUESTS, first.id)).toMatchObject({ folderId: null })
    expect(await restore(FOLDERS, inner.id)).toMatchObject({ parentId: null })
    expect(await names(FOLDERS, engagementId)).toEqual(['Inner'])
    expect(done(await owner.get(`${REQUESTS}/${second.id}`)).folderId).toBe(inner.id)
    await restore(FOLDERS, outer.id)
    expect(done(await owner.get(`${REQUESTS}?engagementId=${engagementId}&folderId=${outer.id}`))).toEqual([])

    const below = await folderIn(engagementId, 'Below', { parentId: outer.id })
    await folderIn(engagementId, 'Further below', { parentId: below.id })
    let deepest = inner
    for (let depth = 2; depth <= 18; depth++)
      deepest = await folderIn(engagementId, `Level ${depth}`, { parentId: deepest.id })
    await remove(FOLDERS, below.id)
    done(await owner.patch(`${FOLDERS}/${outer.id}`, { parentId: deepest.id }))
    expect(await restore(FOLDERS, below.id)).toMatchObject({ parentId: null })
  })

  test('keeps no request that is created in it at the same time apart from the rest', async () => {
    const { engagementId, outer, inner } = await tree()
    const created = Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        owner.post(REQUESTS, { engagementId, name: `New ${number}`, url: web.origin, folderId: inner.id }),
      ),
    )
    await remove(FOLDERS, outer.id)
    const added = (await created).filter(({ status }) => status === 201).map(({ body }) => body.data.name)
    for (const { status } of await created) expect([201, 422]).toContain(status)
    expect(await names(REQUESTS, engagementId)).toEqual(['Outside'])
    await restore(FOLDERS, outer.id)
    expect(await names(REQUESTS, engagementId)).toEqual(expect.arrayContaining(added))
  })
})

test('a deleted request comes back with its files, once', async () => {
  const { engagementId, second, file } = await tree()
  const [before, bytes] = [done(await owner.get(`${REQUESTS}/${second.id}`)), await storedBytes()]
  await remove(REQUESTS, second.id)
  expect((await owner.get(`${REQUESTS}/${second.id}`)).status).toBe(404)
  const answers = await Promise.all([1, 2].map(() => owner.post(`${REQUESTS}/${second.id}/restore`)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error.message).toBe('This request is not in the trash.')
  expect(done(await owner.get(`${REQUESTS}/${second.id}`))).toEqual(before)
  expect((await owner.get(`${REQUESTS}/${second.id}/files/${file.id}`)).text).toBe('exactly this')
  expect(await storedBytes()).toBe(bytes)
  expect(await names(REQUESTS, engagementId)).toContain('Second')
})

describe('nothing is restored', () => {
  test('for an unknown id, another organization, a hidden engagement, or a key without the scope or the engagement', async () => {
    const member = await app.signedIn('member')
    const stranger = await app.signedIn('owner', await app.createOrganization())
    const reader = await app.withKey(['api-requests:read'])
    const engagementId = await engagement({ access: 'team' })
    const limited = done(
      await owner.post('/api/web/api-keys', {
        name: 'limited',
        environment: 'live',
        scopes: ['api-requests:write'],
        engagementIds: [await engagement()],
      }),
      201,
    )
    const withLimitedKey = new TestClient(app.origin, { authorization: `Bearer ${limited.value}` })
    const folder = await folderIn(engagementId, 'Folder')
    const request = await requestIn(engagementId, 'Request')
    const shared = done(await owner.post(REQUESTS, { name: 'Of the library', url: web.origin }), 201)
    await remove(FOLDERS, folder.id)
    for (const { id } of [request, shared]) await remove(REQUESTS, id)
    const paths = [
      `request-folders/${folder.id}/restore`,
      `api-requests/${request.id}/restore`,
      `api-requests/${shared.id}/restore`,
    ]
    for (const path of paths) {
      expect((await stranger.post(`/api/web/${path}`)).status, path).toBe(404)
      expect((await reader.post(`/api/v1/${path}`)).status, path).toBe(403)
      expect((await withLimitedKey.post(`/api/v1/${path}`)).status, path).toBe(404)
    }
    for (const path of paths.slice(0, 2)) expect((await member.post(`/api/web/${path}`)).status, path).toBe(404)
    expect((await owner.post(`${FOLDERS}/${unknownId('fld')}/restore`)).status).toBe(404)
    expect((await owner.post(`${REQUESTS}/${unknownId('req')}/restore`)).status).toBe(404)
    expect((await member.post(`/api/web/${paths[2]}`)).status, 'it may be deleted and restored').toBe(200)
    await restore(FOLDERS, folder.id)
    await restore(REQUESTS, request.id)
  })

  test('in an archived engagement', async () => {
    const engagementId = await engagement()
    const [folder, request] = [await folderIn(engagementId, 'Folder'), await requestIn(engagementId, 'Request')]
    await remove(FOLDERS, folder.id)
    await remove(REQUESTS, request.id)
    for (const status of ['completed', 'archived'])
      done(await owner.patch(`/api/web/engagements/${engagementId}`, { status }))
    expect((await owner.post(`${FOLDERS}/${folder.id}/restore`)).status).toBe(409)
    expect((await owner.post(`${REQUESTS}/${request.id}/restore`)).status).toBe(409)
    done(await owner.patch(`/api/web/engagements/${engagementId}`, { status: 'active' }))
    await restore(FOLDERS, folder.id)
    await restore(REQUESTS, request.id)
  })
})

test('after 30 days deleted folders and requests are gone for good, with files and their bytes, and the audit log says so', async () => {
  // What other tests left in the trash.
  await cleanAfter(30.1)
  const empty = await storedBytes()
  const { engagementId, outer, inner, first, second, third, outside, run, file } = await tree()
  const kept = done(await owner.post(REQUESTS, { name: 'Of the library', url: web.origin }), 201)
  await remove(REQUESTS, third.id)
  await remove(FOLDERS, outer.id)
  await remove(REQUESTS, outside.id)
  await remove(REQUESTS, kept.id)
  await restore(REQUESTS, kept.id)
  const ids = [outer, inner, first, second, third, outside].map(({ id }) => id)
  const left = () =>
    readWithTrash(app.db, async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from request_folders where id = any(${ids})
        union all select id from api_requests where id = any(${ids}) union all select id from files where id = ${file.id}`.execute(
        tx,
      )
      return rows.length
    })
  await cleanAfter(29.9)
  expect(await left()).toBe(ids.length + 1)
  await cleanAfter(30.1)
  expect(await left()).toBe(0)
  for (const path of [`${FOLDERS}/${outer.id}`, `${REQUESTS}/${second.id}`, `${REQUESTS}/${outside.id}`])
    expect((await owner.post(`${path}/restore`)).status, path).toBe(404)
  expect((await owner.get(`${REQUESTS}/${kept.id}`)).status).toBe(200)
  expect((await owner.get(`/api/web/request-runs/${run.id}`)).status).toBe(200)
  const { rows } = await sql<{ bytes: number }>`select sum(counted_bytes)::int as bytes from (
      select counted_bytes from request_runs where engagement_id = ${engagementId}
      union all select counted_bytes from api_requests where id = ${kept.id}) as left_over`.execute(app.db)
  expect((await storedBytes()) - empty).toBe(rows[0]?.bytes)
  const audited = async (action: string) => done(await owner.get(`/api/web/audit?action=${action}&perPage=10`))
  expect((await audited('request-folder.deleted'))[0]).toMatchObject({
    object: { id: outer.id },
    before: { name: 'Outer', folders: 2, requests: 2 },
  })
  expect((await audited('api-request.deleted')).map(({ object }: { object: { id: string } }) => object.id)).toEqual(
    expect.arrayContaining([third.id, outside.id]),
  )
})
