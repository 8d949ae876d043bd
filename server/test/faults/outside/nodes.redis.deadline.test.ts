import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { deleteUnderLoad } from '../../support/races/deleted-key.ts'
import { RedisServer } from './redis-server.ts'

const stage = createStage()
let settings: ConnectionSettings
let nodes: ServerProcess[]
let owner: TestClient

const LIMIT = 200
const PATH = '/api/v1/organizations/current'

beforeAll(async () => {
  const redis = await RedisServer.start(stage)
  settings = await copyTemplate()
  // Simulates a first start: all find a database without a schema, and one creates it.
  await onDatabase('drop schema public cascade; create schema public; drop schema pgboss cascade')
  const env = {
    DATABASE_URL: databaseUrl(settings),
    REDIS_URL: redis.url,
    RATE_LIMIT_MAX: String(LIMIT),
    RATE_LIMIT_ANONYMOUS_MAX: '1000000',
    RATE_LIMIT_WINDOW_SECONDS: '600',
  }
  const role = (SORTIE_ROLE: string) => stage.server({ env: { ...env, SORTIE_ROLE } })
  nodes = await Promise.all(['api', 'api', ...(isNightly ? ['worker', 'worker'] : [])].map(role))
  await Promise.all(nodes.map((node) => node.ready(100_000)))
  owner = await signInAsOwner((nodes[0] as ServerProcess).origin)
})
afterAll(() => stage.close())

const onDatabase = async (text: string) => {
  const client = new pg.Client(settings)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const on = (client: TestClient, node: number): TestClient =>
  Object.assign(client.with({}), { origin: (nodes[node] as ServerProcess).origin })

describe('F14: two API servers, and two workers at night, on one database and one Redis', () => {
  test('started simultaneously on an empty database: migrated once, one organization, one owner', async () => {
    expect(nodes.filter((node) => node.log.some(({ msg }) => msg === 'migrated'))).toHaveLength(1)
    expect(await onDatabase('select 1 from organizations')).toHaveLength(1)
    expect(await onDatabase("select 1 from memberships where role = 'owner'")).toHaveLength(1)
  })

  test('R5: share one limit: both together serve exactly that many requests', async () => {
    // If Redis answers late on a busy machine, limits are per process for a moment: such a round proves nothing.
    const lateAnswers = () =>
      nodes.flatMap((node) => node.log).filter(({ msg }) => msg.startsWith('Redis does not answer')).length
    let answers: TestResponse[] = []
    for (let round = 0, late = -1; round < 6 && late !== lateAnswers(); round++) {
      await sleep(round * 1_000)
      late = lateAnswers()
      const key = await withNewKey(owner)
      answers = []
      for (let sent = 0; sent < LIMIT + 60; sent += 20)
        answers.push(...(await Promise.all(Array.from({ length: 20 }, (_, i) => on(key, i % 2).get(PATH)))))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60)
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1)
  })

  test('K3, L9: a deleted key is refused by both for any request that starts after the acknowledgement, under load', async () => {
    for (let round = 0; round < (isNightly ? 2 : 1); round++) {
      const key = await withNewKey(owner)
      const remove = () => on(owner, round % 2).delete(`/api/web/api-keys/${key.keyId}`)
      const { before, after } = await deleteUnderLoad([on(key, 0), on(key, 1)], PATH, {
        lanes: 16,
        before: 30,
        after: 150,
        remove,
      })
      expect(before.get(200)).toBeGreaterThan(0)
      expect([...after.keys()].filter((status) => status !== 401 && status !== 429)).toEqual([])
      expect(after.get(401)).toBeGreaterThan(50)
    }
  })

  test('a session that ended on one is invalid on the other', async () => {
    const other = await signInAsOwner((nodes[1] as ServerProcess).origin)
    expect((await on(other, 0).get('/api/web/organizations')).status).toBe(200)
    await on(other, 1).post('/api/auth/sign-out', {})
    expect((await on(other, 0).get('/api/web/organizations')).status).toBe(401)
  })
})
