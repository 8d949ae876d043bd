import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { TestClient, type TestResponse } from '../../support/app/test-client.ts'
import { databaseAddress, proxiedUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { type Fault, FaultProxy } from '../../support/network/fault-proxy.ts'

const stage = createStage()
let settings: ConnectionSettings
let proxy: FaultProxy
let server: ServerProcess
let key: TestClient
let owner: TestClient

const ENGAGEMENTS = '/api/v1/engagements'
const ANSWER_WITHIN_MS = 2_500
const HEALTHY_WITHIN_MS = 5_000
/** Rounds of concurrent requests of every kind. */
const ROUNDS = isNightly ? 2 : 1

beforeAll(async () => {
  settings = await copyTemplate()
  proxy = await FaultProxy.start(databaseAddress(settings))
  stage.add(() => proxy.close())
  server = await stage.server({ env: { DATABASE_URL: proxiedUrl(settings, proxy.port) } })
  await server.ready()
  owner = await signInAsOwner(server.origin)
  key = await withNewKey(owner)
})
afterEach(() => proxy.set('pass'))
afterAll(() => {
  if (!server.isRunning) process.stderr.write(server.stdout.split('\n').slice(-6).join('\n') + server.stderr)
  return stage.close()
})

interface Timed extends TestResponse {
  ms: number
}

const timed = async (request: () => Promise<TestResponse>): Promise<Timed> => {
  const started = performance.now()
  const response = await request()
  return { ...response, ms: performance.now() - started }
}

const expectUnavailable = (answer: Timed) => {
  expect(answer.status).toBe(503)
  expect(answer.body.error.code).toBe('INTERNAL_ERROR')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.ms).toBeLessThan(hereMs(ANSWER_WITHIN_MS + 150))
}

const expectHealthyAgain = async (of = server) => {
  await proxy.set('pass')
  const started = performance.now()
  await eventually(async () => expect(await of.health()).toBe(200), HEALTHY_WITHIN_MS, 50)
  const allServed = async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 ? key.get(ENGAGEMENTS) : key.post(ENGAGEMENTS, { name: 'After the fault' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 2 ? 200 : 201)))
  }
  await eventually(allServed, HEALTHY_WITHIN_MS - (performance.now() - started), 50)
}

describe('F1: a database that', () => {
  const faults = [
    ['is down', 'cut'],
    ['resets connections', 'reset'],
    ['swallows everything', 'black hole'],
    ['takes 5 s to answer', { latencyMs: 5_000 }],
  ] as const
  test.each(faults)(
    '%s: 503 with Retry-After within 2.5 s for reads and writes, the process stays, healthy 5 s after',
    async (_name, fault) => {
      await proxy.set(fault)
      for (let round = 0; round < ROUNDS; round++) {
        const answers = await Promise.all([
          timed(() => key.get(ENGAGEMENTS)),
          timed(() => key.post(ENGAGEMENTS, { name: 'During the fault' })),
          timed(() => owner.get('/api/web/invitations')),
          timed(() => owner.patch('/api/web/organizations/current', { name: 'During the fault' })),
          timed(() =>
            new TestClient(server.origin).post('/api/auth/sign-in/email', {
              email: 'a@example.com',
              password: 'no password',
            }),
          ),
        ])
        answers.forEach(expectUnavailable)
        // It answers with a database status that is at most a second old.
        const health = await eventually(async () => {
          const answer = await timed(() => key.get('/api/health'))
          expect(answer.status).toBe(503)
          return answer
        })
        expect(health.body.status).toBe('unavailable')
        expect(health.ms).toBeLessThan(hereMs(ANSWER_WITHIN_MS))
        expect((await key.get('/api/health/live')).status).toBe(200)
      }
      await expectHealthyAgain()
      expect(server.isRunning).toBe(true)
    },
  )

  test('disconnects in the middle of a transaction: 503 within 2.5 s, and no partial change', async () => {
    const blocker = new pg.Client(settings)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select * from organizations for update')
    const write = timed(() =>
      owner.post('/api/web/organizations/current/members/invite', { email: 'half@example.com', role: 'member' }),
    )
    await eventually(async () => {
      const { rows } = await blocker.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'sortie' and datname = current_database()",
      )
      expect(rows.length).toBeGreaterThan(0)
    })
    await proxy.set('black hole')
    expectUnavailable(await write)
    await blocker.query('rollback')
    await blocker.end()
    await expectHealthyAgain()
    const { body } = await owner.get('/api/web/invitations')
    expect(body.data.filter((invitation: { email: string }) => invitation.email === 'half@example.com')).toEqual([])
  })

  test('drops the open connections: 503 within 2.5 s for requests that use one, then normal service', async () => {
    await Promise.all(Array.from({ length: 20 }, () => key.get(ENGAGEMENTS)))
    proxy.forgetConnections()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        timed(() => (i % 2 ? owner.get('/api/web/invitations') : key.get(ENGAGEMENTS))),
      ),
    )
    for (const answer of answers) if (answer.status !== 200) expectUnavailable(answer)
    await expectHealthyAgain()
  })

  test('flaps: only correct answers and 503s', async () => {
    const statuses = new Map<number, number>()
    let going = true
    const load = async () => {
      while (going) {
        const { status } = await key.get(ENGAGEMENTS)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const another = async (status: number) => {
      const before = statuses.get(status) ?? 0
      await eventually(() => expect(statuses.get(status) ?? 0).toBeGreaterThan(before), HEALTHY_WITHIN_MS, 10)
    }
    const loads = [load(), load(), load()]
    for (let i = 0; i < 8; i++) {
      await proxy.set(i % 2 === 0 ? 'reset' : 'cut')
      await another(503)
      await proxy.set('pass')
      await another(200)
    }
    going = false
    await Promise.all(loads)
    expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([200, 503])
    await expectHealthyAgain()
  })

  test('is unavailable or silent at start: the server waits, answers 503, and serves within 5 s once the database is available', async () => {
    await Promise.all((['cut', 'black hole'] as const).map(startWithout))
  })

  const startWithout = async (fault: Fault) => {
    const own = await FaultProxy.start(databaseAddress(settings))
    stage.add(() => own.close())
    await own.set(fault)
    const waiting = await stage.server({ env: { DATABASE_URL: proxiedUrl(settings, own.port) } })
    await eventually(async () => expect(await waiting.health()).toBe(503))
    const early = await fetch(`${waiting.origin}${ENGAGEMENTS}`, { headers: key.headers })
    expect(early.status).toBe(503)
    expect(early.headers.get('retry-after')).toBe('2')
    await eventually(() =>
      expect(waiting.log.filter(({ msg }) => msg.startsWith('the database does not answer')).length).toBeGreaterThan(1),
    )
    expect(await waiting.health()).toBe(503)
    await own.set('pass')
    await eventually(async () => expect(await waiting.health()).toBe(200), HEALTHY_WITHIN_MS, 50)
    expect((await waiting.stop()).code).toBe(0)
  }
})

describe('F2:', () => {
  let locker: pg.Client
  /** Outside of transactions: inside one, Postgres does not refresh its statistics of connections. */
  let admin: pg.Client
  beforeAll(async () => {
    locker = new pg.Client(settings)
    admin = new pg.Client(settings)
    await Promise.all([locker.connect(), admin.connect()])
  })
  afterEach(() => locker.query('rollback'))
  afterAll(() => Promise.all([locker.end(), admin.end()]))

  const lock = async (table: string) => {
    await locker.query('begin')
    await locker.query(`lock table ${table} in access exclusive mode`)
  }

  /** Statements of the server that Postgres is executing. */
  const running = async (): Promise<{ pid: number }[]> => {
    const { rows } = await admin.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'sortie' and state = 'active'",
    )
    return rows
  }

  test('statements that take too long: each is 503 within 2.5 s and cancelled, others continue, and service is normal once the lock is released', async () => {
    await lock('engagements')
    const slow = Array.from({ length: 3 }, () => timed(() => key.get(ENGAGEMENTS)))
    for (let i = 0; i < 20; i++) expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
    for (const answer of await Promise.all(slow)) expectUnavailable(answer)
    const given = await Promise.all(Array.from({ length: 40 }, () => key.get(ENGAGEMENTS)))
    expect(new Set(given.map(({ status }) => status))).toEqual(new Set([503]))
    await eventually(async () => expect(await running()).toEqual([]), 2_500)
    await locker.query('rollback')
    expect((await key.get(ENGAGEMENTS)).status).toBe(200)
  })

  test('a connection that breaks fails only the request that it serves', async () => {
    await lock('engagements')
    const slow = key.get(ENGAGEMENTS)
    const [statement] = await eventually(async () => {
      const statements = await running()
      expect(statements).toHaveLength(1)
      return statements
    })
    const concurrent = Array.from({ length: 10 }, () => key.get('/api/v1/organizations/current'))
    await admin.query('select pg_terminate_backend($1)', [statement?.pid])
    expect((await slow).status).toBe(503)
    for (const { status } of await Promise.all(concurrent)) expect(status).toBe(200)
    await locker.query('rollback')
    // Key lookups are repeated on another connection.
    for (let round = 0; round < 3; round++) {
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%from api_keys where secret_hash%' and pid <> pg_backend_pid()",
      )
      const answers = await Promise.all(Array.from({ length: 5 }, () => key.get('/api/v1/organizations/current')))
      for (const { status } of answers) expect(status).toBe(200)
    }
  })

  test('every connection of the pool is busy: 503 within 2.5 s, and it recovers', async () => {
    const blocker = new pg.Client(settings)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select * from organizations for update')
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        timed(() => owner.patch('/api/web/organizations/current', { name: 'While it is locked' })),
      ),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(answer.body.error.code).toBe('INTERNAL_ERROR')
    }
    await blocker.query('rollback')
    await blocker.end()
    expect((await owner.patch('/api/web/organizations/current', { name: 'Unlocked' })).body.data.name).toBe('Unlocked')
  })

  test('connections that the database closes cause at most 503s', async () => {
    const admin = new pg.Client(settings)
    await admin.connect()
    const statuses = new Set<number>()
    for (let round = 0; round < 5; round++) {
      const load = Promise.all(Array.from({ length: 20 }, () => key.get(ENGAGEMENTS)))
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'sortie%'",
      )
      for (const { status } of await load) statuses.add(status)
    }
    await admin.end()
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    await expectHealthyAgain()
  })
})
