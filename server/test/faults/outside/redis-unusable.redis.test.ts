import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { FaultProxy } from '../../support/network/fault-proxy.ts'
import { degradedLimiter, limitOf, RedisServer, timedRequests } from './redis-server.ts'

const LIMIT = 40
const PATH = '/api/v1/organizations/current'

const stage = createStage()
let proxy: FaultProxy

beforeAll(async () => {
  const redis = await RedisServer.start(stage)
  proxy = await FaultProxy.start({ host: '127.0.0.1', port: redis.port })
  stage.add(() => proxy.close())
})
afterAll(() => stage.close())

const environment = async () => ({
  DATABASE_URL: databaseUrl(await copyTemplate()),
  REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
  ...limitOf(LIMIT),
})

describe('R5, F20: with a Redis that is', () => {
  test('down at start: the server starts, counts by itself, shares once Redis is available, and ends with 0 when it is gone again', async () => {
    await proxy.set('cut')
    const second = await stage.server({ env: await environment() })
    await second.ready()
    expect((await new TestClient(second.origin).get(PATH)).status).toBe(401)
    expect(await degradedLimiter(second)).toBe(1)
    await proxy.set('pass')
    await eventually(async () => expect(await degradedLimiter(second)).toBe(0), 20_000)
    // Gone at the end.
    await proxy.set('black hole')
    expect((await second.stop()).code).toBe(0)
  })

  /** A commit runs the first of them. */
  const impostors = [
    ['too old, and knows no scripts', (commands: number) => '-ERR unknown command\r\n'.repeat(commands)],
    ['closed to us', (commands: number) => '-NOAUTH Authentication required.\r\n'.repeat(commands)],
    ['no Redis at all', () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
    ['nothing that answers', () => ''],
  ] as const
  test.each(isNightly ? impostors : impostors.slice(0, 1))(
    '%s: the server starts, sign-in works, limits are per process, and the log reports it',
    async (_name, answer) => {
      const impostor = net.createServer((socket) => {
        socket.on('error', () => undefined)
        // Commands are arrays: an asterisk and a number start each.
        socket.on('data', (data) => void socket.write(answer(data.toString('latin1').match(/\*\d+\r\n/g)?.length ?? 1)))
      })
      await new Promise<void>((resolve) => {
        impostor.listen(0, '127.0.0.1', resolve)
      })
      const REDIS_URL = `redis://127.0.0.1:${(impostor.address() as AddressInfo).port}`
      const server = await stage.server({ env: { ...(await environment()), REDIS_URL } })
      await server.ready()
      const person = await signInAsOwner(server.origin)
      const answers = await timedRequests(await withNewKey(person), PATH, LIMIT + 5)
      expect(answers.map(({ status }) => status)).toEqual([
        ...Array<number>(LIMIT).fill(200),
        ...Array<number>(5).fill(429),
      ])
      expect((await person.get('/api/web/organizations')).status).toBe(200)
      // A silent one has 2 s for its greeting.
      await eventually(async () => expect(await degradedLimiter(server)).toBe(1))
      await eventually(() =>
        expect(server.stdout).toContain('Redis does not answer: rate limits are counted per process'),
      )
      expect((await server.stop()).code).toBe(0)
      impostor.close()
    },
  )
})
