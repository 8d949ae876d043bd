import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockAccount } from '../../../src/features/auth/accounts/accounts.queries.ts'
import { startSession } from '../../../src/features/auth/sessions/sessions.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { announce } from '../../../src/platform/events/announce.ts'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { type OpenStream, openStream } from '../../support/clients/event-stream.ts'
import { longestBlockMs, processorMs } from '../../support/inputs/processor-time.ts'

const STREAMS = 2_000
const PER_PERSON = 5

let app: TestApp
let streams: OpenStream[]
let engagementId: string

const signInWithoutPassword = async (): Promise<TestClient> => {
  const { id } = await app.createMember('member')
  const token = await transaction(app.db, async (tx) =>
    startSession(tx, app.platform.keys, app.clock, await lockAccount(tx, id), {
      userAgent: 'test',
      address: '127.0.0.1',
    }),
  )
  return new TestClient(app.origin, { cookie: `sid=${token}`, 'x-organization': app.organization.id })
}

beforeAll(async () => {
  app = await testApp({ workers: false, env: { CONNECTIONS_PER_ADDRESS: '10000' } })
  const owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Watched' })).body.data.id
  streams = []
  while (streams.length < STREAMS) {
    const person = await signInWithoutPassword()
    streams.push(...(await Promise.all(Array.from({ length: PER_PERSON }, () => openStream(person)))))
  }
  expect(streams.every(({ status }) => status === 200)).toBe(true)
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await app.close()
})

test(`${STREAMS} open streams in one process use less than a quarter of a core while nothing happens, and block it for at most 100 ms`, async () => {
  const SPAN_MS = 11_000
  let used = 0
  const blocked = await longestBlockMs(async () => {
    used = await processorMs(() => sleep(SPAN_MS))
  })
  console.info(
    `${STREAMS} streams: ${((used / SPAN_MS) * 100).toFixed(1)} % of a core, blocked ${blocked.toFixed(0)} ms at most`,
  )
  expect(used).toBeLessThan(hereMs(0.25 * SPAN_MS))
  expect(blocked).toBeLessThan(hereMs(100))
})

test('a change reaches all of them within 3 seconds', async () => {
  const id = 'tgt_told_to_all'
  const startedAt = performance.now()
  const blocked = await longestBlockMs(async () => {
    await transaction(app.platform.scopedTo(app.organization.id), (tx) =>
      announce(tx, { type: 'target', engagementId, ids: [id], change: 'created' }),
    )
    await eventually(() => expect(streams.every((stream) => stream.text().includes(id))).toBe(true), 10_000, 20)
  })
  console.info(
    `sent to all after ${(performance.now() - startedAt).toFixed(0)} ms, blocked ${blocked.toFixed(0)} ms at most`,
  )
  expect(performance.now() - startedAt).toBeLessThan(hereMs(3_000))
})
