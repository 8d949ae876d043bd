import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

/** A process that sends requests picks up the next one at once. */
const TAKEN_WITHIN_MS = 10_000

let web: Receiver
let app: TestApp

beforeAll(async () => {
  web = await startReceiver((_request, response) => response.end('fine'))
  // Runs every other kind of job itself.
  app = await testApp({ env: { REQUESTS_BY: 'workers', EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
})
afterAll(async () => {
  await app.close()
  await web.close()
})

test('without a process that sends requests, a run fails after ten seconds with what to do, and the answering server sends nothing', async () => {
  const key = await app.withKey(['api-requests:read', 'api-requests:write', 'organizations:write'])
  const engagementId: string = (await key.post('/api/v1/engagements', { name: 'Perimeter' })).body.data.id
  const sending = key.post('/api/v1/api-requests/send', { engagementId, request: { url: `${web.origin}/nobody` } })
  await eventually(async () =>
    expect(await app.db.selectFrom('request_handoffs').select('taken_at').execute()).toEqual([{ taken_at: null }]),
  )
  app.clock.advance(TAKEN_WITHIN_MS)
  const { status, body } = await sending
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('worker --only requests'),
    response: null,
    hops: [],
  })
  expect(web.connections).toBe(0)
})
