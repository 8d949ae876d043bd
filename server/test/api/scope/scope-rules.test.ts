import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { lockRow } from '../../support/races/locked-row.ts'

let app: TestApp
let key: TestClient
let owner: TestClient

const V1 = '/api/v1'
const RULES = `${V1}/scope-rules`
const TARGETS = `${V1}/targets`

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (details: object = {}): Promise<string> =>
  (await key.post(`${V1}/engagements`, { name: 'Perimeter', details })).body.data.id

const rule = async (engagementId: string, effect: string, pattern: string) => {
  const answer = await key.post(RULES, { engagementId, effect, pattern })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const target = async (engagementId: string, value: string) =>
  (await key.post(TARGETS, { engagementId, value })).body.data

const check = async (engagementId: string, values: readonly string[], client = key, door = V1) =>
  client.post(`${door}/scope-rules/check`, { engagementId, values })

describe('a rule', () => {
  test('gets its canonical form and its kind from its pattern, and is changed and deleted', async () => {
    const engagementId = await engagement()
    const { status, body } = await key.post(RULES, {
      engagementId,
      effect: 'allow',
      pattern: '*.Bücher.example.',
      note: 'annex',
    })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^scp_/),
        engagementId,
        effect: 'allow',
        pattern: '*.xn--bcher-kva.example',
        kind: 'wildcard',
        note: 'annex',
        createdAt: expect.any(String),
        updatedAt: body.data.createdAt,
        trashedAt: null,
      },
    ])
    const path = `${RULES}/${body.data.id}`
    const changed = await key.patch(path, { effect: 'deny', note: 'shut', ifUpdatedAt: body.data.updatedAt })
    expect(changed.body.data).toEqual({
      ...body.data,
      effect: 'deny',
      note: 'shut',
      updatedAt: changed.body.data.updatedAt,
    })
    expect(changed.body.data.updatedAt > body.data.updatedAt).toBe(true)
    expect((await key.patch(path, { effect: 'deny' })).body, 'what is so already').toEqual(changed.body)
    expect((await key.patch(path, { note: 'late', ifUpdatedAt: body.data.updatedAt })).status).toBe(409)
    expect((await key.patch(path, { pattern: 'example.org' })).status).toBe(422)
    expect((await key.get(`${RULES}?engagementId=${engagementId}`)).body).toEqual({
      data: [changed.body.data],
      meta: { perPage: 20, nextCursor: null, total: 1 },
    })
    expect((await key.delete(path)).body).toEqual({ data: { deleted: true, id: body.data.id } })
    expect((await key.delete(path)).status).toBe(404)
  })

  test('of one pattern exists once in an engagement; an invalid pattern is rejected with the reason', async () => {
    const engagementId = await engagement()
    await rule(engagementId, 'allow', 'Example.com')
    expect((await key.post(RULES, { engagementId, effect: 'deny', pattern: 'example.com.' })).status).toBe(409)
    await rule(await engagement(), 'allow', 'example.com')
    for (const pattern of ['*', '10.0.0.300', '127.1', '10.0.0.0/24:443', 'a\u202eb']) {
      expect((await key.post(RULES, { engagementId, effect: 'allow', pattern })).status, pattern).toBe(422)
    }
    expect(
      (await key.post(RULES, { engagementId: 'eng_00000000000000000000000000', effect: 'allow', pattern: 'a.example' }))
        .status,
    ).toBe(422)
  })

  test('for a port covers it and the URLs at it, before the rule for its host', async () => {
    const engagementId = await engagement()
    await rule(engagementId, 'allow', 'example.com')
    expect(await rule(engagementId, 'deny', 'Example.com:0022/TCP')).toMatchObject({
      kind: 'service',
      pattern: 'example.com:22/tcp',
    })
    const only = await rule(engagementId, 'allow', '[2001:DB8::1]:443')
    expect(only).toMatchObject({ kind: 'service', pattern: '[2001:db8::1]:443' })
    const values = ['example.com:22', 'example.com:22/udp', 'example.com', 'http://example.com:22/', '2001:db8::1']
    const { body } = await check(engagementId, [...values, 'https://[2001:db8::1]/a'])
    expect(body.data.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'out',
      'in',
      'in',
      'out',
      'out',
      'in',
    ])
    expect(body.data[0].reason).toBe('denied by example.com:22/tcp')
    expect(body.data.at(-1).scopeRuleId).toBe(only.id)
    expect((await key.post(RULES, { engagementId, effect: 'deny', pattern: 'EXAMPLE.com:22/tcp' })).status).toBe(409)
    const { data } = (await key.get(`${RULES}?engagementId=${engagementId}&kind=service`)).body
    expect(data).toHaveLength(2)

    const app = { engagementId, effect: 'deny', pattern: 'com.example.app:443' }
    expect((await key.post(RULES, app)).body.error.message).toContain('enter it with the kind service')
    expect((await key.post(RULES, { ...app, kind: 'domain' })).status).toBe(422)
    expect((await key.post(RULES, { ...app, kind: 'service' })).body.data.pattern).toBe('com.example.app:443')
    expect((await key.post(RULES, { ...app, pattern: 'example.org', kind: 'service' })).status).toBe(422)

    const bulk = await key.post(`${RULES}/bulk`, {
      engagementId,
      effect: 'deny',
      text: 'a.example:8443\n*.a.example:443\n10.0.0.0/24:443\na.example:80,443',
    })
    expect(bulk.body.data).toMatchObject({ created: 3, rejected: 2 })
    const chosen = [{ effect: 'caution', pattern: '10.0.0.1:53/udp' }]
    expect((await key.post(`${RULES}/bulk`, { engagementId, rules: chosen })).body.data.created).toBe(1)
  })

  test('that denies a path with /* covers the path and everything below, and other wildcards are rejected', async () => {
    const engagementId = await engagement()
    await rule(engagementId, 'allow', 'example.com')
    expect(await rule(engagementId, 'deny', 'https://example.com/admin/*')).toMatchObject({
      kind: 'url',
      pattern: 'https://example.com/admin',
    })
    const { body } = await check(engagementId, [
      'https://example.com/admin/users',
      'https://example.com/admin',
      'https://example.com/',
    ])
    expect(body.data.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['out', 'out', 'in'])
    for (const pattern of ['https://example.com/{a,b}', 'https://example.com/a*/b', 'AS64500', 'com.example.app']) {
      expect((await key.post(RULES, { engagementId, effect: 'deny', pattern })).status, pattern).toBe(422)
    }
    const bulk = await key.post(`${RULES}/bulk`, {
      engagementId,
      effect: 'deny',
      text: 'https://example.com/[0-9]\nhttps://example.com/x/**',
    })
    expect(bulk.body.data).toMatchObject({ created: 1, rejected: 1 })
  })

  test('for a value that looks like an app id needs the kind domain, as a target does', async () => {
    const engagementId = await engagement()
    const app = { engagementId, effect: 'allow', pattern: 'com.example.app' }
    expect((await key.post(RULES, app)).status).toBe(422)
    expect((await key.post(RULES, { ...app, kind: 'domain' })).body.data).toMatchObject({
      kind: 'domain',
      pattern: 'com.example.app',
    })
    expect((await key.post(RULES, { ...app, pattern: '10.0.0.1', kind: 'domain' })).status).toBe(422)
    expect((await key.post(TARGETS, { engagementId, value: 'com.example.app' })).status).toBe(422)
    expect(
      (await key.post(TARGETS, { engagementId, value: 'com.example.app', kind: 'domain' })).body.data.verdict,
    ).toBe('in')
    const pasted = await key.post(`${TARGETS}/bulk`, {
      engagementId,
      text: 'org.example.app\nAS64500\nwww.example.com',
    })
    expect(pasted.body.data).toMatchObject({ created: 1, rejected: 2 })
  })

  test('A3: is written by users and keys that may write the engagement, by its lead and by its team, and by no other member or key', async () => {
    const [lead, mate, other] = [
      await app.signedIn('member'),
      await app.signedIn('member'),
      await app.signedIn('member'),
    ]
    const engagementId = await engagement({ lead: lead.user.id, team: [mate.user.id] })
    const { id } = await rule(engagementId, 'allow', 'example.com')
    const scanner = await app.withKey(['targets:read', 'targets:write'])
    const tries = (client: TestClient, door: string) =>
      Promise.all([
        client.post(`${door}/scope-rules`, { engagementId, effect: 'allow', pattern: '0.0.0.0/0' }),
        client.post(`${door}/scope-rules/bulk`, { engagementId, effect: 'allow', text: '0.0.0.0/0' }),
        client.patch(`${door}/scope-rules/${id}`, { effect: 'deny' }),
        client.delete(`${door}/scope-rules/${id}`),
      ])
    for (const [client, door] of [
      [other, '/api/web'],
      [scanner, V1],
    ] as const) {
      expect((await tries(client, door)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect((await client.get(`${door}/scope-rules?engagementId=${engagementId}`)).body.meta.total).toBe(1)
      expect((await check(engagementId, ['example.com'], client, door)).status).toBe(200)
    }
    expect((await lead.patch(`/api/web/scope-rules/${id}`, { effect: 'caution' })).status).toBe(200)
    expect(
      (await mate.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern: 'example.org' })).status,
    ).toBe(201)
    expect(
      (await mate.post('/api/web/scope-rules/bulk', { engagementId, effect: 'allow', text: 'example.net' })).status,
    ).toBe(201)
    expect((await mate.delete(`/api/web/scope-rules/${id}`)).status).toBe(200)
    const writer = await app.withKey(['organizations:write'])
    expect((await writer.get(`${RULES}?engagementId=${engagementId}`)).status, 'reading needs targets:read').toBe(403)
    expect((await check(engagementId, ['example.com'], writer)).status).toBe(403)
  })

  test('K14: of a user who leaves the team while the change waits is not written', async () => {
    const mate = await app.signedIn('member')
    const engagementId = await engagement({ team: [mate.user.id] })
    const held = await lockRow(app, 'select id from engagements where id = $1 for update', [engagementId])
    const change = mate.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern: 'example.com' })
    await held.waitedFor(1, change)
    await app.db.deleteFrom('engagement_members').where('engagement_id', '=', engagementId).execute()
    await held.release()
    expect((await change).status).toBe(403)
  })
})

describe('pasted rules', () => {
  test('are answered line by line', async () => {
    const engagementId = await engagement()
    const known = await rule(engagementId, 'deny', 'example.com')
    const text = '# annex A\n*.example.com,\nEXAMPLE.com\n10.0.0.1-50 # lab\n10.0.0.1-10.0.0.50\nnot a pattern\n'
    const { status, body } = await key.post(`${RULES}/bulk`, { engagementId, effect: 'allow', text })
    expect([status, body.data.created, body.data.known, body.data.rejected]).toEqual([201, 2, 1, 2])
    expect(body.data.lines).toEqual([
      {
        line: 2,
        input: '*.example.com,',
        outcome: 'created',
        scopeRuleId: expect.stringMatching(/^scp_/),
        reason: null,
      },
      {
        line: 3,
        input: 'EXAMPLE.com',
        outcome: 'rejected',
        scopeRuleId: null,
        reason: expect.stringContaining('with the effect deny'),
      },
      { line: 4, input: '10.0.0.1-50', outcome: 'created', scopeRuleId: expect.stringMatching(/^scp_/), reason: null },
      {
        line: 5,
        input: '10.0.0.1-10.0.0.50',
        outcome: 'known',
        scopeRuleId: body.data.lines[2].scopeRuleId,
        reason: null,
      },
      { line: 6, input: 'not a pattern', outcome: 'rejected', scopeRuleId: null, reason: expect.any(String) },
    ])
    expect((await key.get(`${RULES}?engagementId=${engagementId}&effect=deny`)).body.data).toEqual([known])
    expect(
      (await key.post(`${RULES}/bulk`, { engagementId, effect: 'allow', text: 'a.example\n'.repeat(10_001) })).status,
    ).toBe(422)
  })
})

describe('the check', () => {
  test('answers in the order of the input, with the rule that decided, and stores nothing', async () => {
    const engagementId = await engagement()
    expect((await check(engagementId, ['example.com'])).body.data[0]).toMatchObject({
      verdict: 'unknown',
      scopeRuleId: null,
    })
    const [wide, narrow] = [
      await rule(engagementId, 'allow', '*.example.com'),
      await rule(engagementId, 'deny', 'https://www.example.com/admin'),
    ]
    const net = await rule(engagementId, 'caution', '10.0.0.0/25')
    const { body } = await check(engagementId, [
      'WWW.example.com',
      'https://www.example.com/admin/x',
      'example.com',
      ' 10.0.0.0/24 ',
      '127.1',
      '',
    ])
    expect(body.data).toEqual([
      {
        value: 'WWW.example.com',
        kind: 'domain',
        canonical: 'www.example.com',
        verdict: 'in',
        scopeRuleId: wide.id,
        part: null,
        reason: 'allowed by *.example.com',
      },
      {
        value: 'https://www.example.com/admin/x',
        kind: 'url',
        canonical: 'https://www.example.com/admin/x',
        verdict: 'out',
        scopeRuleId: narrow.id,
        part: null,
        reason: 'denied by https://www.example.com/admin',
      },
      {
        value: 'example.com',
        kind: 'domain',
        canonical: 'example.com',
        verdict: 'out',
        scopeRuleId: null,
        part: null,
        reason: 'covered by no rule',
      },
      {
        value: ' 10.0.0.0/24 ',
        kind: 'cidr',
        canonical: '10.0.0.0/24',
        verdict: 'caution',
        scopeRuleId: null,
        part: { value: '10.0.0.128/25', verdict: 'out' },
        reason: 'only in part: 10.0.0.128/25 is covered by no rule',
      },
      {
        value: '127.1',
        kind: null,
        canonical: null,
        verdict: 'invalid',
        scopeRuleId: null,
        part: null,
        reason: expect.stringContaining('browsers as 127.0.0.1'),
      },
      {
        value: '',
        kind: null,
        canonical: null,
        verdict: 'invalid',
        scopeRuleId: null,
        part: null,
        reason: 'there is no value',
      },
    ])
    expect(net.kind).toBe('cidr')
    expect((await check(engagementId, [])).status).toBe(422)
    expect(
      (
        await check(
          engagementId,
          Array.from({ length: 1_001 }, () => 'a.example'),
        )
      ).status,
    ).toBe(422)
    expect((await check('eng_00000000000000000000000000', ['a.example'])).status).toBe(422)
    expect((await key.get(`${TARGETS}?engagementId=${engagementId}`)).body.meta.total).toBe(0)
  })
})

describe('a change of rules', () => {
  test('evaluates every target again before it answers, and keeps updatedAt', async () => {
    const engagementId = await engagement()
    const values = [
      'www.example.com',
      'example.com',
      '10.0.0.5',
      '10.0.0.0/24',
      'https://www.example.com/admin',
      'www.example.com:8443',
      '[2001:db8::1]:22',
    ]
    const targets: { id: string }[] = []
    for (const value of values) targets.push(await target(engagementId, value))
    await key.post(TARGETS, { engagementId, value: 'arn:aws:s3:::x', kind: 'cloud' })
    const verdicts = async () => {
      const { data } = (await key.get(`${TARGETS}?engagementId=${engagementId}&order=asc&perPage=100`)).body
      const found = new Map(data.map((each: { id: string }) => [each.id, each]))
      return targets.map(({ id }) => (found.get(id) as { verdict: string }).verdict)
    }
    expect(new Set(await verdicts())).toEqual(new Set(['unknown']))
    const wildcard = await rule(engagementId, 'allow', '*.example.com')
    expect(await verdicts()).toEqual(['in', 'out', 'out', 'out', 'in', 'in', 'out'])
    await key.post(`${RULES}/bulk`, { engagementId, effect: 'deny', text: 'https://www.example.com/admin\n10.0.0.5' })
    await rule(engagementId, 'allow', '10.0.0.0/8')
    expect(await verdicts()).toEqual(['in', 'out', 'out', 'caution', 'out', 'in', 'out'])
    await key.patch(`${RULES}/${wildcard.id}`, { effect: 'caution' })
    expect(await verdicts()).toEqual(['caution', 'out', 'out', 'caution', 'out', 'caution', 'out'])
    const six = await rule(engagementId, 'allow', '2001:db8::/32')
    expect((await verdicts()).at(-1)).toBe('in')
    expect((await key.get(`${TARGETS}/${targets.at(-1)?.id}`)).body.data.scopeRuleId).toBe(six.id)
    await key.delete(`${RULES}/${six.id}`)
    expect((await verdicts()).at(-1)).toBe('out')
    const { data } = (await key.get(`${TARGETS}?engagementId=${engagementId}`)).body
    expect(
      data.map(({ updatedAt, createdAt }: { updatedAt: string; createdAt: string }) => updatedAt === createdAt),
    ).toEqual(data.map(() => true))
    expect(data.find(({ kind }: { kind: string }) => kind === 'cloud').verdict).toBe('unknown')
  })

  test('and simultaneously added targets end as if one came after the other', async () => {
    const engagementId = await engagement()
    const pastes = Array.from({ length: 6 }, (_, index) =>
      key.post(`${TARGETS}/bulk`, {
        engagementId,
        text: Array.from({ length: 50 }, (_each, at) => `h${index}-${at}.example.com`).join('\n'),
      }),
    )
    const changes = ['allow *.example.com', 'deny *.com', 'caution h1-1.example.com'].map((each) =>
      rule(engagementId, ...(each.split(' ') as [string, string])),
    )
    await Promise.all([...pastes, ...changes])
    const facets = (await key.get(`${TARGETS}/facets?engagementId=${engagementId}&by=verdict`)).body.data
    expect(facets.verdict).toEqual({ in: 299, out: 0, caution: 1, unknown: 0 })
  })
})

test('A14, A6: rules and targets of a closed engagement are invisible to callers who do not see it', async () => {
  const engagementId = await engagement({ access: 'team' })
  const hidden = await rule(engagementId, 'allow', 'canary.example')
  const found = await target(engagementId, 'canary.example')
  const member = await app.signedIn('member')
  const made = await owner.post('/api/web/api-keys', {
    name: 'open',
    environment: 'live',
    scopes: ['targets:read', 'targets:write', 'organizations:write'],
    engagementIds: 'open',
  })
  const open = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
  for (const [client, door] of [
    [member, '/api/web'],
    [open, V1],
  ] as const) {
    for (const path of ['scope-rules', 'targets']) {
      const { body, text } = await client.get(`${door}/${path}`)
      expect(text, path).not.toContain('canary')
      expect(body.data.some(({ engagementId: of }: { engagementId: string }) => of === engagementId)).toBe(false)
      expect((await client.get(`${door}/${path}?engagementId=${engagementId}`)).status).toBe(404)
    }
    expect((await client.get(`${door}/targets/${found.id}`)).status).toBe(404)
    expect((await client.patch(`${door}/targets/${found.id}`, { notes: 'x' })).status).toBe(404)
    expect((await client.patch(`${door}/scope-rules/${hidden.id}`, { note: 'x' })).status).toBe(404)
    expect((await client.post(`${door}/targets/bulk-delete`, { ids: [found.id] })).body).toEqual({
      data: { deleted: 0 },
    })
    expect((await client.post(`${door}/targets/bulk-delete`, { filter: { engagementId } })).status).toBe(404)
    expect((await client.post(`${door}/targets`, { engagementId, value: 'a.example' })).status).toBe(422)
    expect((await check(engagementId, ['a.example'], client, door)).status).toBe(422)
    expect((await client.get(`${door}/targets/facets?by=kind&q=canary`)).body.data.kind.domain).toBe(0)
  }
  expect((await key.get(`${TARGETS}/${found.id}`)).status).toBe(200)
})
