import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let key: TestClient
const METHODOLOGIES = '/api/v1/methodologies'
const SCOPES = [
  'tasks:read',
  'tasks:write',
  'targets:read',
  'targets:write',
  'organizations:read',
  'organizations:write',
] as const

/** Targets of the largest coverage matrix, which has 100 items: as many tasks as an engagement may have. */
const TARGETS = isNightly ? 100 : 10

beforeAll(async () => {
  app = await testApp({ workers: false, env: { TASK_LIMIT: String(100 * TARGETS) } })
  key = await app.withKey(SCOPES)
})
afterAll(() => app.close())

const ITEMS = [
  { key: 'W-1', title: 'Login', description: 'How **well**', group: 'Web', appliesTo: ['url', 'domain'] },
  { key: 'W-2', title: 'TLS', description: '', group: 'Web', appliesTo: ['url'] },
  { key: 'P-1', title: 'Report', description: '', group: '', appliesTo: [] },
]

const create = async (items: object[] = ITEMS, client = key) => {
  const response = await client.post(METHODOLOGIES, { name: 'Ours', version: '1', items })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

const engagement = async (): Promise<string> => (await key.post('/api/v1/engagements', { name: 'Tested' })).body.data.id

const addTargets = async (engagementId: string, ...values: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const value of values) ids.push((await key.post('/api/v1/targets', { engagementId, value })).body.data.id)
  return ids
}

const expand = (id: string, engagementId: string, targets: object = { filter: {} }, more: object = {}) =>
  key.post(`${METHODOLOGIES}/${id}/expand`, { engagementId, targets, ...more })

const coverage = async (engagementId: string, id: string) => {
  const { status, body, text } = await key.get(`/api/v1/engagements/${engagementId}/coverage?methodologyId=${id}`)
  expect(status, text).toBe(200)
  return body.data
}

describe('methodologies', () => {
  test('are created, read, changed, copied and deleted; the list has no items', async () => {
    const made = await create()
    expect(made).toMatchObject({
      name: 'Ours',
      version: '1',
      description: '',
      builtIn: false,
      itemCount: 3,
      items: ITEMS,
    })
    expect((await key.get(`${METHODOLOGIES}/${made.id}`)).body.data).toEqual(made)
    const changed = (
      await key.patch(`${METHODOLOGIES}/${made.id}`, {
        version: '2',
        items: ITEMS.slice(1),
        ifUpdatedAt: made.updatedAt,
      })
    ).body.data
    expect(changed).toMatchObject({ version: '2', itemCount: 2 })
    expect((await key.patch(`${METHODOLOGIES}/${made.id}`, { version: '3', ifUpdatedAt: made.updatedAt })).status).toBe(
      409,
    )
    expect((await key.patch(`${METHODOLOGIES}/${made.id}`, { items: ITEMS.slice(1) })).body.data).toEqual(changed)
    const copy = await key.post(`${METHODOLOGIES}/${made.id}/copy`)
    expect(copy.body.data).toMatchObject({ name: 'Ours (copy)', version: '2', items: changed.items })
    const { body } = await key.get(`${METHODOLOGIES}?q=ours&sort=name&order=asc`)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Ours', 'Ours (copy)'])
    expect(body.data[0].items).toBeUndefined()
    expect((await key.delete(`${METHODOLOGIES}/${made.id}`)).status).toBe(200)
    expect((await key.get(`${METHODOLOGIES}/${made.id}`)).status).toBe(404)
  })

  test('that are built in can be read by everyone and changed by no one', async () => {
    const { body } = await key.get(`${METHODOLOGIES}?perPage=100`)
    const builtIn = body.data.filter((methodology: { builtIn: boolean }) => methodology.builtIn)
    expect(builtIn.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Cloud configuration',
      'External network',
      'OWASP Web Security Testing Guide',
    ])
    const wstg = (
      await key.get(`${METHODOLOGIES}/${builtIn.find(({ version }: { version: string }) => version === '4.2').id}`)
    ).body.data
    expect(wstg.items.length).toBe(97)
    expect(wstg.items.find((item: { key: string }) => item.key === 'WSTG-INPV-19').title).toBe(
      'Testing for Server-Side Request Forgery',
    )
    for (const { key: item, description } of wstg.items) {
      expect(description, item).toMatch(
        /^.{30,}\n\n\[Read the test in the OWASP guide\]\(https:\/\/owasp\.org\/[\w./-]+\)$/,
      )
    }
    expect(wstg.description).toMatch(/owasp\.org.*CC BY-SA 4\.0/)
    for (const { id } of builtIn) {
      expect((await key.patch(`${METHODOLOGIES}/${id}`, { name: 'x' })).status).toBe(409)
      expect((await key.delete(`${METHODOLOGIES}/${id}`)).status).toBe(409)
    }
    const copy = (await key.post(`${METHODOLOGIES}/${wstg.id}/copy`)).body.data
    expect((await key.patch(`${METHODOLOGIES}/${copy.id}`, { name: 'Our WSTG' })).body.data).toMatchObject({
      builtIn: false,
      itemCount: 97,
    })
  })

  test('walked through by pages are neither repeated nor skipped', async () => {
    for (let i = 0; i < 5; i++) await create([])
    const all = (await key.get(`${METHODOLOGIES}?perPage=100&sort=name`)).body.data.map(({ id }: { id: string }) => id)
    const walked: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await key.get(
        `${METHODOLOGIES}?perPage=2&sort=name${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      )
      walked.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.meta.nextCursor
    } while (cursor !== null)
    expect(walked).toEqual(all)
  })

  test.each([
    [
      {
        items: [
          { key: 'a', title: 'x' },
          { key: 'a', title: 'y' },
        ],
      },
    ],
    [{ items: [{ key: 'a', title: 'x', appliesTo: ['host'] }] }],
    [{ items: Array.from({ length: 1_001 }, (_, i) => ({ key: `k${i}`, title: 'x' })) }],
    [{ name: '' }],
  ])('with invalid values are 422 (%#)', async (fields) => {
    expect((await key.post(METHODOLOGIES, { name: 'x', ...fields })).status).toBe(422)
  })

  test('A3: a key that is limited to engagements sees only the built-in ones, and creates none', async () => {
    const own = await create()
    const engagementId = await engagement()
    const owner = await app.signedIn('owner')
    const made = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: SCOPES,
      engagementIds: [engagementId],
    })
    const limited = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
    const { body } = await limited.get(`${METHODOLOGIES}?perPage=100`)
    expect(body.data.every(({ builtIn }: { builtIn: boolean }) => builtIn)).toBe(true)
    expect(body.meta.total).toBe(3)
    expect((await limited.get(`${METHODOLOGIES}/${own.id}`)).status).toBe(404)
    expect((await limited.post(METHODOLOGIES, { name: 'x' })).status).toBe(403)
    expect((await limited.post(`${METHODOLOGIES}/${body.data[0].id}/copy`)).status).toBe(403)
    const expanded = await limited.post(`${METHODOLOGIES}/${body.data[0].id}/expand`, {
      engagementId,
      targets: { filter: {} },
    })
    expect(expanded.status, expanded.text).toBe(201)
  })
})

describe('files of methodologies', () => {
  const load = (format: string, text: string | Buffer, more = '') =>
    key.request('POST', `${METHODOLOGIES}/import?format=${format}${more}`, { rawBody: text })

  test.each([
    ['without a checklist', { version: '1', chapters: [] }],
    ['whose items are not a list', { items: { a: { key: 'A', title: 'A' } } }],
  ])('a JSON %s is refused rather than imported as empty, whatever name it gets', async (_what, file) => {
    const total = async () => (await key.get(METHODOLOGIES)).body.meta.total
    const before = await total()
    for (const more of ['', '&name=Published']) {
      const { status, body } = await load('json', JSON.stringify(file), more)
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('must have a list "items"')])
    }
    expect(await total()).toBe(before)
  })

  test.each(['json', 'csv'])('what is exported as %s is imported as it was', async (format) => {
    const made = await create()
    const { text, headers } = await key.get(`${METHODOLOGIES}/${made.id}/export?format=${format}`)
    expect(headers.get('content-disposition')).toContain(`methodology.${format}`)
    const { body, status } = await load(format, text, '&name=Again')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Again', items: ITEMS })
    const again = await load(format, text, `&name=${encodeURIComponent(made.name)}`)
    expect((await key.get(`${METHODOLOGIES}/${again.body.data.id}/export?format=${format}`)).text).toBe(text)
  })

  test('built-in ones name source and licence in every export, and so do copies of them and coverage', async () => {
    const { body } = await key.get(`${METHODOLOGIES}?perPage=100`)
    const { id } = body.data.find(({ name }: { name: string }) => name.startsWith('OWASP'))
    const engagementId = await engagement()
    const copy = (await key.post(`${METHODOLOGIES}/${id}/copy`)).body.data
    const csv = (await key.get(`${METHODOLOGIES}/${id}/export?format=csv`)).text
    const reimported = (await load('csv', csv, '&name=Reimported')).body.data
    expect(reimported.itemCount).toBe(97)
    for (const each of [id, copy.id, reimported.id]) {
      const exports = [`${METHODOLOGIES}/${each}/export?format=json`, `${METHODOLOGIES}/${each}/export?format=csv`]
      const matrix = `/api/v1/engagements/${engagementId}/coverage?methodologyId=${each}&format=csv`
      for (const path of [...exports, matrix]) {
        const { text } = await key.get(path)
        expect(text, path).toContain('owasp.org')
        expect(text, path).toContain('CC BY-SA 4.0')
      }
    }
  })

  test('CSV as spreadsheets write it: a byte order mark, quotes, line breaks in cells, other columns', async () => {
    const { body } = await load(
      'csv',
      '\ufeffkey,title,note,appliesTo\r\n"a","Ü, ""quoted""",x,"url, ip"\r\nb,"two\r\n',
      '',
    )
    expect(body.error?.statusCode).toBe(400)
    const good = await load(
      'csv',
      '\ufeffkey,title,note,appliesTo,description\r\n"a","Ü, ""quoted""",x,"url, ip","one\r\ntwo"\r\n',
    )
    expect(good.body.data).toMatchObject({
      name: 'Imported methodology',
      items: [{ key: 'a', title: 'Ü, "quoted"', appliesTo: ['url', 'ip'], description: 'one\r\ntwo', group: '' }],
    })
  })

  test('an unreadable or invalid file is 400, and nothing is created', async () => {
    const before = (await key.get(METHODOLOGIES)).body.meta.total
    const broken: [string, string | Buffer, number][] = [
      ['json', '{', 400],
      ['json', '[]', 400],
      ['json', '{"items":[]}', 400],
      ['json', '{"name":"x","items":[{"key":"a"}]}', 400],
      ['json', Buffer.alloc(4_194_305, 0x20), 400],
      ['csv', Buffer.alloc(4_194_305, 0x61), 400],
      ['csv', 'a,b\n1,2\n', 400],
      ['csv', 'key,title\na,\u0000\n', 400],
      ['csv', `key,title\n${'k,t\n'.repeat(1_001)}`, 400],
    ]
    for (const [format, text, expected] of broken)
      expect((await load(format, text)).status, String(text).slice(0, 40)).toBe(expected)
    expect((await key.get(METHODOLOGIES)).body.meta.total).toBe(before)
  })
})

describe('expanding', () => {
  test('creates a task for each item and matching target, and once for the other items; a repetition adds only what is new', async () => {
    const [{ id }, engagementId] = [await create(), await engagement()]
    const [url, domain] = await addTargets(engagementId, 'https://a.example/', 'a.example', '10.0.0.1')
    expect((await expand(id, engagementId)).body.data).toEqual({ created: 4, existing: 0 })
    expect((await expand(id, engagementId)).body.data).toEqual({ created: 0, existing: 4 })
    const tasks = (await key.get(`/api/v1/tasks?engagementId=${engagementId}&methodologyId=${id}`)).body.data
    expect(tasks.map(({ title }: { title: string }) => title)).toEqual([
      'Login: a.example',
      'Login: https://a.example/',
      'TLS: https://a.example/',
      'Report',
    ])
    expect(tasks[0].check).toEqual({ methodologyId: id, itemKey: 'W-1', targetId: domain, outcome: 'untested' })
    expect(tasks[3].check.targetId).toBeNull()
    await addTargets(engagementId, 'b.example')
    expect((await expand(id, engagementId)).body.data).toEqual({ created: 1, existing: 4 })
    await key.delete(`/api/v1/tasks/${tasks[1].id}`)
    expect((await expand(id, engagementId, { ids: [url] }, { itemKeys: ['W-1'] })).body.data).toEqual({
      created: 1,
      existing: 0,
    })
    expect((await key.get(`/api/v1/tasks?engagementId=${engagementId}&targetId=${url}`)).body.data.length).toBe(2)
  })

  test('simultaneously creates each task once', async () => {
    const [{ id }, engagementId] = [await create(), await engagement()]
    await addTargets(engagementId, 'a.example', 'b.example')
    const answers = await Promise.all(Array.from({ length: 5 }, () => expand(id, engagementId)))
    expect(answers.map(({ body }) => body.data.created).toSorted()).toEqual([0, 0, 0, 0, 3])
    expect((await key.get(`/api/v1/tasks?engagementId=${engagementId}`)).body.meta.total).toBe(3)
  })

  test('by a filter uses the matching targets; a new item of the methodology is added on its own; "none" leaves checks out', async () => {
    const [{ id }, engagementId] = [await create(ITEMS.slice(0, 1)), await engagement()]
    const tagged = (await key.post('/api/v1/targets', { engagementId, value: 'tagged.example', tags: ['wave-1'] })).body
      .data.id
    await addTargets(engagementId, 'other.example')
    expect((await expand(id, engagementId, { filter: { tag: ['wave-1'] } })).body.data).toEqual({
      created: 1,
      existing: 0,
    })
    const [check] = (await key.get(`/api/v1/tasks?engagementId=${engagementId}`)).body.data
    expect(check.check).toMatchObject({ targetId: tagged, itemKey: 'W-1' })
    const items = [ITEMS[0], { key: 'W-9', title: 'New', appliesTo: ['domain'] }]
    expect((await key.patch(`${METHODOLOGIES}/${id}`, { items })).status).toBe(200)
    expect((await expand(id, engagementId, { ids: [tagged] })).body.data).toEqual({ created: 1, existing: 1 })
    await key.patch(`/api/v1/tasks/${check.id}`, { outcome: 'pass' })
    await key.post('/api/v1/tasks', { engagementId, title: 'By hand' })
    const titles = async (query: string) =>
      (await key.get(`/api/v1/tasks?engagementId=${engagementId}&${query}`)).body.data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('outcome=pass')).toEqual(['Login: tagged.example'])
    expect(await titles('methodologyId=none')).toEqual(['By hand'])
  })

  test('into more than 10,000 tasks at once is 409, and creates none', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ key: `k${i}`, title: `Item ${i}`, appliesTo: ['domain'] }))
    const [{ id }, engagementId] = [await create(many), await engagement()]
    const text = Array.from({ length: 11 }, (_, i) => `host-${i}.example`).join('\n')
    expect((await key.post('/api/v1/targets/bulk', { engagementId, text })).body.data.created).toBe(11)
    const { status, body } = await expand(id, engagementId)
    expect([status, body.error.message]).toEqual([
      409,
      'These items and targets would create more than 10000 new tasks: choose fewer.',
    ])
    expect((await key.get(`/api/v1/tasks?engagementId=${engagementId}`)).body.meta.total).toBe(0)
  })

  test('without targets or with both, with keys or targets that do not fit, or without the right, is refused', async () => {
    const [{ id }, engagementId, other] = [await create(), await engagement(), await engagement()]
    const [foreign] = await addTargets(other, 'a.example')
    for (const targets of [{}, { ids: [foreign], filter: {} }, { ids: [foreign] }, { ids: [unknownId('tgt')] }]) {
      expect((await expand(id, engagementId, targets)).status, JSON.stringify(targets)).toBe(422)
    }
    expect((await expand(id, engagementId, { filter: {} }, { itemKeys: ['nope'] })).status).toBe(422)
    expect((await expand(id, unknownId('eng'))).status).toBe(422)
    expect((await expand(unknownId('mth'), engagementId)).status).toBe(404)
    const tasksOnly = await app.withKey(['tasks:read', 'tasks:write'])
    expect(
      (await tasksOnly.post(`${METHODOLOGIES}/${id}/expand`, { engagementId, targets: { filter: {} } })).status,
    ).toBe(403)
  })
})

describe('coverage', () => {
  test('sums outcomes by item and target, counts missing ones, and is a table as CSV', async () => {
    const [{ id }, engagementId] = [await create(), await engagement()]
    const [url] = await addTargets(engagementId, 'https://a.example/', 'a.example')
    await expand(id, engagementId)
    await addTargets(engagementId, 'b.example')
    await key.post('/api/v1/scope-rules', { engagementId, effect: 'allow', pattern: '*.example' })
    const first = await coverage(engagementId, id)
    expect(first.sums).toEqual({ untested: 4, pass: 0, fail: 0, not_applicable: 0 })
    expect(first.missing).toBe(1)
    const { taskId } = first.cells.find(
      (cell: { itemKey: string; targetId: string }) => cell.itemKey === 'W-1' && cell.targetId === url,
    )
    const { body } = await key.patch(`/api/v1/tasks/${taskId}`, { outcome: 'fail' })
    expect(body.data).toMatchObject({ status: 'open', check: { outcome: 'fail' } })
    const second = await coverage(engagementId, id)
    expect(second.items.map((item: { key: string; sums: object }) => [item.key, item.sums])).toEqual([
      ['W-1', { untested: 1, pass: 0, fail: 1, not_applicable: 0 }],
      ['W-2', { untested: 1, pass: 0, fail: 0, not_applicable: 0 }],
      ['P-1', { untested: 1, pass: 0, fail: 0, not_applicable: 0 }],
    ])
    expect(second.targets.find((target: { id: string }) => target.id === url)).toMatchObject({
      value: 'https://a.example/',
      sums: { fail: 1, untested: 1 },
    })
    const csv = await key.get(`/api/v1/engagements/${engagementId}/coverage?methodologyId=${id}&format=csv`)
    // Reading a text removes the byte order mark.
    expect(csv.text).toBe(
      'key,title,group,once,a.example,https://a.example/\r\nW-1,Login,Web,,untested,fail\r\nW-2,TLS,Web,,,untested\r\nP-1,Report,,untested,,\r\n',
    )
    const tasksOnly = await app.withKey(['tasks:read'])
    expect(
      (await tasksOnly.get(`/api/v1/engagements/${engagementId}/coverage?methodologyId=${id}`)).text,
    ).not.toContain('a.example')
  })

  test('keeps the tasks of items that the methodology lost, and of a deleted methodology', async () => {
    const [{ id }, engagementId] = [await create(), await engagement()]
    await expand(id, engagementId)
    await key.patch(`${METHODOLOGIES}/${id}`, { items: ITEMS.slice(0, 1) })
    expect((await coverage(engagementId, id)).items.map((item: { key: string }) => item.key)).toEqual(['W-1', 'P-1'])
    await key.delete(`${METHODOLOGIES}/${id}`)
    expect((await key.get(`/api/v1/tasks?engagementId=${engagementId}`)).body.data.length).toBe(1)
    expect((await key.get(`/api/v1/engagements/${engagementId}/coverage?methodologyId=${id}`)).status).toBe(404)
  })

  test('of 100 items on many targets is created and answered in time; one more task exceeds the limit', async () => {
    const engagementId = await engagement()
    const { id } = await create(
      Array.from({ length: 100 }, (_, i) => ({ key: `k${i}`, title: `Item ${i}`, appliesTo: ['domain'] })),
    )
    const text = Array.from({ length: TARGETS }, (_, i) => `host${i}.example`).join('\n')
    expect((await key.post('/api/v1/targets/bulk', { engagementId, text })).body.data.created).toBe(TARGETS)
    expect((await expand(id, engagementId)).body.data).toEqual({ created: 100 * TARGETS, existing: 0 })
    const started = performance.now()
    const matrix = await coverage(engagementId, id)
    const ms = performance.now() - started
    expect(matrix.cells.length).toBe(100 * TARGETS)
    // The promise is one second; the margin is for busy machines.
    expect(ms).toBeLessThan(hereMs(5_000))
    const full = await key.post('/api/v1/tasks', { engagementId, title: 'One more' })
    expect([full.status, full.body.error.message]).toEqual([
      409,
      `An engagement has at most ${100 * TARGETS} tasks (TASK_LIMIT).`,
    ])
    const { body } = await key.post('/api/v1/tasks/bulk-update', {
      filter: { engagementId },
      set: { outcome: 'pass', addLabels: ['done'] },
    })
    expect(body.data).toEqual({ updated: 100 * TARGETS })
    expect((await coverage(engagementId, id)).sums).toEqual({
      untested: 0,
      pass: 100 * TARGETS,
      fail: 0,
      not_applicable: 0,
    })
  })
})
