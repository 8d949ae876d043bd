import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanRuns } from '../../../../src/features/requests/runs/runs.jobs.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

const HOURLY = 8
const KEPT_OF_A_REQUEST = 1_000

let app: TestApp
let key: TestClient
let web: Receiver
let engagementId: string

beforeAll(async () => {
  web = await startReceiver((_request, response) => response.end('fine'))
  app = await testApp({
    workers: false,
    env: { EGRESS_ALLOW: `127.0.0.1:${web.port}`, REQUEST_RUNS_PER_HOUR: String(HOURLY) },
  })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const create = async (path: string, fields: object) =>
  (await key.post(path, { engagementId, name: 'Something', ...fields })).body.data.id as string
const execute = (id: string) => key.post(`/api/v1/api-requests/${id}/execute`, {})

test('runs are kept for 90 days, and of one request the newest 1,000; pinned ones stay', async () => {
  const id = await create('/api/v1/api-requests', { url: `${web.origin}/kept` })
  const [first, second, third] = [await execute(id), await execute(id), await execute(id)].map(
    ({ body }) => body.data.id as string,
  )
  await key.patch(`/api/v1/request-runs/${first}`, { pinned: true })
  const [listed] = (await key.get(`/api/v1/request-runs?requestId=${id}&sort=createdAt&order=desc`)).body.data
  expect(listed.id).toBe(third)
  await app.asSuperuser(
    `update request_runs set created_at = now() - interval '91 days' where id in ('${first}', '${second}')`,
  )
  await cleanRuns(app.platform)
  const statusOf = async (run: string | undefined) => (await key.get(`/api/v1/request-runs/${run}`)).status
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([200, 404, 200])

  const many = 'run_00000000000000000000000000'
  await app.asSuperuser(`
    insert into request_runs
    select (jsonb_populate_record(r, jsonb_build_object('id', left('${many}', 26) || lpad(n::text, 4, '0')))).*
    from request_runs r, generate_series(1, ${KEPT_OF_A_REQUEST + 1}) n where r.id = '${third}'`)
  await cleanRuns(app.platform)
  expect((await key.get(`/api/v1/request-runs?requestId=${id}`)).body.meta.total).toBe(KEPT_OF_A_REQUEST)
  expect([await statusOf(first), await statusOf(third)]).toEqual([200, 200])
})

test('a folder of 101 requests is 409, and none of them is sent', async () => {
  const folderId = await create('/api/v1/request-folders', {})
  for (let count = 0; count < 101; count++)
    await create('/api/v1/api-requests', { folderId, url: `${web.origin}/many` })
  const { status, body } = await key.post(`/api/v1/request-folders/${folderId}/execute`, {})
  expect([status, body.error.message]).toEqual([409, 'The folder has more than 100 requests.'])
  expect(web.received.filter(({ url }) => url === '/many')).toEqual([])
})

test('over the hourly limit a request is 429 and not sent; another organization has its own limit, and the next hour starts a new one', async () => {
  const id = await create('/api/v1/api-requests', { url: `${web.origin}/hourly` })
  let last = await execute(id)
  for (let count = 0; count < HOURLY && last.status === 201; count++) last = await execute(id)
  expect([last.status, last.body.error.message]).toEqual([429, `The limit is ${HOURLY} executed requests per hour.`])
  const wait = Number(last.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(3_600)
  const sent = () => web.received.filter(({ url }) => url === '/hourly').length
  const before = sent()
  expect((await execute(id)).status).toBe(429)
  expect(sent()).toBe(before)
  const other = await app.withKey(
    ['api-requests:read', 'api-requests:write', 'organizations:write'],
    await app.createOrganization(),
  )
  const theirs: string = (await other.post('/api/v1/engagements', { name: 'Theirs' })).body.data.id
  expect(
    (await other.post('/api/v1/api-requests/send', { engagementId: theirs, request: { url: `${web.origin}/hourly` } }))
      .status,
  ).toBe(201)
  app.clock.advance(3_600_000)
  expect((await execute(id)).status).toBe(201)
})
