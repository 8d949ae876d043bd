import { afterAll, beforeAll, expect, test } from 'vitest'
import { inParts } from '../../../src/features/wiki/text/in-parts.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { zipFrom } from '../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

test('one statement stores a limited number of pages and characters; a longer page is stored separately', () => {
  const sizes = [400_000, 100_000, 1, 500_001, 1, ...Array.from({ length: 60 }, () => 0)]
  const parts = inParts(sizes, (size) => size)
  expect(parts.flat()).toEqual(sizes)
  expect(parts.map((part) => part.length)).toEqual([2, 1, 1, 50, 11])
})

test('a page with thousands below it is deleted and restored at once, also before the database has counted them', async () => {
  const pages = isNightly ? 6_000 : 2_000
  const { data: top } = (await owner.post(WEB, { title: 'Top', engagementId: await newEngagement() })).body
  const rows = `select 'wik_' || lpad(n::text, 26, '0') as new_id, p.* from wiki_pages p, generate_series(1, ${pages}) n where p.id = '${top.id}'`
  await app.asSuperuser(`
    insert into wiki_pages (id, organization_id, engagement_id, parent_id, title, title_key, position, revision, is_template, created_at, updated_at)
      select n.new_id, organization_id, engagement_id, id, 'x', 'x', 'a' || n.new_id, 1, false, created_at, updated_at from (${rows}) n;
    insert into wiki_revisions (organization_id, engagement_id, page_id, revision, body, size, created_at, edit_started_at)
      select organization_id, engagement_id, new_id, 1, 'x', 1, created_at, created_at from (${rows}) n`)
  const trashed = await owner.delete(`${WEB}/${top.id}`)
  expect(trashed.status, trashed.text).toBe(200)
  expect((await owner.get(`${WEB}?engagementId=${top.engagementId}&trashed=true`)).body.meta.total).toBe(pages + 1)
  expect((await owner.post(`${WEB}/${top.id}/restore`)).status).toBe(200)
  expect(await tree(top.engagementId)).toHaveLength(pages + 1)
})

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Large' })).body.data.id
const tree = async (engagementId: string) =>
  (await owner.get(`${WEB}?engagementId=${engagementId}&tree=true`)).body.data as {
    id: string
    title: string
    parentId: string | null
  }[]
const found = async (engagementId: string, q: string) =>
  (await owner.get(`/api/web/search?q=${q}&engagementId=${engagementId}`)).body.data.length

/** Words without repetition: each is an entry of the index. */
const wordsOf = (seed: number, length: number): string => {
  let text = `seed${seed} `
  for (let index = 0; text.length < length; index++)
    text += `${((index * 2_654_435_761 + seed * 97) % 2 ** 32).toString(36)} `
  return text.slice(0, length)
}

nightly.each([
  ['of long texts', 40, 250_000],
  ['of many pages', 2_000, 1_000],
])(
  'a tree %s is imported, deleted, restored, cloned, and permanently deleted, and found by its words as long as it exists',
  async (_, pages, length) => {
    const engagementId = await newEngagement()
    const zip = zipFrom(
      Array.from({ length: pages }, (__, index) => ({ name: `Top/${index}.md`, data: wordsOf(index, length) })),
    )
    const imported = await owner.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody: zip })
    expect(imported.status, imported.text).toBe(201)
    const before = await tree(engagementId)
    expect(before).toHaveLength(pages + 1)
    const top = before[0] as { id: string }
    const last = `seed${pages - 1}`
    expect(await found(engagementId, last)).toBe(1)
    const trashed = await owner.delete(`${WEB}/${top.id}`)
    expect(trashed.status, trashed.text).toBe(200)
    expect([await tree(engagementId), await found(engagementId, last)]).toEqual([[], 0])
    const restored = await owner.post(`${WEB}/${top.id}/restore`)
    expect(restored.status, restored.text).toBe(200)
    const plain = (list: { id: string; title: string; parentId: string | null }[]) => list.map(({ title }) => title)
    expect(await tree(engagementId)).toMatchObject(before.map(({ id, title }) => ({ id, title })))
    expect(await found(engagementId, last)).toBe(1)
    const cloned = await owner.post(`/api/web/engagements/${engagementId}/clone`, { name: 'Retest', include: ['wiki'] })
    expect(cloned.status, cloned.text).toBe(201)
    const copy = cloned.body.data.id
    expect(plain(await tree(copy))).toEqual(plain(before))
    expect(await found(copy, last)).toBe(1)
    const gone = await owner.delete(`${WEB}/${top.id}?forever=true`)
    expect(gone.status, gone.text).toBe(200)
    expect([await tree(engagementId), await found(engagementId, last), await found(copy, last)]).toEqual([[], 0, 1])
  },
  600_000,
)
