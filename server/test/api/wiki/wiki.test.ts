import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { zipOf } from '../../support/inputs/zip.ts'

let app: TestApp
let key: TestClient
let owner: TestClient
let member: TestClient
let engagementId: string
const PAGES = '/api/v1/wiki-pages'
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['wiki:read', 'wiki:write', 'organizations:read', 'organizations:write'])
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  engagementId = await newEngagement()
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Wiki' })).body.data.id

const create = async (wanted: object, client = owner) => {
  const { status, body, text } = await client.post(WEB, { title: 'Page', ...wanted })
  expect(status, text).toBe(201)
  return body.data
}

const titles = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title)

describe('a page', () => {
  test('is created with its text, read, listed without it, and has the fields of the contract', async () => {
    const made = (await key.post(PAGES, { title: '  Entry points ', body: '# VPN\r\n\u001b[31mred', engagementId }))
      .body.data
    expect(made).toMatchObject({
      engagementId,
      parentId: null,
      title: 'Entry points',
      body: '# VPN\r\n\u001b[31mred',
      revision: 1,
      isTemplate: false,
      trashedAt: null,
    })
    expect(made.createdBy).toBeNull()
    expect((await key.get(`${PAGES}/${made.id}`)).body.data).toEqual(made)
    const { body, ...summary } = made
    const list = (await key.get(`${PAGES}?engagementId=${engagementId}`)).body
    expect(body).toContain('VPN')
    expect(list).toEqual({ data: [summary], meta: { perPage: 20, nextCursor: null, total: 1 } })
  })

  test('belongs to the engagement of its parent, or to the organization', async () => {
    const parent = await create({ engagementId })
    expect((await create({ parentId: parent.id })).engagementId).toBe(engagementId)
    expect((await create({ engagementId: null })).engagementId).toBeNull()
    const other = await newEngagement()
    for (const wanted of [
      { parentId: parent.id, engagementId: other },
      { parentId: parent.id, engagementId: null },
      { parentId: 'wik_00000000000000000000000000' },
      { engagementId: 'eng_00000000000000000000000000' },
    ]) {
      expect((await owner.post(WEB, { title: 'Page', ...wanted })).status, JSON.stringify(wanted)).toBe(422)
    }
  })

  test('starts with the text of a template of its engagement or of the organization', async () => {
    const general = await create({ title: 'Template', body: 'general' })
    const template = await create({ title: 'Template', body: 'of the engagement', engagementId })
    expect((await owner.post(WEB, { title: 'Page', engagementId, templateId: template.id })).status).toBe(422)
    for (const { id } of [general, template])
      expect((await owner.patch(`${WEB}/${id}`, { isTemplate: true })).body.data.isTemplate).toBe(true)
    expect((await create({ engagementId, templateId: template.id })).body).toBe('of the engagement')
    expect((await create({ engagementId, templateId: general.id })).body).toBe('general')
    for (const wanted of [
      { templateId: template.id },
      { engagementId, templateId: template.id, body: '' },
      { engagementId: await newEngagement(), templateId: template.id },
      { templateId: 'wik_00000000000000000000000000' },
    ]) {
      expect((await owner.post(WEB, { title: 'Page', ...wanted })).status, JSON.stringify(wanted)).toBe(422)
    }
    const listed = (await owner.get(`${WEB}?engagementId=${engagementId}&isTemplate=true`)).body
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([template.id])
  })

  test('accepts texts of 500,000 characters, also those of four bytes, and no longer ones', async () => {
    const made = await create({ title: 'Long', body: '🧭'.repeat(500_000) })
    expect((await owner.patch(`${WEB}/${made.id}`, { body: 'x'.repeat(500_000), baseRevision: 1 })).status).toBe(200)
    expect((await owner.patch(`${WEB}/${made.id}`, { body: 'x'.repeat(500_001), baseRevision: 2 })).status).toBe(422)
    expect((await owner.post(WEB, { title: 'x', body: 'x'.repeat(5_000_000) })).status).toBe(400)
    expect((await owner.post(WEB, { title: 'x', body: 'a\u0000' })).status).toBe(400)
  })

  test('of an archived engagement is read and not written', async () => {
    const archived = await newEngagement()
    const [{ id }, trashed] = [await create({ engagementId: archived }), await create({ engagementId: archived })]
    await owner.delete(`${WEB}/${trashed.id}`)
    const file = (await owner.request('POST', `${WEB}/${id}/files?fileName=x`, { rawBody: 'x' })).body.data.id
    for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${archived}`, { status })
    const writes = [
      owner.post(WEB, { title: 'x', engagementId: archived }),
      owner.patch(`${WEB}/${id}`, { title: 'x' }),
      owner.post(`${WEB}/${id}/move`, { parentId: null }),
      owner.delete(`${WEB}/${id}`),
      owner.delete(`${WEB}/${id}?forever=true`),
      owner.post(`${WEB}/${trashed.id}/restore`),
      owner.post(`${WEB}/${id}/revisions/1/restore`),
      owner.request('POST', `${WEB}/${id}/files?fileName=x`, { rawBody: 'x' }),
      owner.delete(`${WEB}/${id}/files/${file}`),
      owner.request('POST', `${WEB}/import?engagementId=${archived}`, { rawBody: zipOf({ 'Page.md': 'text' }) }),
    ]
    for (const { status, body } of await Promise.all(writes)) {
      expect([status, body.error.message]).toEqual([409, 'This engagement is archived: reopen it first.'])
    }
    for (const path of ['', '/revisions/1', '/links', '/backlinks', `/files/${file}`])
      expect((await owner.get(`${WEB}/${id}${path}`)).status, path).toBe(200)
    expect((await owner.get(`${WEB}/export?engagementId=${archived}`)).status).toBe(200)
  })

  test('is one of at most 10,000', async () => {
    const small = await testApp({ workers: false, env: { WIKI_PAGE_LIMIT: '2' } })
    const client = await small.signedIn('owner')
    for (const status of [201, 201, 409]) expect((await client.post(WEB, { title: 'x' })).status).toBe(status)
    await small.close()
  })
})

describe('the tree', () => {
  test('is listed completely, depth first, and by parent; position is its order', async () => {
    const tree = await newEngagement()
    const a = await create({ title: 'a', engagementId: tree })
    const b = await create({ title: 'b', engagementId: tree })
    await create({ title: 'a1', parentId: a.id })
    const a2 = await create({ title: 'a2', parentId: a.id })
    await create({ title: 'a2x', parentId: a2.id })
    await create({ title: 'b1', parentId: b.id })
    const all = (await key.get(`${PAGES}?engagementId=${tree}&tree=true`)).body
    expect(titles(all)).toEqual(['a', 'a1', 'a2', 'a2x', 'b', 'b1'])
    expect(all.meta).toEqual({ perPage: 20, nextCursor: null, total: 6 })
    expect(titles((await key.get(`${PAGES}?engagementId=${tree}&parentId=none`)).body)).toEqual(['a', 'b'])
    expect(titles((await key.get(`${PAGES}?engagementId=${tree}&parentId=${a.id}`)).body)).toEqual(['a1', 'a2'])
    expect(titles((await key.get(`${PAGES}?engagementId=${tree}&sort=title&order=desc&perPage=2`)).body)).toEqual([
      'b1',
      'b',
    ])
    expect((await key.get(`${PAGES}?tree=true`)).status).toBe(400)
    expect((await key.get(`${PAGES}?tree=true&engagementId=eng_00000000000000000000000000`)).status).toBe(404)
    expect(titles((await owner.get(`${WEB}?organization=true&tree=true`)).body)).not.toContain('a')
  })

  test('moves pages before, after and last, in no circle and to no other tree', async () => {
    const tree = await newEngagement()
    const [a, b, c] = [
      await create({ title: 'a', engagementId: tree }),
      await create({ title: 'b', engagementId: tree }),
      await create({ title: 'c', engagementId: tree }),
    ]
    const move = (id: string, body: object) => owner.post(`${WEB}/${id}/move`, body)
    const order = async () => titles((await owner.get(`${WEB}?engagementId=${tree}&tree=true`)).body).join(' ')
    expect((await move(c.id, { parentId: null, beforeId: a.id })).body.data.revision).toBe(1)
    expect(await order()).toBe('c a b')
    await move(c.id, { parentId: null, afterId: a.id })
    expect(await order()).toBe('a c b')
    await move(a.id, { parentId: null })
    expect(await order()).toBe('c b a')
    await move(a.id, { parentId: c.id })
    await move(b.id, { parentId: a.id })
    expect(await order()).toBe('c a b')
    const elsewhere = await create({ engagementId })
    for (const body of [
      { parentId: c.id },
      { parentId: a.id },
      { parentId: b.id },
      { parentId: elsewhere.id },
      { parentId: null, beforeId: c.id },
      { parentId: null, beforeId: a.id },
      { parentId: null, afterId: elsewhere.id },
      { parentId: null, beforeId: a.id, afterId: b.id },
      { parentId: 'wik_00000000000000000000000000' },
      {},
    ]) {
      expect((await move(c.id, body)).status, JSON.stringify(body)).toBe(422)
    }
    expect(await order()).toBe('c a b')
  })

  test('of twenty who move two pages below each other at once some are refused, and no page is lost', async () => {
    const tree = await newEngagement()
    const [a, b] = [await create({ title: 'a', engagementId: tree }), await create({ title: 'b', engagementId: tree })]
    const moves = Array.from({ length: 20 }, (_, index) => {
      const [moved, parent] = index % 2 ? [a, b] : [b, a]
      return owner.post(`${WEB}/${moved.id}/move`, { parentId: parent.id })
    })
    const statuses = new Set((await Promise.all(moves)).map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 422])
    expect((await owner.get(`${WEB}?engagementId=${tree}&tree=true`)).body.meta.total).toBe(2)
  })

  test('keeps its order keys short, however often pages are put between the same two', async () => {
    const tree = await newEngagement()
    const [first, a, b] = [
      await create({ title: 'first', engagementId: tree }),
      await create({ title: 'a', engagementId: tree }),
      await create({ title: 'b', engagementId: tree }),
    ]
    // The key after hundreds of moves between the same two.
    const grown = `a0${'0'.repeat(100)}V`
    await app.db.updateTable('wiki_pages').set({ position: grown }).where('id', '=', b.id).execute()
    const { position } = (await owner.post(`${WEB}/${a.id}/move`, { parentId: null, afterId: first.id })).body.data
    expect(position.length).toBeLessThan(10)
    expect(titles((await owner.get(`${WEB}?engagementId=${tree}`)).body)).toEqual(['first', 'a', 'b'])
  })
})

describe('the trash', () => {
  const trash = (id: string) => owner.delete(`${WEB}/${id}`)
  const restore = (id: string) => owner.post(`${WEB}/${id}/restore`)

  test('receives a page with all below it, and restores them together', async () => {
    const tree = await newEngagement()
    const a = await create({ title: 'a', engagementId: tree })
    const b = await create({ title: 'b', parentId: a.id })
    const c = await create({ title: 'c', parentId: b.id })
    const d = await create({ title: 'd', parentId: b.id })
    const shown = async () => titles((await owner.get(`${WEB}?engagementId=${tree}&tree=true`)).body).join(' ')
    expect((await trash(d.id)).body.data).toEqual({ deleted: true, id: d.id })
    await trash(a.id)
    expect(await shown()).toBe('')
    expect(titles((await owner.get(`${WEB}?engagementId=${tree}&trashed=true&sort=title&order=asc`)).body)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
    expect((await restore(a.id)).body.data.trashedAt).toBeNull()
    expect(await shown()).toBe('a b c')
    expect((await restore(d.id)).body.data.parentId).toBe(b.id)
    expect(await shown()).toBe('a b c d')
    await trash(a.id)
    expect((await restore(b.id)).body.data.parentId).toBeNull()
    expect(await shown()).toBe('b c d')
    expect((await restore(c.id)).status).toBe(409)
    await restore(a.id)
    expect(await shown()).toBe('a b c d')
  })

  test('shows pages and changes none; their files, backlinks and hits are hidden until they are restored', async () => {
    const { id } = await create({ title: 'Quicksilver', body: 'quicksilver', engagementId })
    await create({ title: 'Other', body: `[[${id}]]`, engagementId })
    const file = (await owner.request('POST', `${WEB}/${id}/files?fileName=x`, { rawBody: 'x' })).body.data
    const found = async () => [
      (await owner.get(`${WEB}/${id}/files/${file.id}`)).status,
      (await owner.get(`${WEB}/${id}/backlinks`)).body.meta.total,
      (await owner.get('/api/web/search?q=quicksilver')).body.data.length,
    ]
    expect(await found()).toEqual([200, 1, 1])
    await trash(id)
    expect((await owner.get(`${WEB}/${id}`)).body.data).toMatchObject({
      body: 'quicksilver',
      trashedAt: expect.any(String),
    })
    const writes = [
      owner.patch(`${WEB}/${id}`, { title: 'x' }),
      owner.post(`${WEB}/${id}/move`, { parentId: null }),
      owner.post(WEB, { title: 'x', parentId: id }),
      owner.post(`${WEB}/${id}/revisions/1/restore`),
      owner.request('POST', `${WEB}/${id}/files?fileName=x`, { rawBody: 'x' }),
      trash(id),
    ]
    for (const { status, text } of await Promise.all(writes)) expect(status, text).toBe(409)
    expect(await found()).toEqual([404, 0, 0])
    await restore(id)
    expect(await found()).toEqual([200, 1, 1])
  })

  test('is emptied only by the owner and admins in the web, and automatically after 30 days', async () => {
    const tree = await newEngagement()
    const [a, b] = [await create({ title: 'a', engagementId: tree }), await create({ title: 'b', engagementId: tree })]
    const below = await create({ title: 'below', parentId: a.id })
    await trash(a.id)
    for (const client of [member, key]) {
      const door = client === key ? PAGES : WEB
      expect((await client.delete(`${door}/${a.id}?forever=true`)).status).toBe(403)
    }
    const admin = await app.signedIn('admin')
    expect((await admin.delete(`${WEB}/${a.id}?forever=true`)).status).toBe(200)
    for (const { id } of [a, below]) expect((await owner.get(`${WEB}/${id}`)).status).toBe(404)
    await trash(b.id)
    const { cleanWiki } = await import('../../../src/features/wiki/pages/trash.service.ts')
    const day = 24 * 60 * 60 * 1000
    const after = (days: number) =>
      cleanWiki({
        ...app.platform,
        clock: { now: () => app.clock.now() + days * day, monotonic: () => app.clock.monotonic() },
      })
    await after(29)
    expect((await owner.get(`${WEB}/${b.id}`)).status).toBe(200)
    await after(31)
    expect((await owner.get(`${WEB}/${b.id}`)).status).toBe(404)
  })
})
