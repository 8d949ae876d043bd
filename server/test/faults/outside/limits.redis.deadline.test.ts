import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_ADMIN_EMAIL } from '../../../src/platform/config/auth.ts'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { type Fault, FaultProxy } from '../../support/network/fault-proxy.ts'
import { degradedLimiter, limitOf, RedisServer, timedRequests } from './redis-server.ts'

const stage = createStage()
let redis: RedisServer
let proxy: FaultProxy
let server: ServerProcess
let administrator: TestClient
let owner: TestClient

const LIMIT = 40
const PATH = '/api/v1/organizations/current'

beforeAll(async () => {
  redis = await RedisServer.start(stage)
  proxy = await FaultProxy.start({ host: '127.0.0.1', port: redis.port })
  stage.add(() => proxy.close())
  const env = {
    DATABASE_URL: databaseUrl(await copyTemplate()),
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    ...limitOf(LIMIT),
  }
  server = await stage.server({ env })
  await server.ready()
  administrator = await signInAsOwner(server.origin)
})
beforeEach(async () => {
  await redis.command('flushall')
  await eventually(async () => expect(await degraded()).toBe(0))
  owner = await ownerOfNewOrganization(administrator)
})
afterEach(() => proxy.set('pass'))
afterAll(() => stage.close())

/** Separates the counters of one test, in Redis or in the process, from those of others. */
const ownerOfNewOrganization = async (of: TestClient): Promise<TestClient> => {
  const wanted = { name: 'Limited', ownerEmail: DEFAULT_ADMIN_EMAIL, ownerName: 'Administrator' }
  const made = await of.post('/api/web/instance/organizations', wanted)
  expect(made.status).toBe(201)
  return of.with({ ...of.headers, 'x-organization': made.body.data.organization.id })
}

/**
 * Redis gets 40 ms for an answer. On a very busy machine limits are per process for a moment and an exact count proves
 * nothing: the round is repeated.
 */
const whileRedisAnswers = async <T>(round: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    await eventually(async () => expect(await degraded()).toBe(0), 5_000)
    const before = server.log.filter(({ msg }) => msg.startsWith('Redis does not answer')).length
    const result = await round()
    await eventually(() => expect(server.stdout.endsWith('\n')).toBe(true))
    if (server.log.filter(({ msg }) => msg.startsWith('Redis does not answer')).length === before || attempt === 5)
      return result
  }
}

const degraded = () => degradedLimiter(server)

const freshKey = () => withNewKey(owner)

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

/** Sessions and keys are in the database: Redis faults end none. */
const expectSession = async (): Promise<void> => expect((await owner.get('/api/web/organizations')).status).toBe(200)

describe('R5, F20: with Redis', () => {
  test('available: exactly the limit is served, and the reset time stays the same', async () => {
    const answers = await whileRedisAnswers(async () => {
      const key = await freshKey()
      const all: TestResponse[] = []
      for (let sent = 0; sent < LIMIT * 2; sent += 20)
        all.push(...(await Promise.all(Array.from({ length: 20 }, () => key.get(PATH)))))
      return all
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT)
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1)
  })

  const faults: [string, Fault][] = [
    ['killed', 'reset'],
    ['silent', 'black hole'],
    ['down', 'cut'],
    ['slow', { latencyMs: 300 }],
  ]
  test.each(isNightly ? faults : faults.slice(0, 2))(
    '%s: limits per process, no 5xx, sessions continue, at most 50 ms added at the median and 250 ms at worst, log and metric report it',
    async (_name, fault) => {
      const key = await freshKey()
      const healthy = await timedRequests(await freshKey(), PATH, 30)
      const logged = server.stdout.length
      await eventually(async () => expect(await degraded()).toBe(0), 5_000)
      await proxy.set(fault)
      const during = await timedRequests(key, PATH, LIMIT + 10)
      expect(during.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
      expect(during.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
      expect(median(during.map(({ ms }) => ms)) - median(healthy.map(({ ms }) => ms))).toBeLessThan(hereMs(50))
      expect(Math.max(...during.map(({ ms }) => ms)) - Math.max(...healthy.map(({ ms }) => ms))).toBeLessThan(
        hereMs(250),
      )
      await expectSession()
      expect((await signInAsOwner(server.origin)).headers).toHaveProperty('cookie')
      expect(await degraded()).toBe(1)
      await eventually(() =>
        expect(server.stdout.slice(logged)).toContain('Redis does not answer: rate limits are counted per process'),
      )
      await proxy.set('pass')
      await eventually(async () => expect(await degraded()).toBe(0), 5_000)
      await eventually(() => expect(server.stdout.slice(logged)).toContain('Redis answers again'))
      await redis.command('flushall')
      await key.get(PATH)
      expect(await redis.command('dbsize')).toBeGreaterThan(0)
    },
  )

  nightly('behind a connection that died silently: a new one is opened', async () => {
    const opened = proxy.accepted
    await proxy.set('black hole')
    await eventually(async () => {
      await server.health()
      expect(proxy.lost).toBeGreaterThan(0)
    })
    await eventually(async () => expect(await degraded()).toBe(1))
    await proxy.set('pass')
    await eventually(async () => expect(await degraded()).toBe(0), 5_000)
    expect(proxy.accepted).toBeGreaterThan(opened)
  })

  test('flushed, scripts included: counting restarts without a 5xx, and sessions continue', async () => {
    const answer = await whileRedisAnswers(async () => {
      const key = await freshKey()
      await timedRequests(key, PATH, 5)
      await redis.command('flushall')
      await redis.command('script', 'flush')
      return key.get(PATH)
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1))
    await expectSession()
  })

  nightly(
    'full, and configured to evict nothing: limits per process, no 5xx, sessions continue; with free memory, limits are shared again',
    async () => {
      const key = await freshKey()
      await redis.command('config', 'set', 'maxmemory-policy', 'noeviction')
      await redis.command('config', 'set', 'maxmemory', '1')
      await expect(redis.command('set', 'anything', 'x')).rejects.toThrow('OOM')
      const answers = await timedRequests(key, PATH, LIMIT + 5)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
      await expectSession()
      expect(await degraded()).toBe(1)
      await redis.command('config', 'set', 'maxmemory', '0')
      await eventually(async () => expect(await degraded()).toBe(0), 5_000)
    },
  )
})
