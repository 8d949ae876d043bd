import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { startBalancer } from '../testing/balancer.ts'
import { startLoad } from '../testing/keep-alive-load.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually, postgresPid, type ServerProcess } from '../testing/server-process.ts'
import { SmtpSink } from '../testing/smtp-sink.ts'
import { copyTemplate } from '../testing/test-app.ts'
import type { TestClient } from '../testing/test-client.ts'
import { RedisServer } from './redis-server.ts'

const stage = createStage()
afterEach(() => stage.close())

/** Servers that start together on a busy machine take their time. */
const READY_MS = 100_000
const PATH = '/api/v1/organizations/current'

const invite = async (owner: TestClient, email: string) => {
  const answer = await owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
  expect(answer.status).toBe(201)
}

/** Mails that this server wrote as files. */
const mailsOf = (server: ServerProcess) => server.log.filter(({ destination }) => destination !== undefined).length

describe('roles', () => {
  test('an API server leaves jobs to others; a worker does them, and answers for its health and metrics alone', async () => {
    const env = { DATABASE_URL: databaseUrl(await copyTemplate()) }
    const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
    await api.ready(READY_MS)
    await invite(await signInAsOwner(api.origin), 'invited@example.com')
    await sleep(2_500)
    expect(mailsOf(api)).toBe(0)

    const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    await worker.ready(READY_MS)
    await eventually(() => expect(mailsOf(worker)).toBe(1))
    expect(mailsOf(api)).toBe(0)
    const statusOf = async (path: string, method = 'GET') => (await fetch(worker.origin + path, { method })).status
    expect(await statusOf('/api/health/live')).toBe(200)
    expect(await statusOf(PATH)).toBe(404)
    expect(await statusOf('/api/auth/sign-in/email', 'POST')).toBe(404)
    expect(await (await fetch(`${worker.origin}/metrics`)).text()).toContain('process_cpu_seconds_total')
    expect((await worker.stop()).code).toBe(0)
    expect((await api.stop()).code).toBe(0)
  }, 150_000)

  test('F9: an API server and a worker on one DATA_DIR share its Postgres; whoever leaves last stops it', async () => {
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
  }, 150_000)

  test('F14, N12: what a killed worker was doing is done by another within 90 s', async () => {
    const sink = await SmtpSink.create()
    await sink.up()
    stage.add(() => sink.down())
    const env = { DATABASE_URL: databaseUrl(await copyTemplate()), SMTP_URL: sink.url }
    const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
    const first = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    await Promise.all([api.ready(READY_MS), first.ready(READY_MS)])
    sink.behaviour = { slowMs: 600_000 }
    await invite(await signInAsOwner(api.origin), 'invited@example.com')
    await eventually(() => expect(sink.mails).toHaveLength(1))
    const second = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    await second.ready(READY_MS)
    sink.behaviour = 'accept'
    await first.kill()
    const killedAt = performance.now()
    await eventually(() => expect(sink.mails).toHaveLength(2), 95_000, 250)
    expect(performance.now() - killedAt).toBeLessThan(90_000)
    expect(sink.mails.map(({ messageId }) => messageId)).toEqual([sink.mails[0]?.messageId, sink.mails[0]?.messageId])
  }, 250_000)
})

describe('two servers behind a load balancer', () => {
  test('F14: are replaced one after the other without a failed request', async () => {
    const redis = await RedisServer.start(stage)
    const env = { DATABASE_URL: databaseUrl(await copyTemplate()), REDIS_URL: redis.url, SHUTDOWN_DELAY_SECONDS: '2' }
    const start = (port?: number) => stage.server({ env, ...(port !== undefined && { port }) })
    const servers = await Promise.all([start(), start()])
    await Promise.all(servers.map((server) => server.ready(READY_MS)))
    const balancer = await startBalancer(servers.map(({ origin }) => origin))
    stage.add(() => balancer.close())
    await eventually(() => expect(balancer.healthy()).toHaveLength(2))
    const key = await withNewKey(await signInAsOwner(balancer.origin))
    const headers = { authorization: `Bearer ${key.value}` }
    const reads = startLoad({ origin: balancer.origin, headers, requests: [{ method: 'GET', path: PATH }], clients: 6, pauseMs: 10 })
    const body = { name: 'Written while servers change' }
    const writes = startLoad({ origin: balancer.origin, headers, requests: [{ method: 'POST', path: '/api/v1/engagements', body }], clients: 3, pauseMs: 50 })
    await sleep(500)
    for (const [i, old] of servers.entries()) {
      expect((await old.stop()).code).toBe(0)
      expect(balancer.healthy()).not.toContain(old.origin)
      const successor = await start(old.port)
      servers[i] = successor
      await successor.ready(READY_MS)
      await eventually(() => expect(balancer.healthy()).toHaveLength(2))
    }
    await sleep(500)
    await Promise.all([reads.stop(), writes.stop()])
    expect([...reads.failures, ...writes.failures]).toEqual([])
    expect(reads.outcomes.get('200')).toBeGreaterThan(100)
    expect(writes.outcomes.get('201')).toBeGreaterThan(20)
  }, 250_000)
})
