import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { endpointOf } from '../../support/webhooks/endpoints.ts'
import { openReceiver, type Receiver } from '../../support/webhooks/receiver.ts'

const EVENTS = isNightly ? 10_000 : 200
const LINES_AT_ONCE = 20

let app: TestApp
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
  app = await testApp({
    env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: Array.from({ length: 60 }, () => 1).join() },
  })
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

test(
  'W9: of many events to a receiver that fails at random, each arrives at least once, and nothing after the deletion of its endpoint',
  async () => {
    const key = await app.withKey(['organizations:write', 'tasks:read', 'tasks:write', 'organizations:read'])
    // A fixed sequence, so that a failure can be repeated.
    let seed = 7
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    receiver.answer = () => ({ status: random() < 0.3 ? 500 : 200 })
    const endpoint = await endpointOf(key, '/api/v1', { url: receiver.url, events: ['task.created'] })
    const owner = await app.signedIn('owner')
    const engagementId = (await owner.post('/api/web/engagements', { name: 'Many tasks' })).body.data.id
    const wanted: string[] = []
    for (let made = 0; made < EVENTS; made += LINES_AT_ONCE)
      for (const { status, body, text } of await Promise.all(
        Array.from({ length: LINES_AT_ONCE }, (_, index) =>
          key.post('/api/v1/tasks', { engagementId, title: `Task ${made + index}` }),
        ),
      )) {
        expect(status, text).toBe(201)
        wanted.push(body.data.id)
      }
    const delivered = () => new Set(receiver.received.map(({ message }) => message.data['id'] as string))
    await eventually(
      async () => {
        app.clock.advance(2_000)
        const { body } = await key.get(`/api/v1/webhook-deliveries?endpointId=${endpoint.id}&state=delivered&perPage=1`)
        expect(body.meta.total ?? EVENTS).toBe(EVENTS)
      },
      isNightly ? 1_800_000 : 300_000,
      200,
    )
    expect(wanted.filter((id) => !delivered().has(id))).toEqual([])
    const before = receiver.received.length
    await key.delete(`/api/v1/webhook-endpoints/${endpoint.id}`)
    await key.post('/api/v1/tasks', { engagementId, title: 'Too late' })
    const other = await endpointOf(key, '/api/v1', { url: receiver.url, events: ['task.created'] })
    receiver.answer = () => ({ status: 200 })
    await key.post(`/api/v1/webhook-endpoints/${other.id}/test`)
    await eventually(() => expect(receiver.received.at(-1)?.message.type).toBe('ping'))
    expect(receiver.received.length).toBe(before + 1)
  },
  isNightly ? 3_600_000 : 600_000,
)
