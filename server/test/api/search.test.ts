import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { excerptOf } from '../../src/features/search/excerpt.ts'
import { wordsOf } from '../../src/platform/search/words.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import type { TestClient } from '../support/test-client.ts'

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (name: string, details = {}): Promise<string> => (await owner.post('/api/web/engagements', { name, details })).body.data.id
const page = async (title: string, body = '', wanted = {}): Promise<string> =>
  (await owner.post('/api/web/wiki-pages', { title, body, ...wanted })).body.data.id

const find = async (q: string, client = owner, more = '') => {
  const door = client.headers['authorization'] ? 'v1' : 'web'
  const { status, body, text } = await client.get(`/api/${door}/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, text).toBe(200)
  return body.data as { type: string; id: string; title: string; engagementId: string | null; excerpt: { text: string; match: boolean }[] }[]
}
const titles = async (q: string, client = owner, more = '') => (await find(q, client, more)).map(({ title }) => title)

describe('search', () => {
  test('takes each word as the beginning of one, needs all, and knows neither case nor accents', async () => {
    await page('Zugänge', 'Das Gateway ist über ΑΛΦΑ und CVE-2024-1234 erreichbar')
    for (const q of ['zugange', 'ZUGÄN', 'gate uber', 'αλφ', 'cve-2024-1234', 'cve 2024', '1234', 'Zugänge gateway'])
      expect(await titles(q), q).toEqual(['Zugänge'])
    for (const q of ['ateway', 'gateway missing', 'cve-2025', '%', '_', "' or 2=2", 'org', '=', '&|!:*<->', '\\']) expect(await titles(q), q).toEqual([])
  })

  test('finds what the last save changed, and not what it removed', async () => {
    const id = await page('Notes', 'orchid')
    expect(await titles('orchid')).toEqual(['Notes'])
    await owner.patch(`/api/web/wiki-pages/${id}`, { body: 'tulip', baseRevision: 1 })
    expect([await titles('orchid'), await titles('tulip')]).toEqual([[], ['Notes']])
    await owner.patch(`/api/web/wiki-pages/${id}`, { title: 'Renamed peony' })
    expect(await titles('peony')).toEqual(['Renamed peony'])
  })

  test('puts titles first, then the newest, and shows the piece that matched as plain text', async () => {
    await page('Something', 'a long beginning. '.repeat(50) + 'Here the <b>Kerberos</b> ticket is <script>alert(1)</script> shown')
    await page('Kerberos', 'text')
    await page('Kerberos tickets', 'text')
    const hits = await find('kerberos')
    expect(hits.map(({ title }) => title)).toEqual(['Kerberos', 'Kerberos tickets', 'Something'])
    const { excerpt } = hits[2] as { excerpt: { text: string; match: boolean }[] }
    expect(excerpt.filter(({ match }) => match)).toEqual([{ text: 'Kerberos', match: true }])
    expect(excerpt.map(({ text }) => text).join('')).toContain('<b>Kerberos</b> ticket is <script>alert(1)</script>')
  })

  test('finds engagements by name, client and description, and narrows by type and engagement', async () => {
    const id = await engagement('Perimeter of Örebro', { clientName: 'Fjärran AB' })
    await page('Orebro page', '', { engagementId: id })
    await page('Orebro elsewhere')
    expect((await find('örebro')).map(({ type }) => type)).toEqual(['engagement', 'page', 'page'])
    expect(await titles('fjarran')).toEqual(['Perimeter of Örebro'])
    expect(await titles('orebro', owner, '&type=engagement')).toEqual(['Perimeter of Örebro'])
    expect(await titles('orebro', owner, `&type=page&engagementId=${id}`)).toEqual(['Orebro page'])
    expect((await owner.get('/api/web/search?q=x&engagementId=eng_00000000000000000000000000')).status).toBe(404)
    for (const query of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=x&type=nothing']) expect((await owner.get(`/api/web/search?${query}`)).status, query).toBe(400)
  })

  test('finds with a key what its scopes can read, and nothing else', async () => {
    await engagement('Magnolia engagement')
    await page('Magnolia page')
    const [pages, engagements, neither] = [await app.withKey(['wiki:read']), await app.withKey(['organizations:read']), await app.withKey(['tasks:read'])]
    expect(await titles('magnolia', pages)).toEqual(['Magnolia page'])
    expect(await titles('magnolia', engagements)).toEqual(['Magnolia engagement'])
    expect(await titles('magnolia', neither)).toEqual([])
  })

  test('A6: shows nothing of a closed engagement to others, nor of another organization', async () => {
    const hidden = await engagement('Wisteria closed', { access: 'team', team: [] })
    await page('Wisteria secret', 'wisteria', { engagementId: hidden })
    await page('Wisteria open')
    const member = await app.signedIn('member')
    const stranger = await app.signedIn('owner', await app.createOrganization())
    expect((await titles('wisteria')).length).toBe(3)
    expect(await titles('wisteria', member)).toEqual(['Wisteria open'])
    expect(await titles('wisteria', stranger)).toEqual([])
    const open = await owner.post('/api/web/api-keys', { name: 'open', environment: 'live', scopes: ['wiki:read'], engagementIds: 'open' })
    expect(await titles('wisteria', app.anonymous.with({ authorization: `Bearer ${open.body.data.value}` }))).toEqual(['Wisteria open'])
  })

  test('A14: find_pages answers only for the organization and the viewer of its transaction', async () => {
    const id = await page('Foxglove')
    const other = await app.createOrganization()
    const ask = (organization: string, viewer: string, scope: string) =>
      sql`select * from find_pages(${organization}, ${viewer}, 'foxglove'::tsquery, null, 10)`.execute(app.platform.scopedTo(scope, 'all'))
    expect((await ask(app.organization.id, 'all', app.organization.id)).rows).toEqual([{ page_id: id, is_in_title: true }])
    expect((await ask(app.organization.id, 'all', other.id)).rows).toEqual([])
    expect((await ask(app.organization.id, '*', app.organization.id)).rows).toEqual([])
    const words = sql`select words from wiki_page_words`.execute(app.platform.scopedTo(other.id, 'all'))
    await expect(words).rejects.toThrow(/permission denied/)
  })
})

describe('words and excerpts', () => {
  test('the database folds texts as the server does', async () => {
    for (const text of ['Zugänge ÅNGSTRÖM', 'ΑΛΦΑ Straße İstanbul', 'a_b-c.d/e:f', 'x\u0301y 日本語 テスト', '  ', '10.0.0.1/24', 'ﬁne']) {
      const { rows } = await sql<{ folded: string }>`select search_text(${text}) as folded`.execute(app.db)
      expect(rows[0]?.folded.trim().split(' ').filter(Boolean), text).toEqual(text.startsWith('10.') ? ['10', '0', '0', '1', '24'] : wordsOf(text))
    }
  })

  test('an excerpt has at most 200 characters, whole ones, and says what matched', () => {
    for (const text of ['🧭'.repeat(1_000), `${'x '.repeat(500)}needle ${'🧭'.repeat(300)}`, 'needle', '', '\n\nneedle\t\n']) {
      const pieces = excerptOf(text, ['needle'])
      const joined = pieces.map((piece) => piece.text).join('')
      expect(joined.length).toBeLessThanOrEqual(201)
      expect(joined.isWellFormed()).toBe(true)
      expect(pieces.some(({ match }) => match)).toBe(text.includes('needle'))
    }
  })
})
