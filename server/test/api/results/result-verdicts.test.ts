import { afterAll, beforeAll, expect, test } from 'vitest'
import { variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

test('a deny of an address moves only results of requests to it by a name; removing the rule moves them back', async () => {
  const engagement = await newEngagement(key)
  const rule = async (effect: string, pattern: string) =>
    (await key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })).body.data.id as string
  const allowed = await rule('allow', '*.example.com')
  const row = (name: string, ip: string) => ({
    url: `https://${name}.example.com/`,
    status_code: 200,
    host_ip: ip,
    tech: ['Nginx'],
    tls: { host: `${name}.example.com`, port: '443', serial: '1', issuer_cn: 'x' },
  })
  await imported(
    key,
    engagement,
    [row('one', '192.0.2.66'), row('two', '192.0.2.67')].map((each) => JSON.stringify(each)).join('\n'),
  )
  const targets = (await key.get(`/api/v1/targets?engagementId=${engagement}`)).body.data as {
    id: string
    canonical: string
  }[]
  const canonicalOf = new Map(targets.map(({ id, canonical }) => [id, canonical]))
  const rowsOf = async (filters: string) => {
    const { body } = await key.get(`/api/v1/results?engagementId=${engagement}&perPage=100&${filters}`)
    return body.data as { kind: string; asset: string; verdict: string; targetId: string; updatedAt: string }[]
  }
  /** Kinds by the target that they belong to, and its verdict. */
  const shown = async (filters = '') => {
    const rows = (await rowsOf(filters)).filter(({ kind, asset }) => kind !== 'dns_record' && !/two|67/.test(asset))
    return [...new Set(rows.map(({ targetId, verdict }) => `${canonicalOf.get(targetId)} ${verdict}`))]
  }
  const before = await rowsOf('')
  expect(await shown()).toEqual(['one.example.com in'])
  const denied = await rule('deny', '192.0.2.64/29')
  const lifted = await rule('caution', '192.0.2.67')
  expect(await shown()).toEqual(['192.0.2.66 out'])
  expect(await shown('verdict=out')).toEqual(['192.0.2.66 out'])
  expect(await shown('verdict=in')).toEqual([])
  const ofAddress = targets.find(({ canonical }) => canonical === '192.0.2.66')?.id
  expect((await rowsOf(`targetId=${ofAddress}`)).map(({ kind }) => kind).toSorted()).toEqual([
    'http_response',
    'service',
    'technology',
    'tls_certificate',
  ])
  expect((await rowsOf('verdict=out')).map(({ asset }) => asset).filter((asset) => /two|67/.test(asset))).toEqual([])
  const facets = (await key.get(`/api/v1/results/facets?engagementId=${engagement}&by=verdict`)).body.data
  expect(facets.verdict.out).toBe(4)
  await key.delete(`/api/v1/scope-rules/${lifted}`)
  expect((await rowsOf('verdict=out')).length).toBe(8)
  await key.patch(`/api/v1/scope-rules/${denied}`, { effect: 'caution' })
  expect(await shown()).toEqual(['one.example.com in'])
  await key.patch(`/api/v1/scope-rules/${denied}`, { effect: 'deny' })
  await key.delete(`/api/v1/scope-rules/${allowed}`)
  expect(await shown()).toEqual(['192.0.2.66 out'])
  await key.delete(`/api/v1/scope-rules/${denied}`)
  expect(await shown()).toEqual(['one.example.com unknown'])
  expect((await rowsOf('')).map(({ updatedAt }) => updatedAt)).toEqual(before.map(({ updatedAt }) => updatedAt))
})

const ORDERS = ['asset', 'severity', 'lastSeenAt'].flatMap((sort) =>
  ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`),
)

test('a filter for verdicts or for no target finds each result once, page by page, in every sort', async () => {
  const engagement = await newEngagement(key)
  for (const [effect, pattern] of [
    ['allow', '*.example.com'],
    ['caution', '*.lab.example.com'],
    ['deny', '192.0.2.64/29'],
  ])
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })
  const names = ['one.example.com', 'two.lab.example.com', 'three.example.org', 'four.example.com']
  const rows = names.map((name, index) => ({
    url: `https://${name}/`,
    status_code: 200,
    host_ip: name.startsWith('four') ? '192.0.2.66' : `192.0.2.${index}`,
  }))
  await imported(key, engagement, rows.map((row) => JSON.stringify(row)).join('\n'))
  for (const title of ['A', 'B'])
    await key.post('/api/v1/results', { engagementId: engagement, title, asset: 'the office', severity: 'high' })
  interface Row {
    id: string
    verdict: string
    targetId: string | null
  }
  const found = async (filters: string) => {
    const ids: string[] = []
    const totals = new Set<number>()
    for (let cursor = ''; ;) {
      const { status, body, text } = await key.get(
        `/api/v1/results?engagementId=${engagement}&perPage=2&${filters}${cursor && `&cursor=${cursor}`}`,
      )
      expect(status, text).toBe(200)
      ids.push(...body.data.map(({ id }: Row) => id))
      totals.add(body.meta.total)
      cursor = body.meta.nextCursor
      if (!cursor) return { ids, totals: [...totals] }
    }
  }
  const all = (await key.get(`/api/v1/results?engagementId=${engagement}&perPage=100`)).body.data as Row[]
  expect([...new Set(all.map(({ verdict }) => verdict))].toSorted()).toEqual(['caution', 'in', 'out', 'unknown'])
  const some = all.find(({ targetId }) => targetId !== null)?.targetId as string
  const wanted: [string, (row: Row) => boolean][] = [
    ...['in', 'out', 'caution', 'unknown', 'out,unknown', 'in,out', 'in,caution,out,unknown'].map(
      (verdicts): [string, (row: Row) => boolean] => [
        `verdict=${verdicts}`,
        ({ verdict }) => verdicts.split(',').includes(verdict),
      ],
    ),
    ['targetId=none', ({ targetId }) => targetId === null],
    [`targetId=none,${some}`, ({ targetId }) => targetId === null || targetId === some],
    [
      `targetId=none,${some}&verdict=unknown,in`,
      ({ targetId, verdict }) => (targetId === null || targetId === some) && ['unknown', 'in'].includes(verdict),
    ],
  ]
  for (const [filters, isWanted] of wanted) {
    const ids = all.filter(isWanted).map(({ id }) => id)
    expect(await found(filters), filters).toEqual({ ids, totals: [ids.length] })
    for (const order of variantsFor(filters, 3, ORDERS)) {
      const sorted = (await found(order)).ids.filter((id) => ids.includes(id))
      expect((await found(`${filters}&${order}`)).ids, `${filters} ${order}`).toEqual(sorted)
    }
  }
})

test('a deny also moves results that were first seen without their address', async () => {
  const engagement = await newEngagement(key)
  const url = 'https://one.example.com/'
  await imported(key, engagement, JSON.stringify({ url, status_code: 200 }))
  await imported(key, engagement, JSON.stringify({ url, status_code: 200, host_ip: '192.0.2.66' }))
  await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'deny', pattern: '192.0.2.66' })
  expect(await resultsOf(key, engagement, { kind: 'http_response' })).toMatchObject([{ verdict: 'out' }])
})

test.each<[string, object]>([
  [
    'httpx',
    {
      url: 'https://denied.example.com',
      status_code: 200,
      host_ip: '192.0.2.66',
      tech: ['Nginx'],
      tls: { host: 'denied.example.com', port: '443', serial: '1', issuer_cn: 'x' },
    },
  ],
  [
    'tlsx',
    { host: 'denied.example.com', ip: '192.0.2.66', port: '443', tls_version: 'tls13', serial: '1', issuer_dn: 'x' },
  ],
  [
    'nuclei',
    {
      'template-id': 'a',
      info: { name: 'A' },
      type: 'http',
      'matched-at': 'https://denied.example.com/',
      ip: '192.0.2.66',
    },
  ],
  ['naabu', { host: 'denied.example.com', ip: '192.0.2.66', port: 443, product: 'nginx' }],
])('%s: a result at a denied address is out, by an allowed name as well', async (_, row) => {
  const engagement = await newEngagement(key)
  for (const [effect, pattern] of [
    ['allow', '*.example.com'],
    ['deny', '192.0.2.66'],
  ])
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })
  await imported(key, engagement, JSON.stringify(row))
  const { data } = (await key.get(`/api/v1/results?engagementId=${engagement}`)).body
  const ofAddress = data.filter(({ kind }: { kind: string }) => kind !== 'dns_record')
  expect(ofAddress.length).toBeGreaterThan(0)
  expect([...new Set(ofAddress.map(({ verdict }: { verdict: string }) => verdict))]).toEqual(['out'])
})

test('of more results than are counted, a rare verdict finds its own, and facets count each verdict', async () => {
  const engagement = await newEngagement(key)
  for (const [effect, pattern] of [
    ['allow', '192.0.2.1'],
    ['caution', '192.0.2.2'],
    ['deny', '192.0.2.3'],
  ])
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect, pattern })
  const open = (ip: string, port: number) => JSON.stringify({ ip, port, protocol: 'tcp' })
  await imported(
    key,
    engagement,
    [open('192.0.2.1', 1), open('192.0.2.2', 1), open('192.0.2.2', 2), open('192.0.2.3', 1)].join('\n'),
  )
  const [first] = await resultsOf(key, engagement, { verdict: 'in' })
  await app.asSuperuser(`set session_replication_role = replica;
    insert into results (id, organization_id, engagement_id, kind, identity, asset, asset_key, host, protocol, port, target_id, title, severity,
        first_seen_at, last_seen_at, evidence_at, created_at, updated_at)
      select 'res_zz' || lpad(i::text, 24, '0'), organization_id, engagement_id, kind, identity || i, asset || i, lpad(i::text, 10, '0'), host, protocol, 443,
        target_id, title, i % 2, now(), now(), now(), now(), now()
      from results, generate_series(1, 10001) i where id = '${first?.id}'`)
  const page = async (filters: string) =>
    (await key.get(`/api/v1/results?engagementId=${engagement}&perPage=100&${filters}`)).body
  for (const sort of ['createdAt', 'asset', 'severity']) {
    const caution = await page(`verdict=caution&sort=${sort}`)
    expect(caution.data.map(({ asset }: { asset: string }) => asset).toSorted()).toEqual([
      '192.0.2.2:1/tcp',
      '192.0.2.2:2/tcp',
    ])
    expect(caution.meta).toMatchObject({ total: 2, nextCursor: null })
    const many = await page(`verdict=in,out&sort=${sort}`)
    expect(many.data.length).toBe(100)
    expect(many.meta.total).toBeNull()
  }
  const facets = async (query: string) =>
    (await key.get(`/api/v1/results/facets?engagementId=${engagement}&${query}`)).body.data
  const verdicts = { in: null, caution: 2, out: 1, unknown: 0 }
  expect((await facets('by=verdict')).verdict).toEqual(verdicts)
  expect((await facets('verdict=in,caution&by=verdict')).verdict).toEqual({ ...verdicts, out: 0 })
  expect((await facets('verdict=in,caution&by=severity')).severity).toMatchObject({
    info: 5_000,
    low: 5_001,
    medium: 0,
  })
  expect((await facets('verdict=caution&by=kind')).kind).toMatchObject({ service: 2, vulnerability: 0 })
})
