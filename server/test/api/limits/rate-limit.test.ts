import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LocalRateLimiter } from '../../../src/platform/http/limits/rate-limit.ts'
import { addressBucket } from '../../../src/platform/http/server/address.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { eventually } from '../../support/app/server-process.ts'
import { cookiesOf, PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { TestClock } from '../../support/app/test-clock.ts'

let app: TestApp
const PATH = '/api/v1/organizations/current'
const LIMIT = 20

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: { RATE_LIMIT_MAX: String(LIMIT), RATE_LIMIT_ANONYMOUS_MAX: '30', TRUST_PROXY: '10.0.0.0/8' },
  })
})
afterAll(() => app.close())

const freshWindow = () => app.clock.advance(61_000)
const numbers = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
const newKey = async () => {
  freshWindow()
  return app.withKey(SCOPE_NAMES, await app.createOrganization())
}

describe('R1: the window of a key', () => {
  test('R1: of a hundred at once exactly N are answered, the rest is 429 with Retry-After and the time of the reset', async () => {
    const key = await newKey()
    const answers = await Promise.all(Array.from({ length: 100 }, () => key.get(PATH)))
    const good = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([good.length, refused.length]).toEqual([LIMIT, 100 - LIMIT])
    expect(good.map(({ headers }) => numbers(headers)[1]).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: LIMIT }, (_, i) => i),
    )
    const resets = new Set(answers.map(({ headers }) => numbers(headers)[2]))
    expect(resets.size).toBe(1)
    const reset = [...resets][0] as number
    const now = app.clock.now() / 1000
    for (const { headers, body } of refused) {
      expect(body.error.code).toBe('RATE_LIMITED')
      expect(numbers(headers).slice(0, 2)).toEqual([LIMIT, 0])
      const retryAfter = Number(headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThanOrEqual(1)
      expect(Math.abs(now + retryAfter - reset)).toBeLessThanOrEqual(3)
    }
    expect(reset).toBeGreaterThanOrEqual(now - 3)
  })

  test('R1: refused requests count, but the window still ends on time; then there are N again', async () => {
    const key = await newKey()
    app.clock.freeze()
    const [, , reset] = numbers((await key.get(PATH)).headers) as [number, number, number]
    for (let i = 0; i < LIMIT + 5; i++) await key.get(PATH)
    app.clock.advance(reset * 1000 - app.clock.now() - 20_000)
    expect((await key.get(PATH)).status).toBe(429)
    app.clock.advance(20_000)
    const after = await key.get(PATH)
    expect(after.status).toBe(200)
    expect(numbers(after.headers).slice(0, 2)).toEqual([LIMIT, LIMIT - 1])
    expect(numbers(after.headers)[2]).toBeGreaterThan(reset)
  })

  test('open point 13: over the limit 429 comes before 403, 400, 422 and 404; and 401 before 429', async () => {
    const key = await newKey()
    const weak = await app.withKey(['wiki:read'], await app.createOrganization())
    for (let i = 0; i < LIMIT; i++) await Promise.all([key.get(PATH), weak.get(PATH)])
    expect((await weak.get(PATH)).status).toBe(429)
    for (const path of [`${PATH}?x=1`, '/api/v1/engagements/x', '/api/v1/nonsense'])
      expect((await key.get(path)).status, path).toBe(429)
    expect((await key.post('/api/v1/engagements', {})).status).toBe(429)
    expect((await app.anonymous.get(PATH)).status).toBe(401)
  })

  test('A10, R1: one key’s requests do not count for another, or for sessions', async () => {
    const [busy, calm] = [await newKey(), await app.withKey(['organizations:read'], await app.createOrganization())]
    const session = await app.signedIn('owner')
    for (let i = 0; i < LIMIT + 2; i++) await busy.get(PATH)
    expect((await busy.get(PATH)).status).toBe(429)
    expect(numbers((await calm.get(PATH)).headers)[1]).toBe(LIMIT - 1)
    expect((await session.get('/api/web/organizations')).status).toBe(200)
  })
})

describe('R3: many keys of one organization', () => {
  test('R3: share a limit of five times one key’s, so that a new key resets nothing', async () => {
    freshWindow()
    const organization = await app.createOrganization()
    const keys: TestClient[] = []
    for (let i = 0; i < 8; i++) keys.push(await app.withKey(['organizations:read'], organization))
    freshWindow()
    let good = 0
    for (let round = 0; round < LIMIT; round++) for (const key of keys) if ((await key.get(PATH)).status === 200) good++
    expect(good).toBe(LIMIT * 5)
  })
})

describe('R4: requests without a valid key', () => {
  test('R4: X-Forwarded-For from an untrusted proxy changes nothing', async () => {
    freshWindow()
    const statuses = []
    for (let i = 0; i < 33; i++)
      statuses.push(
        (
          await app.anonymous
            .with({
              'x-forwarded-for': `203.0.113.${i}`,
              forwarded: `for=203.0.113.${i}`,
              'x-real-ip': `203.0.113.${i}`,
            })
            .get(PATH)
        ).status,
      )
    expect(statuses.slice(-3)).toEqual([429, 429, 429])
    expect(statuses.filter((status) => status === 401).length).toBe(30)
  })

  test('R4: behind a trusted proxy each client has its own bucket, named by the last address that is not a proxy', async () => {
    const proxied = await testApp({
      workers: false,
      env: { RATE_LIMIT_ANONYMOUS_MAX: '5', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' },
    })
    try {
      const from = async (chain: string) =>
        (await proxied.anonymous.with({ 'x-forwarded-for': chain }).get(PATH)).status
      for (let i = 0; i < 5; i++) expect(await from('198.51.100.1')).toBe(401)
      expect(await from('198.51.100.1')).toBe(429)
      expect(await from('198.51.100.2')).toBe(401)
      expect(await from('203.0.113.9, 198.51.100.1')).toBe(429)
      expect(await from('203.0.113.10, 198.51.100.1, 10.1.2.3')).toBe(429)
      for (let i = 0; i < 5; i++) await from(`2001:db8:1:2::${i}`)
      expect(await from('2001:db8:1:2:ffff::1')).toBe(429)
      expect(await from('2001:db8:1:3::1')).toBe(401)
    } finally {
      await proxied.close()
    }
  })

  test('S38: a port or a malformed address from a proxy makes no other client, for limits, the log and the sessions', async () => {
    const proxied = await testApp({
      workers: false,
      env: { RATE_LIMIT_ANONYMOUS_MAX: '5', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' },
    })
    try {
      const spellings: [address: string, (n: number) => string][] = [
        ['203.0.113.78', (n) => `203.0.113.78:${40_000 + n}`],
        ['2001:db8:9::1', (n) => `[2001:db8:9::1]:${40_000 + n}`],
        ['2001:db8:a::1', () => '[2001:db8:a::1]'],
        ['198.51.100.7', (n) => `192.0.2.${n}, 198.51.100.7:${40_000 + n}, 10.0.0.9:${n}`],
        // The address of the proxy that wrote it.
        ['127.0.0.1', (n) => `unknown${n}`],
        ['10.0.0.8', (n) => `192.0.2.${n}, _hidden${n}, 10.0.0.8`],
        ['10.0.0.7', (n) => `203.0.113.78:port${n}, 10.0.0.7`],
      ]
      for (const [address, spell] of spellings) {
        const first = proxied.logLines.length
        const statuses: number[] = []
        for (let n = 0; n < 7; n++)
          statuses.push((await proxied.anonymous.with({ 'x-forwarded-for': spell(n) }).get(PATH)).status)
        expect(statuses, address).toEqual([401, 401, 401, 401, 401, 429, 429])
        await eventually(() => {
          const logged = proxied.logLines.slice(first).map((line) => JSON.parse(line).address as string | undefined)
          expect(logged.filter((each) => each !== undefined)).toEqual(statuses.map(() => address))
        })
      }
      const user = await proxied.createUser()
      const session = await proxied.anonymous
        .with({ 'x-forwarded-for': '203.0.113.99:41234' })
        .post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
      const { body } = await proxied.anonymous
        .with({ cookie: cookiesOf(session.headers) })
        .get('/api/web/account/sessions')
      expect(body.data.map(({ address }: { address: string }) => address)).toContain('203.0.113.99')
    } finally {
      await proxied.close()
    }
  })

  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ])('R4: %s counts as %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket)
  })
})

describe('R6: the memory of the limiter', () => {
  test('R6: beyond the number of counted addresses it uses at most 64 MiB, and keeps the newest windows', () => {
    setFlagsFromString('--expose_gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const heapUsed = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const COUNT = isNightly ? 1_000_000 : 300_000
    const limiter = new LocalRateLimiter(new TestClock(), 60)
    const before = heapUsed()
    for (let i = 0; i < COUNT; i++)
      limiter.consume(`a:2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::/64`, 10)
    expect((heapUsed() - before) / 1024 ** 2).toBeLessThan(64)
    expect(
      limiter.peek(`a:2001:db8:${((COUNT - 1) >> 16).toString(16)}:${((COUNT - 1) & 0xffff).toString(16)}::/64`, 10)
        .remaining,
    ).toBe(9)
    expect(limiter.peek('a:2001:db8:0:0::/64', 10).remaining).toBe(10)
  })
})
