import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLoad } from '../testing/keep-alive-load.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually, isAlive, postgresPid, type ServerProcess } from '../testing/server-process.ts'
import { copyTemplate } from '../testing/test-app.ts'
import type { TestClient, TestResponse } from '../testing/test-client.ts'

const stage = createStage()
afterAll(() => stage.close())

const PATH = '/api/v1/organizations/current'
const LIMIT = 200
const NAMES = ['api-1', 'api-2', 'worker']

/** The newest process of each name, as the log tells them. */
const processesOf = (server: ServerProcess): Map<string, number> =>
  new Map(server.log.filter(({ msg }) => msg === 'a process serves').map((line) => [line.process as string, line.pid as number]))

const allServe = async (server: ServerProcess) => {
  await server.ready()
  await eventually(() => expect([...processesOf(server).keys()].sort()).toEqual(NAMES), 30_000)
  return processesOf(server)
}

const metricsOf = async (server: ServerProcess) => (await fetch(`${server.origin}/metrics`)).text()

describe('a server of two API processes and a worker, without Redis', () => {
  let server: ServerProcess
  let owner: TestClient

  beforeAll(async () => {
    const env = { SORTIE_API_PROCESSES: '2', DATABASE_URL: databaseUrl(await copyTemplate()), RATE_LIMIT_MAX: String(LIMIT), RATE_LIMIT_WINDOW_SECONDS: '600' }
    server = await stage.server({ env })
    await allServe(server)
    owner = await signInAsOwner(server.origin)
  })

  const generousKey = () => withNewKey(owner)
  const newConnection = { headers: { connection: 'close' } }

  test('R1, R5: there is one limit: exactly so many requests are served by both processes together', async () => {
    const key = await withNewKey(owner)
    const answers: TestResponse[] = []
    for (let sent = 0; sent < LIMIT + 60; sent += 20) answers.push(...(await Promise.all(Array.from({ length: 20 }, () => key.get(PATH, newConnection)))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60)
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-reset'))).size).toBe(1)
    const remaining = answers.filter(({ status }) => status === 200).map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(new Set(remaining).size).toBe(LIMIT)
  })

  test('/metrics tells of every process, each metric below one heading, whichever process is asked', async () => {
    for (let asked = 0; asked < 4; asked++) {
      const text = await metricsOf(server)
      const lines = text.split('\n').filter((line) => line.startsWith('sortie_http_request_seconds_count') && line.includes(`route="${PATH}",status="200"`))
      const counts = new Map(lines.map((line) => [/process="([^"]+)"/.exec(line)?.[1], Number(line.split('} ')[1])]))
      expect([...counts.keys()].sort()).toEqual(['api-1', 'api-2'])
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(LIMIT)
      const headings = text.split('\n').filter((line) => line.startsWith('# TYPE'))
      expect(new Set(headings).size).toBe(headings.length)
      for (const name of [...NAMES, 'supervisor']) expect(text).toContain(`process_cpu_seconds_total{process="${name}"}`)
    }
  })

  test('K3, F14: a key that one process deleted opens neither for any request that starts after the acknowledgement', async () => {
    const key = await generousKey()
    for (let i = 0; i < 20; i++) expect((await key.get(PATH, newConnection)).status).toBe(200)
    expect((await owner.delete(`/api/web/api-keys/${key.keyId}`)).status).toBe(200)
    const after = await Promise.all(Array.from({ length: 40 }, () => key.get(PATH, newConnection)))
    expect(after.filter(({ status }) => status !== 401)).toEqual([])
  })

  test('F13: a killed API process costs one log line and is replaced; the other serves meanwhile', async () => {
    const killed = processesOf(server).get('api-1') as number
    process.kill(killed, 'SIGKILL')
    const end = 'a process ended: another takes its place'
    // What was handed to it in its last moment is lost with it; from here on the other is asked.
    await eventually(() => expect(server.log.some(({ msg }) => msg === end)).toBe(true))
    expect(await server.health()).toBe(200)
    await eventually(() => expect(processesOf(server).get('api-1')).not.toBe(killed))
    const ends = server.log.filter(({ msg }) => msg === end)
    expect(ends).toMatchObject([{ process: 'api-1', signal: 'SIGKILL' }])
    expect(await metricsOf(server)).toContain('sortie_process_replacements_total{process="supervisor"} 1')
  })

  test('F13: when all are killed the port is taken again, and jobs are done', async () => {
    const killed = [...processesOf(server).values()]
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    await eventually(() => expect([...processesOf(server).values()].some((pid) => killed.includes(pid))).toBe(false), 30_000)
    await eventually(async () => expect(await server.health()).toBe(200))
    expect((await owner.post('/api/web/organizations/current/members/invite', { email: 'invited@example.com', role: 'member' })).status).toBe(201)
    await eventually(() => expect(server.log.some(({ destination, process }) => destination !== undefined && process === 'worker')).toBe(true), 20_000)
  })

  test('F14: SIGHUP replaces every process without a failed request of clients that keep their connections', async () => {
    const before = [...(await allServe(server)).values()]
    const generous = await Promise.all(Array.from({ length: 4 }, () => generousKey()))
    const requests = [
      { method: 'GET', path: '/api/health' },
      { method: 'GET', path: '/api/health/live' },
    ]
    const busy = startLoad({ origin: server.origin, headers: {}, requests, clients: 8, pauseMs: 10 })
    const calm = startLoad({
      origin: server.origin,
      headers: { authorization: `Bearer ${generous[0]?.value}` },
      requests: [{ method: 'GET', path: PATH }],
      clients: 4,
      pauseMs: 900,
    })
    const body = { name: 'Written while processes change' }
    const write = [{ method: 'POST', path: '/api/v1/engagements', body }]
    const writers = generous
      .slice(1)
      .map(({ value }) => startLoad({ origin: server.origin, headers: { authorization: `Bearer ${value}` }, requests: write, clients: 2, pauseMs: 250 }))
    await sleep(1_000)
    server.signal('SIGHUP')
    await eventually(() => expect(server.log.some(({ msg }) => msg === 'all processes are replaced')).toBe(true), 100_000)
    await sleep(500)
    const loads = [busy, calm, ...writers]
    await Promise.all(loads.map((load) => load.stop()))
    expect(loads.flatMap(({ failures }) => failures)).toEqual([])
    expect(busy.outcomes.get('200')).toBeGreaterThan(200)
    for (const writer of writers) expect(writer.outcomes.get('201')).toBeGreaterThan(5)
    const after = [...processesOf(server).values()]
    expect(after).toHaveLength(3)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
    for (const pid of before) expect(isAlive(pid)).toBe(false)
  }, 150_000)

  test('F7: SIGTERM ends all with 0', async () => {
    const running = [...processesOf(server).values()]
    expect(running.filter(isAlive)).toHaveLength(3)
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    expect(running.filter(isAlive)).toEqual([])
  })
})

describe('a server of several processes with the embedded database', () => {
  test('starts it once, migrates once, and stops it at its end', async () => {
    const server = await stage.server({ env: { SORTIE_API_PROCESSES: '2' } })
    await allServe(server)
    expect(server.log.filter(({ msg, version }) => msg === 'migrated' && version === 1)).toHaveLength(1)
    expect(server.errorLines.filter((line) => line.includes('Sortie is ready'))).toHaveLength(1)
    expect(postgresPid(server.dataDir)).toBeDefined()
    const key = await withNewKey(await signInAsOwner(server.origin))
    expect((await key.get(PATH)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
    expect(postgresPid(server.dataDir)).toBeUndefined()
  })

  test('that is killed leaves no process of its own behind, and the next one takes the database over', async () => {
    const server = await stage.server({ env: { SORTIE_API_PROCESSES: '2' } })
    const processes = [...(await allServe(server)).values()]
    await server.kill()
    await eventually(() => expect(processes.filter(isAlive)).toEqual([]))
    const next = await stage.server({ env: { SORTIE_API_PROCESSES: '2' }, dataDir: server.dataDir, port: server.port })
    await allServe(next)
    expect((await next.stop()).code).toBe(0)
  })

  test('whose port is taken says so in one line, with exit code 78', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const server = await stage.server({ port, env: { SORTIE_API_PROCESSES: '2', DATABASE_URL: databaseUrl(await copyTemplate()) } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringMatching(/^sortie: PORT: \d+ on 127\.0\.0\.1 is in use/)])
    await new Promise((resolve) => taken.close(resolve))
  })
})
