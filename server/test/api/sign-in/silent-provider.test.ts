import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import type { TestResponse } from '../../support/app/test-client.ts'
import { FINISH, START } from '../../support/providers/provider-visit.ts'
import { type SilentProvider, startSilentProvider } from '../../support/providers/silent-provider.ts'

const MODE = '/api/auth/mode'

let provider: SilentProvider
let app: TestApp
/**
 * @param maxRequests fewer than wait at the provider, so that a wait that counted as a running request would refuse
 *   others
 */
const begin = async (maxRequests: number) => {
  app = await testApp({ workers: false, env: { ...provider.settings, OVERLOAD_MAX_REQUESTS: String(maxRequests) } })
}
beforeEach(async () => {
  provider = await startSilentProvider()
})
afterEach(async () => {
  provider.release()
  await app.close()
  await provider.down()
})

const start = () => app.anonymous.post(START, {})

const expectOthersServed = async (count: number, atOnce: number) => {
  for (let i = 0; i < count; i += atOnce) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(atOnce, count - i) }, () => app.anonymous.get(MODE)),
    )
    for (const { status } of answers) expect(status).toBe(200)
  }
}

test('S33: of 130 starts at a hanging provider eight wait, the others are refused at once, and 142 other requests are served', async () => {
  await begin(6)
  const answers: TestResponse[] = []
  const starts: Promise<void>[] = []
  const waiting = () => starts.length - answers.length
  const sendStarts = async (count: number) => {
    for (let i = 0; i < count; i++) starts.push(start().then((answer) => void answers.push(answer)))
    await eventually(() => expect(waiting()).toBeLessThanOrEqual(8))
    // After this answer none of them is in progress: the next ones do not exceed the limit.
    await eventually(async () => expect((await app.anonymous.get(MODE)).status).toBe(200))
  }
  await sendStarts(4)
  await sendStarts(4)
  expect(provider.waiting()).toBe(1)
  await expectOthersServed(5, 5)
  while (starts.length < 130) await sendStarts(Math.min(5, 130 - starts.length))
  await expectOthersServed(137, 5)
  provider.release()
  await Promise.all(starts)
  for (const { status, headers } of answers) {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // Those that waited, at most five seconds or until the provider disconnected, and those over the limit.
  const sentences = new Set(answers.map(({ body }) => body.error.message))
  expect([...sentences].toSorted()).toEqual([
    'Silent Directory does not respond. Existing sessions keep working; sign in again when it is back.',
    'Too many sign-ins are waiting for Silent Directory. Try again in a few seconds.',
  ])
  provider.isAnswering = true
  expect((await start()).status).toBe(200)
})

test('S33: once the provider has answered, its last discovery document is used while it is silent', async () => {
  await begin(6)
  provider.isAnswering = true
  const { url } = (await start()).body.data
  expect(new URL(url).pathname).toBe('/auth')
  provider.isAnswering = false
  // Only the first request that notices waits, at most one second.
  expect((await start()).status).toBe(200)
  await eventually(() => expect(provider.waiting()).toBe(1))
  const startedAt = performance.now()
  for (let i = 0; i < 20; i++) expect((await start()).status).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(hereMs(4_000))
  expect(provider.waiting()).toBe(1)
})

test('S16: a provider that refuses connections is not redirected to, although it has answered before', async () => {
  await begin(6)
  provider.isAnswering = true
  expect((await start()).status).toBe(200)
  await provider.down()
  const refused = await start()
  expect([refused.status, refused.body.error.message]).toEqual([
    503,
    expect.stringMatching(/^Silent Directory does not respond/),
  ])
  expect(app.logLines.filter((line) => line.includes('the identity provider does not answer'))).toHaveLength(1)
})

test('S33: callbacks while the provider is silent do not count as running requests, and at most 32 of them wait', async () => {
  await begin(18)
  provider.isAnswering = true
  const comeBack = async () => {
    const browser = new TestBrowser(app.origin)
    const state = new URL((await browser.post(START, {})).body.data.url).searchParams.get('state')
    return () => browser.post(FINISH, { query: `code=any&state=${state}` })
  }
  const finishes: Awaited<ReturnType<typeof comeBack>>[] = []
  for (let i = 0; i < 33; i++) finishes.push(await comeBack())
  const answers = finishes.slice(0, 16).map((finish) => finish())
  await eventually(() => expect(provider.waiting()).toBe(16))
  answers.push(...finishes.slice(16, 32).map((finish) => finish()))
  await eventually(() => expect(provider.waiting()).toBe(32))
  const { status, body } = await (finishes[32] as (typeof finishes)[number])()
  expect([status, body.error.message]).toEqual([503, expect.stringMatching(/^Silent Directory does not respond/)])
  await expectOthersServed(30, 10)
  provider.release()
  for (const answer of await Promise.all(answers)) expect([400, 503]).toContain(answer.status)
})

const MAX_REQUESTS = 6

test('S33: a request counts again after its wait for the provider, and no longer once it is answered', async () => {
  await begin(MAX_REQUESTS)
  provider.isAnswering = true
  for (let i = 0; i < 3 * MAX_REQUESTS; i++) expect((await start()).status).toBe(200)
  const all = await Promise.all(Array.from({ length: MAX_REQUESTS }, () => app.anonymous.get(MODE)))
  expect(all.map(({ status }) => status)).toEqual(Array(MAX_REQUESTS).fill(200))
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table sign_in_flows in access exclusive mode`.execute(tx)
    const blocked = Array.from({ length: MAX_REQUESTS }, start)
    await eventually(async () => expect((await app.anonymous.get(MODE)).status).toBe(503))
    void Promise.all(blocked)
  })
  await eventually(async () => expect((await app.anonymous.get(MODE)).status).toBe(200))
})
