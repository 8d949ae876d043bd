import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, postgresPid, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { startLoad } from '../../support/clients/keep-alive-load.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { metricsText } from '../../support/document/metrics.ts'
import { startBalancer } from '../../support/network/balancer.ts'
import { RedisServer } from '../outside/redis-server.ts'

const stage = createStage()
afterEach(() => stage.close())

/** Servers that start together on a busy machine are slow. */
const READY_MS = 100_000
const PATH = '/api/v1/organizations/current'

const invite = async (owner: TestClient, email: string) => {
  const answer = await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
  expect(answer.status).toBe(201)
}

/** Mails that this server wrote as files. */
const mailsOf = (server: ServerProcess) => server.log.filter(({ destination }) => destination !== undefined).length

describe('roles', () => {
  test('an API server leaves jobs to others; a worker does them, and serves only its health and metrics', async () => {
    const env = {
      DATABASE_URL: databaseUrl(await copyTemplate()),
      STORAGE_PATH: path.join(stage.directory(), 'uploads'),
    }
    const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
    await api.ready(READY_MS)
    // Jobs are picked up at once, long before a worker has started.
    await invite(await signInAsOwner(api.origin), 'invited@example.com')
    const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    await worker.ready(READY_MS)
    await eventually(() => expect(mailsOf(worker)).toBe(1))
    expect(mailsOf(api)).toBe(0)
    const statusOf = async (path: string, method = 'GET') => (await fetch(worker.origin + path, { method })).status
    expect(await statusOf('/api/health/live')).toBe(200)
    expect(await statusOf(PATH)).toBe(404)
    expect(await statusOf('/api/auth/sign-in/email', 'POST')).toBe(404)
    expect(await metricsText(worker.origin)).toContain('process_cpu_seconds_total')
    expect((await worker.stop()).code).toBe(0)
    expect((await api.stop()).code).toBe(0)
  })

  nightly(
    'F9: an API server and a worker on one DATA_DIR share its Postgres; the last one to stop stops it',
    async () => {
      const api = await stage.server({ env: { SORTIE_ROLE: 'api' } })
      const worker = await stage.server({ env: { SORTIE_ROLE: 'worker' }, dataDir: api.dataDir })
      await Promise.all([api.ready(READY_MS), worker.ready(READY_MS)])
      const owner = await signInAsOwner(api.origin)
      await invite(owner, 'first@example.com')
      await eventually(() => expect(mailsOf(worker)).toBe(1))
      await invite(owner, 'second@example.com')
      expect((await api.stop()).code).toBe(0)
      await eventually(() => expect(mailsOf(worker)).toBe(2))
      expect(await worker.health()).toBe(200)
      expect((await worker.stop()).code).toBe(0)
      expect(postgresPid(api.dataDir)).toBeUndefined()
    },
  )
})

describe('two servers behind a load balancer', () => {
  const PORTS = 2
  /**
   * Two servers, a way to restart one, and load through a balancer: reads and writes, each on persistent connections.
   */
  const behindBalancer = async (env: Record<string, string> = {}) => {
    const redis = await RedisServer.start(stage)
    const common = { DATABASE_URL: databaseUrl(await copyTemplate()), REDIS_URL: redis.url, ...env }
    const start = (port?: number) => stage.server({ env: common, ...(port !== undefined && { port }) })
    const servers = await Promise.all(Array.from({ length: PORTS }, () => start()))
    await Promise.all(servers.map((server) => server.ready(READY_MS)))
    const balancer = await startBalancer(servers.map(({ origin }) => origin))
    stage.add(() => balancer.close())
    await eventually(() => expect(balancer.healthy()).toHaveLength(PORTS), READY_MS)
    const owner = await signInAsOwner(balancer.origin)
    const headers = { authorization: `Bearer ${(await withNewKey(owner)).value}` }
    const body = { name: 'Written while servers change' }
    const startReads = () =>
      startLoad({
        origin: balancer.origin,
        headers,
        requests: [{ method: 'GET', path: PATH }],
        clients: isNightly ? 6 : 2,
        pauseMs: 10,
      })
    const startWrites = () =>
      startLoad({
        origin: balancer.origin,
        headers,
        requests: [{ method: 'POST', path: '/api/v1/engagements', body }],
        clients: isNightly ? 3 : 1,
        pauseMs: 50,
      })
    const restart = async ({ port }: ServerProcess) => {
      const successor = await start(port)
      await successor.ready(READY_MS)
      await eventually(() => expect(balancer.healthy()).toHaveLength(PORTS), READY_MS)
      return successor
    }
    return { servers, balancer, owner, startReads, startWrites, restart }
  }

  test('F14: are replaced one after another without a failed request', async () => {
    const { servers, balancer, startReads, startWrites, restart } = await behindBalancer({
      SHUTDOWN_DELAY_SECONDS: '2',
    })
    const [reads, writes] = [startReads(), startWrites()]
    for (const old of isNightly ? servers : servers.slice(0, 1)) {
      await eventually(() => expect(reads.outcomes.get('200')).toBeGreaterThan(50), READY_MS)
      expect((await old.stop()).code).toBe(0)
      expect(balancer.healthy()).not.toContain(old.origin)
      await restart(old)
    }
    await eventually(() => expect(writes.outcomes.get('201')).toBeGreaterThan(20), READY_MS)
    await Promise.all([reads.stop(), writes.stop()])
    expect([...reads.failures, ...writes.failures]).toEqual([])
  })

  nightly('F13: of two, one that is killed fails its running requests; the other still serves', async () => {
    const { servers, balancer, startReads, startWrites, restart } = await behindBalancer()
    const killed = servers[0] as ServerProcess
    await killed.kill()
    await eventually(() => expect(balancer.healthy()).not.toContain(killed.origin))
    const [reads, writes] = [startReads(), startWrites()]
    await eventually(() => expect(writes.outcomes.get('201')).toBeGreaterThan(20), READY_MS)
    await restart(killed)
    await Promise.all([reads.stop(), writes.stop()])
    expect([...reads.failures, ...writes.failures]).toEqual([])
    expect(reads.outcomes.get('200')).toBeGreaterThan(20)
  })

  nightly('F13: when both are killed they bind their ports again, and jobs are done', async () => {
    const { servers, owner, restart } = await behindBalancer()
    await Promise.all(servers.map((server) => server.kill()))
    const again = await Promise.all(servers.map(restart))
    await invite(owner, 'invited@example.com')
    await eventually(() => expect(again.reduce((sum, server) => sum + mailsOf(server), 0)).toBe(1), 20_000)
  })
})
