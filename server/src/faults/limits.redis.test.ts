import net, { type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FaultProxy } from '../testing/fault-proxy.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually, type ServerProcess } from '../testing/server-process.ts'
import { copyTemplate } from '../testing/test-app.ts'
import { TestClient, type TestResponse } from '../testing/test-client.ts'
import { RedisServer } from './redis-server.ts'

const stage = createStage()
let redis: RedisServer
let proxy: FaultProxy
let server: ServerProcess
let owner: TestClient

const LIMIT = 40
const PATH = '/api/v1/organizations/current'

beforeAll(async () => {
  redis = await RedisServer.start(stage)
  proxy = await FaultProxy.start({ host: '127.0.0.1', port: redis.port })
  stage.add(() => proxy.close())
})
beforeEach(async () => {
  await redis.command('flushall')
  server = await stage.server({ env: environment(databaseUrl(await copyTemplate())) })
  await server.ready()
  await eventually(async () => expect(await degraded()).toBe(0), 5_000)
  owner = await signInAsOwner(server.origin)
})
afterEach(async () => {
  await proxy.set('pass')
  await server.kill()
})
afterAll(() => stage.close())

const environment = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
  RATE_LIMIT_MAX: String(LIMIT),
  RATE_LIMIT_ANONYMOUS_MAX: '1000000',
  RATE_LIMIT_WINDOW_SECONDS: '600',
})

/**
 * Redis gets 40 ms for an answer. Where the machine is so busy that it takes longer, limits are per process for a moment
 * and an exact count shows nothing: the round is repeated.
 */
const whileRedisAnswers = async <T>(round: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    await eventually(async () => expect(await degraded()).toBe(0), 5_000)
    const before = server.log.filter(({ msg }) => msg.startsWith('Redis does not answer')).length
    const result = await round()
    await eventually(() => expect(server.stdout.endsWith('\n')).toBe(true))
    if (server.log.filter(({ msg }) => msg.startsWith('Redis does not answer')).length === before || attempt === 5) return result
  }
}

/** The gauge that operators watch. Asking makes the limiter ask Redis, too. */
const degraded = async (of = server): Promise<number> => {
  await of.health()
  const text = await (await fetch(`${of.origin}/metrics`)).text()
  return Number(/^sortie_rate_limiter_degraded (\d)$/m.exec(text)?.[1])
}

const freshKey = () => withNewKey(owner)

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

const timedRequests = async (client: TestClient, count: number) => {
  const answers: { status: number; ms: number }[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const { status } = await client.get(PATH)
    answers.push({ status, ms: performance.now() - started })
  }
  return answers
}

/** Sessions and keys are in the database: what Redis does ends none. */
const expectSession = async (of = owner): Promise<void> => expect((await of.get('/api/web/organizations')).status).toBe(200)

describe('R5, F20: with Redis', () => {
  test('up: exactly the limit is served, and the reset time stays the same', async () => {
    const answers = await whileRedisAnswers(async () => {
      const key = await freshKey()
      const all: TestResponse[] = []
      for (let sent = 0; sent < LIMIT * 2; sent += 20) all.push(...(await Promise.all(Array.from({ length: 20 }, () => key.get(PATH)))))
      return all
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT)
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1)
  })

  const faults = [
    ['killed', 'reset'],
    ['down', 'cut'],
    ['silent', 'black hole'],
    ['slow', { latencyMs: 300 }],
  ] as const
  test.each(faults)(
    '%s: limits per process, no 5xx, sessions go on, at most 50 ms added at the median and 250 ms at worst, log and metric say so',
    async (_name, fault) => {
      const key = await freshKey()
      const healthy = await timedRequests(await freshKey(), 30)
      const logged = server.stdout.length
      await eventually(async () => expect(await degraded()).toBe(0), 5_000)
      await proxy.set(fault)
      const during = await timedRequests(key, LIMIT + 10)
      expect(during.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
      expect(during.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
      expect(median(during.map(({ ms }) => ms)) - median(healthy.map(({ ms }) => ms))).toBeLessThan(50)
      expect(Math.max(...during.map(({ ms }) => ms)) - Math.max(...healthy.map(({ ms }) => ms))).toBeLessThan(250)
      await expectSession()
      expect((await signInAsOwner(server.origin)).headers).toHaveProperty('cookie')
      expect(await degraded()).toBe(1)
      await eventually(() => expect(server.stdout.slice(logged)).toContain('Redis does not answer: rate limits are counted per process'))
      await proxy.set('pass')
      await eventually(async () => expect(await degraded()).toBe(0), 5_000)
      await eventually(() => expect(server.stdout.slice(logged)).toContain('Redis answers again'))
      await redis.command('flushall')
      await key.get(PATH)
      expect(await redis.command('dbsize')).toBeGreaterThan(0)
    },
  )

  test('behind a connection that died without a word: a new one is opened', async () => {
    await proxy.set('black hole')
    await eventually(async () => expect(await degraded()).toBe(1))
    const opened = proxy.accepted
    await proxy.set('pass')
    await eventually(async () => expect(await degraded()).toBe(0), 5_000)
    expect(proxy.accepted).toBeGreaterThan(opened)
  })

  test('flushed, scripts and all: counting starts anew, without a 5xx, and sessions go on', async () => {
    const answer = await whileRedisAnswers(async () => {
      const key = await freshKey()
      await timedRequests(key, 5)
      await redis.command('flushall')
      await redis.command('script', 'flush')
      return key.get(PATH)
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 1))
    await expectSession()
  })

  test('full, and told to evict nothing: limits per process, no 5xx, sessions go on; with room again, limits are shared', async () => {
    const key = await freshKey()
    await redis.command('config', 'set', 'maxmemory-policy', 'noeviction')
    await redis.command('config', 'set', 'maxmemory', '1')
    await expect(redis.command('set', 'anything', 'x')).rejects.toThrow('OOM')
    const answers = await timedRequests(key, LIMIT + 5)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    await expectSession()
    expect(await degraded()).toBe(1)
    await redis.command('config', 'set', 'maxmemory', '0')
    await eventually(async () => expect(await degraded()).toBe(0), 5_000)
  })

  test('down at start: the server starts, counts by itself, and shares once Redis is there', async () => {
    await proxy.set('cut')
    const second = await stage.server({ env: environment(databaseUrl(await copyTemplate())) })
    await second.ready()
    expect((await new TestClient(second.origin).get(PATH)).status).toBe(401)
    expect(await degraded(second)).toBe(1)
    await proxy.set('pass')
    await eventually(async () => expect(await degraded(second)).toBe(0), 8_000)
    expect((await second.stop()).code).toBe(0)
  })

  const impostors = [
    ['too old, and knows no scripts', (commands: number) => '-ERR unknown command\r\n'.repeat(commands)],
    ['closed to us', (commands: number) => '-NOAUTH Authentication required.\r\n'.repeat(commands)],
    ['no Redis at all', () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
    ['nothing that answers', () => ''],
  ] as const
  test.each(impostors)('%s: the server starts, people sign in, limits are per process, and the log says so', async (_name, answer) => {
    const impostor = net.createServer((socket) => {
      socket.on('error', () => undefined)
      // Commands are arrays: an asterisk and a number begin each.
      socket.on('data', (data) => void socket.write(answer(data.toString('latin1').match(/\*\d+\r\n/g)?.length ?? 1)))
    })
    await new Promise<void>((resolve) => {
      impostor.listen(0, '127.0.0.1', resolve)
    })
    const REDIS_URL = `redis://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    const alone = await stage.server({ env: { ...environment(databaseUrl(await copyTemplate())), REDIS_URL } })
    await alone.ready()
    const person = await signInAsOwner(alone.origin)
    const answers = await timedRequests(await withNewKey(person), LIMIT + 5)
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(LIMIT).fill(200), ...Array<number>(5).fill(429)])
    await expectSession(person)
    // One that takes the connection and stays silent has 2 s for its greeting.
    await eventually(async () => expect(await degraded(alone)).toBe(1))
    await eventually(() => expect(alone.stdout).toContain('Redis does not answer: rate limits are counted per process'))
    expect((await alone.stop()).code).toBe(0)
    impostor.close()
  })

  test('gone at the end: the server still ends with 0', async () => {
    const third = await stage.server({ env: environment(databaseUrl(await copyTemplate())) })
    await third.ready()
    await proxy.set('black hole')
    expect((await third.stop()).code).toBe(0)
  })
})
