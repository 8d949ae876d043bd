import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'

const BULK = '/api/v1/operations/bulk'
let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await key.post('/api/v1/engagements', { name: 'Logged' })).body.data.id

const command = (engagementId: string, more: object = {}) => ({
  engagementId,
  externalId: randomUUID(),
  startedAt: '2026-11-21T14:03:02.120Z',
  endedAt: '2026-11-21T14:04:02.120Z',
  command: 'nmap 10.0.0.0/30',
  exitCode: 0,
  targets: [{ address: '10.0.0.0' }, { address: '10.0.0.1' }, { host: 'Shop.example', port: 443, protocol: 'HTTPS' }],
  ...more,
})

const logged = async (engagementId: string) =>
  (await key.get(`/api/v1/operations?engagementId=${engagementId}&perPage=100`)).body.data

test('a command is an entry for each address and name, at the address that the request came from', async () => {
  const engagementId = await newEngagement()
  const { status, body } = await key.post(BULK, command(engagementId))
  expect([status, body]).toEqual([201, { data: { created: 3, known: 0 } }])
  const entries = await logged(engagementId)
  expect(entries).toHaveLength(3)
  expect(entries).toContainEqual(
    expect.objectContaining({
      kind: 'run',
      host: 'shop.example',
      port: 443,
      protocol: 'https',
      sourceAddress: '127.0.0.1',
      command: 'nmap 10.0.0.0/30',
      exitCode: 0,
      overrideReason: null,
    }),
  )
  const { body: asked } = await key.get(
    `/api/v1/operations?engagementId=${engagementId}&address=10.0.0.1&at=2026-11-21T14:03:30.000Z`,
  )
  expect(asked.data).toHaveLength(1)
})

test('3,000 targets are one request, and one row of the audit log', async () => {
  const engagementId = await newEngagement()
  const targets = Array.from({ length: 3_000 }, (_, index) => ({
    address: `10.1.${index >> 8}.${index & 255}`,
    host: 'shop.example',
    port: 443,
    protocol: 'https',
  }))
  expect((await key.post(BULK, command(engagementId, { targets }))).body).toEqual({
    data: { created: 3_000, known: 0 },
  })
  const owner = await app.signedIn('owner')
  const { status, body, text } = await owner.get(`/api/web/audit?action=operation.recorded&perPage=100`)
  expect(status, text).toBe(200)
  const rows = body.data.filter(({ after }: { after: { targets: number } }) => after.targets === 3_000)
  expect(rows).toHaveLength(1)
})

test('sent again, long after its Idempotency-Key, it adds nothing; twice at once, each entry once', async () => {
  const engagementId = await newEngagement()
  const wanted = command(engagementId)
  const answers = await Promise.all([key.post(BULK, wanted), key.post(BULK, wanted), key.post(BULK, wanted)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(answers.reduce((sum, { body }) => sum + body.data.created, 0)).toBe(3)
  app.clock.advance(40 * 24 * 60 * 60 * 1000)
  expect((await key.post(BULK, wanted)).body.data).toEqual({ created: 0, known: 3 })
  expect(await logged(engagementId)).toHaveLength(3)
  const other = await newEngagement()
  expect((await key.post(BULK, { ...wanted, engagementId: other })).body.data).toEqual({ created: 3, known: 0 })
})

test('a target that is wrong is named, and nothing is added', async () => {
  const engagementId = await newEngagement()
  for (const [more, message] of [
    [{ targets: [{ address: '10.0.0.1' }, { port: 80 }] }, 'targets.1.address: this or host is needed'],
    [{ targets: [{ address: '10.0.0.0/24' }] }, 'targets.0.address: must be an IP address'],
    [{ endedAt: '2026-11-21T14:00:00.000Z' }, 'targets.0.endedAt: must not be before startedAt'],
  ] as const) {
    const { status, body } = await key.post(BULK, command(engagementId, more))
    expect([status, body.error.message]).toEqual([422, message])
  }
  expect(await logged(engagementId)).toEqual([])
})

test('an import of the output of a logged command adds no entries of its own', async () => {
  const withJobs = await testApp()
  try {
    const own = await withJobs.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
    const engagementId = (await own.post('/api/v1/engagements', { name: 'Logged' })).body.data.id
    const wanted = command(engagementId)
    expect((await own.post(BULK, wanted)).status).toBe(201)
    const upload = (query: string) =>
      own.request('POST', `/api/v1/imports?engagementId=${engagementId}&fileName=a.xml&wait=30${query}`, {
        rawBody: NMAP_XML,
      })
    expect((await upload(`&loggedAs=${wanted.externalId}`)).body.data.state).toBe('applied')
    const { body } = await own.get(`/api/v1/operations?engagementId=${engagementId}&kind=import`)
    expect(body.data).toEqual([])
    expect((await upload(`&loggedAs=${randomUUID()}`)).body.data.state).toBe('applied')
    const { body: after } = await own.get(`/api/v1/operations?engagementId=${engagementId}&kind=import`)
    expect(after.data).not.toEqual([])
  } finally {
    await withJobs.close()
  }
})

const NMAP_XML = `<?xml version="1.0"?>
<nmaprun scanner="nmap" args="nmap 10.0.0.1" start="1795000000" version="7.95">
<scaninfo type="connect" protocol="tcp" numservices="1" services="443"/>
<host starttime="1795000000" endtime="1795000010"><status state="up"/><address addr="10.0.0.1" addrtype="ipv4"/>
<ports><port protocol="tcp" portid="443"><state state="open"/><service name="https"/></port></ports></host>
<runstats><finished time="1795000010" exit="success"/></runstats>
</nmaprun>
`
