import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { excerptOf } from '../../../src/features/search/excerpt.ts'
import { wordsOf } from '../../../src/platform/search/words.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (name: string, details = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name, details })).body.data.id
const page = async (title: string, body = '', wanted = {}): Promise<string> =>
  (await owner.post('/api/web/wiki-pages', { title, body, ...wanted })).body.data.id

/** One of each type, with the word in its text or title. */
const everyObject = async (engagementId: string, word: string) => {
  const create = async (path: string, body: object): Promise<string> => {
    const { status, body: answer, text } = await owner.post(`/api/web/${path}`, { engagementId, ...body })
    expect(status, text).toBe(201)
    return answer.data.id
  }
  const vulnerability = {
    asset: 'www.example.com',
    severity: 'low',
    data: { cve: ['CVE-2024-77777', 'CVE-2024-77778'] },
  }
  return {
    target: await create('targets', {
      value: `${word.toLowerCase()}.example`.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    }),
    result: await create('results', { ...vulnerability, title: `${word} in a cookie` }),
    task: await create('tasks', { title: 'Look', description: `at the ${word}` }),
    request: await create('api-requests', {
      name: 'Ask',
      method: 'GET',
      url: 'https://example.com/',
      description: word,
    }),
  }
}

const find = async (q: string, client = owner, more = '') => {
  const door = client.headers['authorization'] ? 'v1' : 'web'
  const { status, body, text } = await client.get(`/api/${door}/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, text).toBe(200)
  return body.data as {
    type: string
    id: string
    title: string
    engagementId: string | null
    excerpt: { text: string; match: boolean }[]
  }[]
}
const titles = async (q: string, client = owner, more = '') => (await find(q, client, more)).map(({ title }) => title)

describe('search', () => {
  test('matches each word as a prefix, needs all, and ignores case and accents', async () => {
    await page('Zugänge', 'Das Gateway ist über ΑΛΦΑ und CVE-2024-1234 erreichbar')
    for (const q of ['zugange', 'ZUGÄN', 'gate uber', 'αλφ', 'cve-2024-1234', 'cve 2024', '1234', 'Zugänge gateway'])
      expect(await titles(q, owner, '&type=page'), q).toEqual(['Zugänge'])
    for (const q of ['ateway', 'gateway missing', 'cve-2025', '%', '_', "' or 2=2", 'org', '=', '&|!:*<->', '\\'])
      expect(await titles(q), q).toEqual([])
  })

  test('finds the text of the last save, and not what it removed', async () => {
    const id = await page('Notes', 'orchid')
    expect(await titles('orchid')).toEqual(['Notes'])
    await owner.patch(`/api/web/wiki-pages/${id}`, { body: 'tulip', baseRevision: 1 })
    expect([await titles('orchid'), await titles('tulip')]).toEqual([[], ['Notes']])
    await owner.patch(`/api/web/wiki-pages/${id}`, { title: 'Renamed peony' })
    expect(await titles('peony')).toEqual(['Renamed peony'])
  })

  test('lists titles first, then the newest, and shows the matching piece as plain text', async () => {
    await page(
      'Something',
      'a long beginning. '.repeat(50) + 'Here the <b>Kerberos</b> ticket is <script>alert(1)</script> shown',
    )
    await page('Kerberos', 'text')
    await page('Kerberos tickets', 'text')
    const hits = await find('kerberos', owner, '&type=page')
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
    for (const query of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=x&type=nothing'])
      expect((await owner.get(`/api/web/search?${query}`)).status, query).toBe(400)
  })

  test('finds with a key only what its scopes can read', async () => {
    await engagement('Magnolia engagement')
    await page('Magnolia page')
    const [pages, engagements, neither] = [
      await app.withKey(['wiki:read']),
      await app.withKey(['organizations:read']),
      await app.withKey(['tasks:read']),
    ]
    expect(await titles('magnolia', pages)).toEqual(['Magnolia page'])
    expect(await titles('magnolia', engagements)).toEqual(['Magnolia engagement'])
    expect(await titles('magnolia', neither)).toEqual([])
  })

  test('A6: shows nothing of a closed engagement to others, or of another organization', async () => {
    const hidden = await engagement('Wisteria closed', { access: 'team', team: [] })
    await page('Wisteria secret', 'wisteria', { engagementId: hidden })
    await page('Wisteria open')
    const member = await app.signedIn('member')
    const stranger = await app.signedIn('owner', await app.createOrganization())
    expect((await titles('wisteria')).length).toBe(3)
    expect(await titles('wisteria', member)).toEqual(['Wisteria open'])
    expect(await titles('wisteria', stranger)).toEqual([])
    const open = await owner.post('/api/web/api-keys', {
      name: 'open',
      environment: 'live',
      scopes: ['wiki:read'],
      engagementIds: 'open',
    })
    expect(await titles('wisteria', app.anonymous.with({ authorization: `Bearer ${open.body.data.value}` }))).toEqual([
      'Wisteria open',
    ])
  })

  test('finds targets, results, tasks and saved requests by their words, and a full address before its neighbours', async () => {
    const engagementId = await engagement('Everything in one')
    const made = await everyObject(engagementId, 'Clématite')
    for (const [type, id] of Object.entries(made)) {
      const hits = await find('clematite', owner, `&type=${type}`)
      expect(
        hits.map((hit) => [hit.type, hit.id, hit.engagementId]),
        type,
      ).toEqual([[type, id, engagementId]])
    }
    await owner.post('/api/web/targets/bulk', {
      engagementId,
      text: '198.51.100.7\n198.51.100.71\n198.51.7.100\n7.100.51.198',
    })
    expect((await titles('198.51.100.7', owner, '&type=target')).toSorted()).toEqual(['198.51.100.7', '198.51.100.71'])
    const byCve = await find('cve-2024-77', owner, '&type=result')
    expect(byCve.map(({ id }) => id)).toEqual([made.result])
    expect(byCve[0]?.excerpt.map(({ text }) => text).join('')).toBe('www.example.com CVE-2024-77777, CVE-2024-77778')
  })

  test('finds the new text of a changed object, and nothing of a deleted one', async () => {
    const engagementId = await engagement('Changes of everything')
    const made = await everyObject(engagementId, 'Gentian')
    const paths = { target: 'targets', result: 'results', task: 'tasks', request: 'api-requests' }
    const changes = {
      target: { notes: 'edelweiss' },
      result: { title: 'Edelweiss' },
      task: { title: 'Edelweiss' },
      request: { name: 'Edelweiss' },
    }
    for (const [type, id] of Object.entries(made)) {
      const address = `/api/web/${paths[type as 'task']}/${id}`
      expect((await owner.patch(address, changes[type as 'task'])).status, type).toBe(200)
      expect(
        (await find('edelweiss', owner, `&type=${type}`)).map((hit) => hit.id),
        type,
      ).toEqual([id])
      expect((await owner.delete(address)).status, type).toBe(200)
      expect(await find('edelweiss', owner, `&type=${type}`), type).toEqual([])
    }
    const { rows } = await sql`select 1 from object_words where object_id = any(${Object.values(made)})`.execute(app.db)
    expect(rows).toEqual([])
  })

  test('a word that everything contains finds the newest; a rare one is found below any number of others', async () => {
    const engagementId = await engagement('Many targets')
    const text = (from: number) => Array.from({ length: 2_500 }, (_, i) => `h${from + i}.azalea.example`).join('\n')
    await owner.post('/api/web/targets', { engagementId, value: 'oldest-one.azalea.example' })
    await owner.post('/api/web/targets/bulk', { engagementId, text: text(0) })
    await owner.post('/api/web/targets/bulk', { engagementId, text: text(2_500) })
    expect(await titles('oldest azalea', owner, `&type=target&engagementId=${engagementId}`)).toEqual([
      'oldest-one.azalea.example',
    ])
    const numbers = (await titles('azalea', owner, '&type=target')).map((title) => Number(/^h(\d+)/.exec(title)?.[1]))
    expect(numbers).toHaveLength(50)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(2_500)
    expect(await titles('azalea h2', owner, '&type=target')).toHaveLength(50)
  })

  test('shows a share of each type, in the overall order, however much better a type with many matches fits', async () => {
    const engagementId = await engagement('Shares')
    const text = Array.from({ length: 60 }, (_, i) => `h${i}.heather.example`).join('\n')
    await owner.post('/api/web/targets/bulk', { engagementId, text })
    const made: string[] = []
    for (let i = 0; i < 20; i++) made.push(await page(`Notes ${i}`, 'where the heather is', { engagementId }))
    const task = await owner.post('/api/web/tasks', { engagementId, title: 'Look', description: 'behind the heather' })
    const hits = await find('heather', owner, `&engagementId=${engagementId}`)
    expect(hits.map(({ type }) => type)).toEqual([...Array(33).fill('target'), ...Array(16).fill('page'), 'task'])
    expect(hits.slice(33).map(({ id }) => id)).toEqual([...made.toReversed().slice(0, 16), task.body.data.id])
    expect(await find('heather', owner, '&type=target')).toHaveLength(50)
  })

  test('shows exact titles first, also if fifty newer ones contain the words', async () => {
    const engagementId = await engagement('Names')
    const [oldPage, oldTask] = [
      await page('Jasmine notes', '', { engagementId }),
      (await owner.post('/api/web/tasks', { engagementId, title: 'Jasmine -- NOTES' })).body.data.id,
    ]
    for (let i = 0; i < 51; i++) {
      await page(`Jasmine notes ${i}`, '', { engagementId })
      await owner.post('/api/web/tasks', { engagementId, title: `More jasmine notes ${i}` })
    }
    const hits = await find('jasmine notes', owner, `&engagementId=${engagementId}`)
    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual([oldPage, oldTask])
    expect(hits).toHaveLength(50)
  })

  test('of a word with more matches than are examined, the newest are found', async () => {
    const engagementId = await engagement('Very many targets')
    const owned = `${app.organization.id}/target`
    const rows = (count: number, prefix: string, word: string) =>
      app.asSuperuser(`insert into object_words (object_id, owner, tree, words)
        select 'tgt_${prefix}' || lpad(i::text, 20, '0'), '${owned}', '${engagementId}', object_vector(array['=${owned}', '=${engagementId}/target'], '${word}')
        from generate_series(1, ${count}) i`)
    await rows(21_000, '00a', 'gentian')
    await rows(2_000, '00z', 'other')
    await owner.post('/api/web/targets', { engagementId, value: 'newest.gentian.example' })
    expect(await titles('gentian', owner, '&type=target')).toEqual(['newest.gentian.example'])
    await app.asSuperuser(
      `delete from object_words where tree = '${engagementId}' and object_id like 'tgt#_00%' escape '#'`,
    )
  })

  test('A6: targets, results, tasks and requests of a closed engagement are not found by others, by session or by key', async () => {
    const hidden = await engagement('Closed with everything', { access: 'team', team: [] })
    const open = await engagement('Open with everything')
    await everyObject(hidden, 'Amaryllis')
    await everyObject(open, 'Amaryllis')
    const scopes = ['targets:read', 'tasks:read', 'api-requests:read'] as const
    const limitedTo = async (engagementIds: unknown, wanted: readonly string[] = scopes) => {
      const { body } = await owner.post('/api/web/api-keys', {
        name: 'limited',
        environment: 'live',
        scopes: wanted,
        engagementIds,
      })
      return app.anonymous.with({ authorization: `Bearer ${body.data.value}` })
    }
    const seen = async (client: TestClient) =>
      [...new Set((await find('amaryllis', client)).map((hit) => hit.engagementId))].toSorted()
    const types = async (client: TestClient) => (await find('amaryllis', client)).map(({ type }) => type).toSorted()
    expect(await seen(owner)).toEqual([hidden, open].toSorted())
    expect(await seen(await app.signedIn('member'))).toEqual([open])
    expect(await seen(await limitedTo('open'))).toEqual([open])
    expect(await seen(await limitedTo([hidden]))).toEqual([hidden])
    expect(await seen(await app.signedIn('owner', await app.createOrganization()))).toEqual([])
    expect(await types(await limitedTo([open], ['tasks:read']))).toEqual(['task'])
    expect(await types(await limitedTo([open]))).toEqual(['request', 'result', 'target', 'task'])
    await owner.request('DELETE', `/api/web/engagements/${open}`, { body: { name: 'Open with everything' } })
    expect(await seen(owner)).toEqual([hidden])
  })

  test('A14: find_objects answers only for the organization and the viewer of its transaction', async () => {
    const { target } = await everyObject(await engagement('Walls'), 'Hyssop')
    const other = await app.createOrganization()
    const ask = async (organization: string, viewer: string, scope: string) =>
      (
        await sql`select * from find_objects(${organization}, ${viewer}, 'target', 'hyssop'::tsquery, null, 10)`.execute(
          app.platform.scopedTo(scope, 'all'),
        )
      ).rows
    expect(await ask(app.organization.id, 'all', app.organization.id)).toEqual([{ object_id: target }])
    expect(await ask(app.organization.id, 'all', other.id)).toEqual([])
    expect(await ask(app.organization.id, '*', app.organization.id)).toEqual([])
    expect(await ask(`${other.id}' | 'hyssop`, 'all', other.id).catch(() => 'refused')).toEqual([])
    await expect(sql`select words from object_words`.execute(app.platform.scopedTo(other.id, 'all'))).rejects.toThrow(
      /permission denied/,
    )
  })

  test('A14: find_pages answers only for the organization and the viewer of its transaction', async () => {
    const id = await page('Foxglove')
    const other = await app.createOrganization()
    const ask = (organization: string, viewer: string, scope: string) =>
      sql`select * from find_pages(${organization}, ${viewer}, 'foxglove'::tsquery, null, 10)`.execute(
        app.platform.scopedTo(scope, 'all'),
      )
    expect((await ask(app.organization.id, 'all', app.organization.id)).rows).toEqual([
      { page_id: id, is_in_title: true },
    ])
    expect((await ask(app.organization.id, 'all', other.id)).rows).toEqual([])
    expect((await ask(app.organization.id, '*', app.organization.id)).rows).toEqual([])
    const words = sql`select words from wiki_page_words`.execute(app.platform.scopedTo(other.id, 'all'))
    await expect(words).rejects.toThrow(/permission denied/)
  })
})

describe('words and excerpts', () => {
  test('the database folds texts as the server does', async () => {
    const letters = 'ßẞłŁøØæÆđĐœŒþÞðÐħŧıſﬁĳǆ Ｆｕｌｌ－ｗｉｄｔｈ ½ m² №5 ™ ㎏ ｶﾞ'
    for (const text of [
      letters,
      'Zugänge ÅNGSTRÖM',
      'ΑΛΦΑ Straße İstanbul',
      'a_b-c.d/e:f',
      'x\u0301y 日本語 テスト',
      '  ',
      '10.0.0.1/24',
      'ﬁne',
    ]) {
      const { rows } = await sql<{ folded: string }>`select search_text(${text}) as folded`.execute(app.db)
      expect(rows[0]?.folded.trim().split(' ').filter(Boolean), text).toEqual(
        text.startsWith('10.') ? ['10', '0', '0', '1', '24'] : wordsOf(text),
      )
    }
  })

  test('an excerpt has at most 200 whole characters, and marks the match', () => {
    for (const text of [
      '🧭'.repeat(1_000),
      `${'x '.repeat(500)}needle ${'🧭'.repeat(300)}`,
      'needle',
      '',
      '\n\nneedle\t\n',
    ]) {
      const pieces = excerptOf(text, ['needle'])
      const joined = pieces.map((piece) => piece.text).join('')
      expect(joined.length).toBeLessThanOrEqual(201)
      expect(joined.isWellFormed()).toBe(true)
      expect(pieces.some(({ match }) => match)).toBe(text.includes('needle'))
    }
  })
})

describe('letters that people type otherwise', () => {
  /** As it is written, and as it is typed. */
  const WRITTEN: [written: string, typed: string][] = [
    ['Straßenplan', 'strassenplan'],
    ['Łódźplan', 'lodzplan'],
    ['Øresundplan', 'oresundplan'],
    ['Æblegårdplan', 'aeblegardplan'],
    ['Đurđevplan', 'durdevplan'],
    ['Œuvreplan', 'oeuvreplan'],
    ['Þingvellirplan', 'thingvellirplan'],
    ['ﬁnalplan', 'finalplan'],
    ['Ｆｕｌｌｗｉｄｔｈ', 'fullwidth'],
  ]

  test.each(WRITTEN)('%s is found by %s, and the other way round, in every type', async (written, typed) => {
    const engagementId = await engagement(`${written} one`)
    const pageId = await page('A page', `with ${written} in it`)
    const task = async (title: string): Promise<string> =>
      (await owner.post('/api/web/tasks', { engagementId, title })).body.data.id
    const [inWriting, asTyped] = [await task(`Look at ${written}`), await task(`Look at ${typed}`)]
    for (const question of [written, typed, typed.slice(0, 6)]) {
      const ids = (await find(question)).map(({ id }: { id: string }) => id)
      for (const id of [engagementId, pageId, inWriting, asTyped]) expect(ids, question).toContain(id)
    }
    const [hit] = (await find(typed)).filter(({ id }: { id: string }) => id === pageId)
    expect(hit?.excerpt.filter(({ match }: { match: boolean }) => match)).toEqual([{ text: written, match: true }])
  })
})

test('several types are named with commas, as in any list', async () => {
  const engagementId = await engagement('Saxifrage')
  const pageId = await page('Saxifrage')
  const taskId = (await owner.post('/api/web/tasks', { engagementId, title: 'Saxifrage' })).body.data.id
  const ids = async (types: string) =>
    (await find('saxifrage', owner, `&type=${types}`)).map(({ id }: { id: string }) => id).toSorted()
  expect(await ids('page,task')).toEqual([pageId, taskId].toSorted())
  expect(await ids('task')).toEqual([taskId])
  expect(await ids('page,engagement,task')).toEqual([engagementId, pageId, taskId].toSorted())
  expect((await owner.get('/api/web/search?q=x&type=page,nothing')).status).toBe(400)
})
