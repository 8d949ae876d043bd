import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const AT_ONCE = 4
/** Fewer than two organizations execute at once. */
const MAX_REQUESTS = 6
const SCOPES = ['api-requests:read', 'api-requests:write'] as const

let app: TestApp
let web: Receiver
/** Answers requests that hang. */
const hung: (() => void)[] = []

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    if (url === '/hang') hung.push(() => void response.end('late'))
    else response.end('fine')
  })
  app = await testApp({
    workers: false,
    env: {
      EGRESS_ALLOW: `127.0.0.1:${web.port}`,
      REQUEST_RUNS_AT_ONCE: String(AT_ONCE),
      OVERLOAD_MAX_REQUESTS: String(MAX_REQUESTS),
    },
  })
})
afterAll(async () => {
  await app.close()
  await web.close()
})
beforeEach(() => void hung.splice(0))

interface Tester {
  organization: TestOrganization
  key: TestClient
  engagementId: string
}
const newTester = async (): Promise<Tester> => {
  const organization = await app.createOrganization()
  const key = await app.withKey(SCOPES, organization)
  const engagementId = (
    await (await app.signedIn('owner', organization)).post('/api/web/engagements', { name: 'Perimeter' })
  ).body.data.id
  return { organization, key, engagementId }
}
const folderWith = async ({ key, engagementId }: Tester, path: string): Promise<string> => {
  const folder = (await key.post('/api/v1/request-folders', { engagementId, name: 'Folder' })).body.data
  expect(
    (
      await key.post('/api/v1/api-requests', {
        engagementId,
        folderId: folder.id,
        name: 'One',
        url: `${web.origin}${path}`,
      })
    ).status,
  ).toBe(201)
  return folder.id
}
const execute = ({ key }: Tester, folderId: string) => key.post(`/api/v1/request-folders/${folderId}/execute`, {})
const send = ({ key, engagementId }: Tester, path: string) =>
  key.post('/api/v1/api-requests/send', { engagementId, request: { url: `${web.origin}${path}` } })
const releaseAll = () => {
  for (const answer of hung.splice(0)) answer()
}

test('T6: folders of two organizations that wait for a silent server block no others; one more of an organization is 429', async () => {
  const [first, second, third] = await Promise.all([newTester(), newTester(), newTester()])
  const executions: ReturnType<typeof execute>[] = []
  for (const tester of [first, second]) {
    const folderId = await folderWith(tester, '/hang')
    for (let n = 0; n < AT_ONCE; n++) {
      executions.push(execute(tester, folderId))
      await eventually(() => expect(hung).toHaveLength(executions.length))
    }
    const refused = await execute(tester, folderId)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(refused.body.error.message).toBe(
      `Only ${AT_ONCE} folders are executed at the same time. Try again when one has finished.`,
    )
  }
  for (let n = 0; n < 20; n++) expect((await third.key.get('/api/v1/api-requests')).status).toBe(200)
  expect((await send(third, '/')).body.data.state).toBe('succeeded')
  releaseAll()
  expect((await Promise.all(executions)).map(({ status, body }) => [status, body.data.state])).toEqual(
    executions.map(() => [201, 'succeeded']),
  )
  expect((await execute(first, await folderWith(first, '/'))).body.data.state).toBe('succeeded')
})

test('T6: single requests of two organizations that wait for a silent server block no others', async () => {
  const [first, second, third] = await Promise.all([newTester(), newTester(), newTester()])
  const sent: ReturnType<typeof send>[] = []
  for (const tester of [first, second]) {
    for (let n = 0; n < AT_ONCE; n++) {
      sent.push(send(tester, '/hang'))
      await eventually(() => expect(hung).toHaveLength(sent.length))
    }
  }
  for (let n = 0; n < 20; n++) expect((await third.key.get('/api/v1/api-requests')).status).toBe(200)
  releaseAll()
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201))
})

test('T24: a sequence that waits for a slot does not count its attempts against the hourly limit', async () => {
  const tester = await newTester()
  const folderId = await folderWith(tester, '/')
  const sent: ReturnType<typeof send>[] = []
  for (let n = 0; n < AT_ONCE; n++) {
    sent.push(send(tester, '/hang'))
    await eventually(() => expect(hung).toHaveLength(sent.length))
  }
  const waiting = execute(tester, folderId)
  // It sends a heartbeat each second, and retries as often.
  const signsOfLife = new Set<string>()
  await eventually(async () => {
    const row = await app.db
      .selectFrom('request_sequences')
      .select('alive_until')
      .where('folder_id', '=', folderId)
      .executeTakeFirstOrThrow()
    signsOfLife.add(row.alive_until)
    expect(signsOfLife.size).toBeGreaterThan(3)
  })
  const counted = await app.db
    .selectFrom('throttle_buckets')
    .select('failures')
    .where('bucket', '=', `request-runs:${tester.organization.id}`)
    .executeTakeFirstOrThrow()
  expect(counted.failures).toBe(AT_ONCE)
  releaseAll()
  expect((await waiting).body.data.state).toBe('succeeded')
  await Promise.all(sent)
})
