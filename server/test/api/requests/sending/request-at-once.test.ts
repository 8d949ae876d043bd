import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

const SEND = '/api/v1/api-requests/send'
let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver
/** Answers requests that hang. */
const hung: (() => void)[] = []

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    if (url === '/hang') hung.push(() => void response.end('late'))
    else response.end(url === '/long' ? 'a'.repeat(900) : 'fine')
  })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}`, REQUEST_RUNS_AT_ONCE: '2' } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const sending = (request: object) => key.post(SEND, { engagementId, request })
const run = async (request: object) => (await sending(request)).body.data

test('X13: an organization has a limit of concurrent requests, more are 429 with Retry-After; those of another are not delayed', async () => {
  const elsewhere = await app.withKey(
    ['api-requests:read', 'api-requests:write', 'organizations:write'],
    await app.createOrganization(),
  )
  const theirEngagement: string = (await elsewhere.post('/api/v1/engagements', { name: 'Theirs' })).body.data.id
  const hanging = { url: `${web.origin}/hang`, options: { timeoutMs: 60_000 } }
  const before = hung.length
  const taken = [sending(hanging), sending(hanging)]
  await eventually(() => expect(hung).toHaveLength(before + 2))
  for (let round = 0; round < 3; round++) {
    const refused = await sending({ url: `${web.origin}/` })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(refused.body.error.message).toBe(
      'Only 2 requests are executed at the same time. Try again when one has finished.',
    )
    const theirs = await elsewhere.post(SEND, {
      engagementId: theirEngagement,
      request: { url: `${web.origin}/elsewhere` },
    })
    expect([theirs.status, theirs.body.data.state]).toEqual([201, 'succeeded'])
  }
  for (const answer of hung.splice(0)) answer()
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([201, 201])
  expect((await sending({ url: `${web.origin}/` })).status).toBe(201)
})

test('X13: of simultaneous requests at most the limit are executed', async () => {
  const before = hung.length
  const refused: string[] = []
  const all = Array.from({ length: 20 }, async () => {
    const { status, headers } = await sending({ url: `${web.origin}/hang`, options: { timeoutMs: 60_000 } })
    if (status !== 201) refused.push(`${status} ${headers.get('retry-after')}`)
  })
  await eventually(() => expect(refused).toHaveLength(18))
  expect(new Set(refused)).toEqual(new Set(['429 5']))
  await eventually(() => expect(hung).toHaveLength(before + 2))
  for (const answer of hung.splice(0)) answer()
  await Promise.all(all)
  expect(refused).toHaveLength(18)
})

test('X13: endless expressions of one organization delay none of another', async () => {
  const elsewhere = await app.withKey(
    ['api-requests:read', 'api-requests:write', 'organizations:write'],
    await app.createOrganization(),
  )
  const theirEngagement: string = (await elsewhere.post('/api/v1/engagements', { name: 'Theirs' })).body.data.id
  const assertions = [{ subject: 'status', operator: 'equals', value: 200 }]
  const quick = async (client: TestClient) => {
    const { body } = await client.post(SEND, {
      engagementId: client === key ? engagementId : theirEngagement,
      request: { url: `${web.origin}/`, assertions },
    })
    return body.data.assertions[0].passed
  }
  // A thread for each of them has started.
  await eventually(async () => expect(await Promise.all([key, elsewhere].map(quick))).toEqual([true, true]))
  const slow = { url: `${web.origin}/long`, assertions: [{ subject: 'body', operator: 'matches', value: '^(a+)+$b' }] }
  const count = web.received.length
  const many = [run(slow), run(slow)]
  await eventually(() => expect(web.received).toHaveLength(count + 2))
  expect(await quick(elsewhere)).toBe(true)
  expect((await Promise.all(many)).map(({ assertions: [assertion] }) => assertion.passed)).toEqual([false, false])
})
