import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECOGNITION_CASES } from '../../../src/published/recognition-cases.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
let owner: TestClient

const V1 = '/api/v1'
const TARGETS = `${V1}/targets`

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (details: object = {}): Promise<string> =>
  (await key.post(`${V1}/engagements`, { name: 'Perimeter', details })).body.data.id

const create = async (engagementId: string, value: string, more: object = {}) => {
  const answer = await key.post(TARGETS, { engagementId, value, ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** @returns the counts of the answer, with the targets by line */
const paste = async (engagementId: string, text: string, more: object = {}) => {
  const answer = await key.post(`${TARGETS}/bulk`, { engagementId, text, ...more })
  expect(answer.status, answer.text.slice(0, 300)).toBe(201)
  return answer.body.data
}

const listed = async (query: string): Promise<{ id: string; canonical: string }[]> =>
  (await key.get(`${TARGETS}?${query}`)).body.data

const archive = async (id: string) => {
  for (const status of ['completed', 'archived']) await key.patch(`${V1}/engagements/${id}`, { status })
}

describe('a target', () => {
  test('has all its fields from the start, and who entered it', async () => {
    const engagementId = await engagement()
    const target = await create(engagementId, 'HTTPS://Example.com:443/a/../b#x', {
      tags: ['shop'],
      criticality: 'high',
      notes: '**x**',
    })
    expect(target).toEqual({
      id: expect.stringMatching(/^tgt_/),
      engagementId,
      kind: 'url',
      value: 'HTTPS://Example.com:443/a/../b#x',
      canonical: 'https://example.com/b',
      verdict: 'unknown',
      scopeRuleId: null,
      tags: ['shop'],
      criticality: 'high',
      notes: '**x**',
      source: 'api',
      parentId: null,
      fields: {},
      firstSeenAt: null,
      lastSeenAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      trashedAt: null,
    })
    expect((await key.get(`${TARGETS}/${target.id}`)).body.data).toEqual(target)
    expect(await listed(`engagementId=${engagementId}`)).toEqual([
      { ...target, services: 0, vulnerabilities: 0, worstSeverity: null },
    ])
    const byPerson = await owner.post('/api/web/targets', { engagementId, value: 'example.org' })
    expect(byPerson.body.data).toMatchObject({ source: 'manual', tags: [], criticality: 'none', notes: '' })
  })

  test('follows the table of docs/features/targets.md, also over HTTP, and is rejected with the reason', async () => {
    const text = RECOGNITION_CASES.map(({ value }) => value).join('\n')
    const { lines } = await paste(await engagement(), text)
    const engagementId = await engagement()
    for (const [index, { value, ...expected }] of RECOGNITION_CASES.entries()) {
      const { status, body } = await key.post(TARGETS, { engagementId, value })
      if ('refused' in expected) {
        expect([status, body.error.message], value).toEqual([422, expect.stringContaining(expected.refused)])
        expect(lines[index], value).toMatchObject({
          outcome: 'rejected',
          targetId: null,
          reason: expect.stringContaining(expected.refused),
        })
      } else {
        // Two rows of the table can have one canonical form.
        expect([201, 409], value).toContain(status)
        if (status === 201) expect(body.data, value).toMatchObject({ ...expected, value })
        expect(['created', 'known'], value).toContain(lines[index].outcome)
      }
    }
  })

  test('of the kinds cloud, repository and other is a name; any other kind must match the value', async () => {
    const engagementId = await engagement()
    for (const kind of ['cloud', 'repository', 'other']) {
      expect(await create(engagementId, 'arn:aws:s3:::contoso', { kind })).toMatchObject({
        kind,
        canonical: 'arn:aws:s3:::contoso',
        verdict: 'unknown',
      })
    }
    expect((await key.post(TARGETS, { engagementId, value: '10.0.0.5', kind: 'domain' })).body.error.message).toContain(
      'kind',
    )
    expect(await create(engagementId, '10.0.0.5', { kind: 'ip' })).toMatchObject({ kind: 'ip' })
  })

  test('exists once in an engagement, and in others again', async () => {
    const [one, other] = [await engagement(), await engagement()]
    await create(one, 'example.com')
    expect((await key.post(TARGETS, { engagementId: one, value: 'EXAMPLE.com.' })).status).toBe(409)
    await create(other, 'example.com')
    await create(one, 'example.com', { kind: 'other' })
  })

  test('is changed field by field; a change of an older state is refused', async () => {
    const engagementId = await engagement()
    const [network, target] = [await create(engagementId, '10.0.0.0/8'), await create(engagementId, '10.0.0.5')]
    const change = { tags: ['a', 'b'], criticality: 'critical', notes: 'text', parentId: network.id }
    const { status, body } = await key.patch(`${TARGETS}/${target.id}`, { ...change, ifUpdatedAt: target.updatedAt })
    expect([status, body.data]).toEqual([200, { ...target, ...change, updatedAt: body.data.updatedAt }])
    expect(body.data.updatedAt > target.updatedAt).toBe(true)
    expect((await key.patch(`${TARGETS}/${target.id}`, change)).body.data, 'what is so already').toEqual(body.data)
    expect((await key.patch(`${TARGETS}/${target.id}`, { notes: 'late', ifUpdatedAt: target.updatedAt })).status).toBe(
      409,
    )
    expect((await key.patch(`${TARGETS}/${target.id}`, { value: 'example.com' })).status).toBe(422)
    expect((await key.patch(`${TARGETS}/${network.id}`, { parentId: target.id })).status, 'a circle').toBe(422)
    expect((await key.patch(`${TARGETS}/${network.id}`, { parentId: network.id })).status, 'itself').toBe(422)
    expect((await key.delete(`${TARGETS}/${network.id}`)).body).toEqual({ data: { deleted: true, id: network.id } })
    expect((await key.get(`${TARGETS}/${target.id}`)).body.data).toEqual({ ...body.data, parentId: null })
    expect((await key.get(`${TARGETS}/${network.id}`)).status).toBe(404)
  })

  test('A12: cannot have a parent in another engagement', async () => {
    const [one, other] = [await engagement(), await engagement()]
    const [here, there] = [await create(one, 'example.com'), await create(other, 'example.org')]
    expect((await key.patch(`${TARGETS}/${here.id}`, { parentId: there.id })).status).toBe(422)
    expect((await key.post(TARGETS, { engagementId: one, value: '10.0.0.5', parentId: there.id })).status).toBe(422)
  })

  test.each([
    [{ tags: ['a,b'] }],
    [{ tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    [{ tags: ['x'.repeat(65)] }],
    [{ tags: ['a', 'a'] }],
    [{ tags: [''] }],
    [{ criticality: 'urgent' }],
    [{ notes: 'x'.repeat(10_001) }],
    [{ parentId: 'tgt_00000000000000000000000000' }],
    [{ value: 'exa\u202emoc.com' }],
    [{ engagementId: 'eng_00000000000000000000000000' }],
  ])('%j is refused with 422', async (fields) => {
    expect(
      (await key.post(TARGETS, { engagementId: await engagement(), value: 'example.com', ...fields })).status,
    ).toBe(422)
  })

  test('of an archived engagement is read-only, also for bulk changes', async () => {
    const [engagementId, other] = [await engagement(), await engagement()]
    const [target, free] = [await create(engagementId, 'example.com'), await create(other, 'example.com')]
    await archive(engagementId)
    const answers = [
      await key.post(TARGETS, { engagementId, value: 'example.org' }),
      await key.post(`${TARGETS}/bulk`, { engagementId, text: 'example.org' }),
      await key.patch(`${TARGETS}/${target.id}`, { notes: 'x' }),
      await key.delete(`${TARGETS}/${target.id}`),
      await key.post(`${TARGETS}/bulk-update`, { ids: [free.id, target.id], set: { addTags: ['x'] } }),
      await key.post(`${TARGETS}/bulk-delete`, { filter: { engagementId } }),
      await key.post(`${V1}/scope-rules`, { engagementId, effect: 'allow', pattern: 'example.com' }),
      await key.post(`${V1}/scope-rules/bulk`, { engagementId, effect: 'allow', text: 'example.com' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409))
    expect((await key.get(`${TARGETS}/${free.id}`)).body.data.tags).toEqual([])
    expect((await key.get(`${TARGETS}/${target.id}`)).status).toBe(200)
  })
})

describe('pasted lines', () => {
  test('are answered one by one, and tolerate common ways of writing', async () => {
    const engagementId = await engagement()
    await create(engagementId, 'known.example')
    const text = '# scope\r\n\r\nhxxps://shop[.]example/x,\nKNOWN.example.\n10.0.0.5 # mail\n10.0.0.5\n127.1\n'
    const answer = await paste(engagementId, text, { tags: ['wave'] })
    expect(answer).toMatchObject({ created: 2, known: 2, rejected: 1 })
    expect(answer.lines.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
      [3, 'created'],
      [4, 'known'],
      [5, 'created'],
      [6, 'known'],
      [7, 'rejected'],
    ])
    expect(answer.lines[3].targetId).toBe(answer.lines[2].targetId)
    expect((await key.get(`${TARGETS}/${answer.lines[0].targetId}`)).body.data).toMatchObject({
      canonical: 'https://shop.example/x',
      tags: ['wave'],
    })
    expect((await paste(engagementId, text)).created).toBe(0)
  })

  test('I2: hostile ones are rejected line by line, within the time of a request', async () => {
    const engagementId = await engagement()
    const hostile = [
      'exa\u202emoc.com',
      '\u200bexample.com',
      'a'.repeat(1_000_000),
      '\u0301'.repeat(200_000),
      '-oProxyCommand=x',
      '=cmd|x',
      "'; drop table targets",
      '🦊.example',
    ]
    const { lines } = await paste(engagementId, hostile.join('\n'))
    expect(lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...hostile.slice(0, -1).map(() => 'rejected'),
      'created',
    ])
    expect(Math.max(...lines.map(({ input }: { input: string }) => input.length))).toBeLessThanOrEqual(4_097)
    const post = (text: string) => key.post(`${TARGETS}/bulk`, { engagementId, text })
    expect((await post('a.example\u0000b')).status, 'NUL').toBe(400)
    expect((await post('a.example\n'.repeat(10_001))).status, '10,001 lines').toBe(422)
    expect((await post('\n'.repeat(50_000))).body.data, 'blank lines are none').toMatchObject({ created: 0, lines: [] })
    expect((await post('x'.repeat(2_200_000))).status, 'over 2 MiB').toBe(400)
    expect(
      (await key.post(`${TARGETS}/bulk`, { engagementId: 'eng_00000000000000000000000000', text: 'a.example' })).status,
    ).toBe(422)
  })

  test('of two simultaneous requests with the same values in another order are created once for each value', async () => {
    const engagementId = await engagement()
    const values = Array.from({ length: 600 }, (_, index) => `h${index}.example`)
    const answers = await Promise.all(
      [values, values.toReversed(), values].map((each) => paste(engagementId, each.join('\n'))),
    )
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(600)
    expect(answers.reduce((sum, { known }) => sum + known, 0)).toBe(1_200)
  })

  test('over the limit of the engagement are refused as a whole', async () => {
    const small = await testApp({ workers: false, env: { TARGET_LIMIT: '3', SCOPE_RULE_LIMIT: '2' } })
    try {
      const client = await small.signedIn('owner')
      const { id: engagementId } = (await client.post('/api/web/engagements', { name: 'Small' })).body.data
      const bulk = (path: string, text: string) =>
        client.post(`/api/web/${path}/bulk`, { engagementId, text, ...(path === 'scope-rules' && { effect: 'allow' }) })
      expect((await bulk('targets', 'a.example\nb.example')).status).toBe(201)
      expect(await bulk('targets', 'c.example\nd.example')).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('3 targets') } },
      })
      expect((await bulk('targets', 'a.example\nc.example')).status, 'known targets do not count').toBe(201)
      expect((await client.post('/api/web/targets', { engagementId, value: 'd.example' })).status).toBe(409)
      expect((await bulk('scope-rules', 'a.example\nb.example\nc.example')).status).toBe(409)
      expect((await bulk('scope-rules', 'a.example\nb.example')).status).toBe(201)
      expect(
        (await client.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern: 'c.example' })).status,
      ).toBe(409)
    } finally {
      await small.close()
    }
  })
})

describe('the list', () => {
  test('filters, sorts and counts; addresses sort as addresses', async () => {
    const engagementId = await engagement()
    await key.post(`${V1}/scope-rules`, { engagementId, effect: 'allow', pattern: '10.0.0.0/8' })
    const network = await create(engagementId, '10.0.0.0/8', { criticality: 'high' })
    for (const value of ['10.0.0.10', '10.0.0.9'])
      await create(engagementId, value, { parentId: network.id, tags: ['dmz'], criticality: 'low' })
    await create(engagementId, 'Café.example', { tags: ['Shop', 'dmz'] })
    await create(engagementId, '2001:db8::1', { criticality: 'critical' })
    const values = async (query: string) =>
      (await listed(`engagementId=${engagementId}&${query}`)).map(({ canonical }) => canonical)
    expect(await values('sort=canonical&order=asc')).toEqual([
      '10.0.0.0/8',
      '10.0.0.9',
      '10.0.0.10',
      '2001:db8::1',
      'xn--caf-dma.example',
    ])
    expect(await values('sort=criticality')).toEqual([
      '2001:db8::1',
      '10.0.0.0/8',
      '10.0.0.9',
      '10.0.0.10',
      'xn--caf-dma.example',
    ])
    expect(await values('kind=cidr,domain&sort=canonical&order=asc')).toEqual(['10.0.0.0/8', 'xn--caf-dma.example'])
    expect(await values('verdict=in&kind=ip&sort=canonical&order=asc')).toEqual(['10.0.0.9', '10.0.0.10'])
    expect(await values('verdict=out')).toEqual(['2001:db8::1', 'xn--caf-dma.example'])
    expect(await values('tag=Shop')).toEqual(['xn--caf-dma.example'])
    expect(await values('tag=shop')).toEqual([])
    expect(await values('criticality=critical,high&sort=canonical')).toEqual(['2001:db8::1', '10.0.0.0/8'])
    expect(await values(`parentId=${network.id}&sort=canonical`)).toEqual(['10.0.0.10', '10.0.0.9'])
    expect(await values('parentId=none&kind=ip')).toEqual(['2001:db8::1'])
    expect(await values('q=CAF%C3%89')).toEqual(['xn--caf-dma.example'])
    expect(await values('q=SHO')).toEqual(['xn--caf-dma.example'])
    expect(await values('source=api&perPage=1')).toEqual(['2001:db8::1'])
    expect(await values('source=scan')).toEqual([])
    const facets = (await key.get(`${TARGETS}/facets?engagementId=${engagementId}&by=kind,verdict,tag,criticality`))
      .body.data
    expect(facets).toMatchObject({
      kind: { domain: 1, ip: 3, cidr: 1, url: 0 },
      verdict: { in: 3, out: 2, caution: 0, unknown: 0 },
      tag: { dmz: 3, Shop: 1 },
      criticality: { none: 1, low: 2, high: 1, critical: 1 },
    })
  })

  test('A7: accepts only declared parameters', async () => {
    for (const query of [
      'sort=notes',
      'order=up',
      'identity=x',
      'kind=host',
      'verdict=',
      'filter[kind]=ip',
      'organization_id=x',
      'cursor=x',
      'perPage=101',
    ]) {
      expect((await key.get(`${TARGETS}?${query}`)).status, query).toBe(400)
    }
    expect((await key.get(`${TARGETS}?engagementId=eng_00000000000000000000000000`)).status).toBe(404)
    expect((await key.get(`${TARGETS}/export?format=txt&engagementId=eng_00000000000000000000000000`)).status).toBe(404)
  })

  test('walked by cursor while others are added and deleted, shows permanent ones once', async () => {
    const engagementId = await engagement()
    const names = Array.from({ length: 60 }, (_, index) => `n${String(index).padStart(3, '0')}.example`)
    const { lines } = await paste(engagementId, names.join('\n'))
    for (const sort of ['createdAt', 'canonical', 'criticality', 'lastSeenAt']) {
      const seen: { id: string; canonical: string }[] = []
      let [cursor, step]: [string | null, number] = ['', 0]
      while (cursor !== null) {
        const { body } = await key.get(
          `${TARGETS}?engagementId=${engagementId}&perPage=7&sort=${sort}&order=asc${cursor && `&cursor=${cursor}`}`,
        )
        seen.push(...body.data)
        cursor = body.meta.nextCursor
        await create(engagementId, `n${String(step).padStart(3, '0')}-${sort}.example`.toLowerCase())
        await key.delete(`${TARGETS}/${lines[step * 3].targetId}`)
        await paste(engagementId, names[step * 3] as string)
        step = (step + 1) % 20
      }
      const untouched = names.filter((_, index) => index % 3 !== 0)
      expect(new Set(seen.map(({ id }) => id)).size, sort).toBe(seen.length)
      expect(
        untouched.filter((name) => !seen.some(({ canonical }) => canonical === name)),
        sort,
      ).toEqual([])
      lines.splice(0, lines.length, ...(await paste(engagementId, names.join('\n'))).lines)
    }
  })
})

describe('bulk changes', () => {
  test('change and delete by ids or by a filter; unknown ids do not count', async () => {
    const [engagementId, other] = [await engagement(), await engagement()]
    const { lines } = await paste(engagementId, 'a.example\nb.example\n10.0.0.5', { tags: ['old', 'stay'] })
    const elsewhere = await create(other, 'a.example')
    const ids = lines.map(({ targetId }: { targetId: string }) => targetId)
    const update = (body: object) => key.post(`${TARGETS}/bulk-update`, body)
    const set = { criticality: 'high', addTags: ['new', 'stay'], removeTags: ['old'] }
    const changed = await update({ ids: [...ids.slice(0, 2), elsewhere.id, 'tgt_00000000000000000000000000'], set })
    expect([changed.status, changed.body]).toEqual([200, { data: { updated: 3 } }])
    expect((await key.get(`${TARGETS}/${ids[0]}`)).body.data).toMatchObject({
      criticality: 'high',
      tags: ['stay', 'new'],
    })
    expect((await key.get(`${TARGETS}/${ids[2]}`)).body.data).toMatchObject({
      criticality: 'none',
      tags: ['old', 'stay'],
    })
    expect((await update({ filter: { engagementId, kind: ['ip'] }, set: { addTags: ['x'] } })).body).toEqual({
      data: { updated: 1 },
    })
    expect(
      (
        await update({
          filter: { engagementId },
          set: { addTags: Array.from({ length: 49 }, (_, index) => `t${index}`) },
        })
      ).status,
      'over 50 tags',
    ).toBe(409)
    expect((await key.get(`${TARGETS}/${ids[2]}`)).body.data.tags).toEqual(['old', 'stay', 'x'])
    for (const body of [
      { set },
      { ids, filter: { engagementId }, set },
      { filter: { kind: ['ip'] }, set },
      { ids: [], set },
    ]) {
      expect((await update(body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await update({ filter: { engagementId: 'eng_00000000000000000000000000' }, set })).status).toBe(404)
    expect((await key.post(`${TARGETS}/bulk-delete`, { ids: [ids[0], ids[0]] })).body).toEqual({ data: { deleted: 1 } })
    expect((await key.post(`${TARGETS}/bulk-delete`, { filter: { engagementId } })).body).toEqual({
      data: { deleted: 2 },
    })
    expect(await listed(`engagementId=${engagementId}`)).toEqual([])
    expect((await key.get(`${TARGETS}/${elsewhere.id}`)).status).toBe(200)
  })

  test('write one row into the audit log for each request', async () => {
    const engagementId = await engagement()
    await paste(engagementId, 'a.example\nb.example')
    await key.post(`${TARGETS}/bulk-update`, { filter: { engagementId }, set: { criticality: 'low' } })
    await key.post(`${TARGETS}/bulk-delete`, { filter: { engagementId } })
    const { body } = await key.get(`${V1}/engagements/${engagementId}/activity`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'targets.deleted',
      'targets.changed',
      'targets.created',
      'engagement.created',
    ])
  })
})

describe('the export', () => {
  test('has every target that matches the filters, in the order of addresses, in three formats', async () => {
    const engagementId = await engagement()
    const values = Array.from({ length: 1_203 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    await paste(engagementId, values.join('\n'))
    await create(engagementId, 'example.com')
    const exported = async (format: string, query = '') =>
      (await key.get(`${TARGETS}/export?engagementId=${engagementId}&format=${format}${query}`)).text
    expect(await exported('txt')).toBe(`${[...values, 'example.com'].join('\n')}\n`)
    expect(await exported('txt', '&kind=domain')).toBe('example.com\n')
    expect(JSON.parse(await exported('json')).data.map(({ canonical }: { canonical: string }) => canonical)).toEqual([
      ...values,
      'example.com',
    ])
    expect(JSON.parse(await exported('json', '&q=nothing'))).toEqual({ data: [] })
    const csv = (await exported('csv')).split('\r\n')
    expect(csv.length).toBe(1_206)
    expect(csv[0]).toMatch(/^canonical,kind,value,verdict,/)
    expect((await key.get(`${TARGETS}/export?format=xml`)).status).toBe(400)
    expect((await key.get(`${TARGETS}/export`)).status).toBe(400)
  })

  test('I19: cells that a spreadsheet would execute have an apostrophe before them', async () => {
    const engagementId = await engagement()
    await create(engagementId, '=HYPERLINK("https://evil.example")', { kind: 'other', tags: ['+1'], notes: 'x\n;=1+1' })
    const { text } = await key.get(`${TARGETS}/export?engagementId=${engagementId}&format=csv`)
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    expect(text).toContain(`,'+1,`)
    expect(text).toContain(`"x\n;'=1+1"`)
  })

  test('A5: has only what the caller sees', async () => {
    const engagementId = await engagement({ access: 'team' })
    await create(engagementId, 'hidden.example')
    const member = await app.signedIn('member')
    expect((await member.get(`/api/web/targets/export?format=txt&engagementId=${engagementId}`)).status).toBe(404)
    expect((await member.get('/api/web/targets/export?format=txt')).text).not.toContain('hidden.example')
    expect((await owner.get(`/api/web/targets/export?format=txt&engagementId=${engagementId}`)).text).toBe(
      'hidden.example\n',
    )
  })
})
