import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let member: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const find = async (q: string, client = member, more = '') => {
  const door = client.headers['authorization'] ? 'v1' : 'web'
  const { status, body, text } = await client.get(`/api/${door}/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, text).toBe(200)
  return body.data as { type: string; id: string; title: string; engagementId: string | null }[]
}
const keyFor = async (scopes: string[], engagementIds: string[]) => {
  const { status, body, text } = await owner.post('/api/web/api-keys', {
    name: 'limited',
    environment: 'live',
    scopes,
    engagementIds,
  })
  expect(status, text).toBe(201)
  return app.anonymous.with({ authorization: `Bearer ${body.data.value}` })
}
const titles = async (q: string, client = member, more = '') => (await find(q, client, more)).map(({ title }) => title)
const entry = async (key: string, text: object, more = {}) =>
  (await member.post('/api/web/library-entries', { key, mainLanguage: 'en', texts: { en: text }, ...more })).body.data

test('search finds own entries by title in every language, texts, CWE and rule, as they were last saved', async () => {
  const { id } = await entry(
    'amaryllis',
    { title: 'Amaryllis entry', impact: 'begonia' },
    { cwe: ['CWE-7777'], rules: [{ tool: 'nuclei', ruleId: 'camellia-rule' }] },
  )
  for (const q of ['amaryllis', 'begonia', 'cwe-7777', 'camellia'])
    expect(await titles(q), q).toEqual(['Amaryllis entry'])
  await member.patch(`/api/web/library-entries/${id}`, {
    texts: { en: { impact: 'dahlia' }, de: { title: 'Ritterstern' } },
  })
  expect([await titles('begonia'), await titles('dahlia'), await titles('ritterstern')]).toEqual([
    [],
    ['Amaryllis entry'],
    ['Amaryllis entry'],
  ])
  expect(await find('amaryllis')).toMatchObject([{ type: 'library_entry', id, engagementId: null }])
  await member.delete(`/api/web/library-entries/${id}`)
  expect(await titles('amaryllis')).toEqual([])
})

test('search finds built-in entries, titles first, and not within an engagement', async () => {
  const found = await find('kerberoasting', member, '&type=library_entry')
  expect(found[0]).toMatchObject({ type: 'library_entry', engagementId: null })
  expect(found[0]?.title).toMatch(/kerberoast/i)
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Elsewhere' })).body.data.id
  expect(await find('kerberoasting', owner, `&type=library_entry&engagementId=${engagementId}`)).toEqual([])
  const limited = await keyFor(['reports:read'], [engagementId])
  expect((await find('kerberoasting', limited)).length).toBeGreaterThan(0)
  expect(await titles('kerberoasting', await app.withKey(['tasks:read']))).toEqual([])
})

test('a proposal is found only by those who see its engagement, until it is approved', async () => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team' } })).body
    .data.id
  const finding = (await owner.post('/api/web/findings', { engagementId, title: 'Edelweiss flaw' })).body.data
  const { id } = (await owner.post('/api/web/library-entries', { fromFindingId: finding.id })).body.data
  expect((await find('edelweiss', owner, '&type=library_entry')).map((hit) => hit.id)).toEqual([id])
  expect(await find('edelweiss', member)).toEqual([])
  await owner.patch(`/api/web/library-entries/${id}`, { state: 'approved' })
  expect((await find('edelweiss', member)).map((hit) => hit.id)).toEqual([id])
})

test('search finds retests by name, as they are called now', async () => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'With retests' })).body.data.id
  const finding = (await owner.post('/api/web/findings', { engagementId, title: 'To test again' })).body.data
  const { id } = (
    await owner.post('/api/web/retests', { engagementId, name: 'Freesia round', findingIds: [finding.id] })
  ).body.data
  expect(await find('freesia')).toMatchObject([{ type: 'retest', id, engagementId, title: 'Freesia round' }])
  await owner.patch(`/api/web/retests/${id}`, { name: 'Gardenia round' })
  expect([await titles('freesia'), await titles('gardenia')]).toEqual([[], ['Gardenia round']])
})
