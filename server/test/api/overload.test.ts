import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { metricsText } from '../support/metrics.ts'
import { openRaw, rawRequest } from '../support/raw-http.ts'
import { eventually } from '../support/server-process.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import type { TestClient, TestResponse } from '../support/test-client.ts'

const LIMIT = 8
const PATH = '/api/v1/organizations/current'
const PUBLIC = '/api/auth/mode'

let app: TestApp
let key: TestClient
/** Holds locks that requests wait for. */
let blocker: pg.Client

const start = async (env: Record<string, string> = {}) => {
  app = await testApp({ workers: false, env })
  key = await app.withKey(['organizations:read', 'organizations:write'])
  blocker = new pg.Client(app.settings)
  await blocker.connect()
}
const end = async () => {
  await blocker.end()
  await app.close()
}

const metric = async (line: string, { origin } = app) => {
  const text = await metricsText(origin)
  const value = text.split('\n').find((candidate) => candidate.startsWith(`${line} `))
  return Number(value?.slice(line.length))
}
const refusals = (reason: string, of = app) => metric(`sortie_shed_requests_total{reason="${reason}"}`, of)

const expectRefusal = ({ status, body, headers }: Omit<TestResponse, 'text'>) => {
  expect(status).toBe(503)
  expect(body).toEqual({ error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('too much to do'), statusCode: 503 } })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
}

const lockKeys = async () => {
  await blocker.query('begin')
  await blocker.query('lock table api_keys in access exclusive mode')
}

/** Sends requests that wait for a lock, up to the limit of concurrent requests. */
const fill = async () => {
  await lockKeys()
  const blocked = Array.from({ length: LIMIT }, () => key.get(PATH))
  await eventually(async () => expect((await app.anonymous.get(PUBLIC)).status).toBe(503))
  return blocked
}

describe('F12:', () => {
  beforeEach(() => start({ OVERLOAD_MAX_REQUESTS: String(LIMIT) }))
  afterEach(end)

  test('over the limit of concurrent requests the rest is refused at once, health and metrics are answered, and it recovers', async () => {
    const blocked = await fill()
    const startedAt = performance.now()
    expectRefusal(await key.get(PATH))
    expectRefusal(await key.post('/api/v1/engagements', { name: 'One too many' }))
    expectRefusal(await app.anonymous.get('/api/nowhere'))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    // The status depends on how long the database has been locked; the request is not refused.
    expect((await app.anonymous.get('/api/health')).body.status).toMatch(/^(ok|unavailable)$/)
    expect((await app.anonymous.get('/api/health/live')).status).toBe(200)
    expect(await refusals('requests under way')).toBeGreaterThanOrEqual(3)
    await blocker.query('rollback')
    await Promise.all(blocked)
    expect((await key.get(PATH)).status).toBe(200)
    expect(app.logLines.filter((line) => line.includes('too many requests at once'))).toHaveLength(1)
  })

  test('a connection whose requests are refused continues: one answer for each request, and service once there is capacity', async () => {
    const connection = await openRaw(app.origin)
    const authorization = `Authorization: ${key.headers.authorization}`
    const get = rawRequest(`GET ${PATH} HTTP/1.1`, [authorization])
    const post = rawRequest('POST /api/v1/engagements HTTP/1.1', ['Content-Type: application/json', authorization], get)
    const blocked = await fill()
    for (const pieces of [[get], [post], [get + get], [post.slice(0, -20), post.slice(-20)], [get.slice(0, 30), get.slice(30)]]) {
      const answers = await connection.exchange(...pieces)
      expect(answers).toHaveLength(pieces[0] === get + get ? 2 : 1)
      for (const { status, headers, body } of answers) expectRefusal({ status, headers: new Headers(headers), body: JSON.parse(body) })
    }
    await blocker.query('rollback')
    await Promise.all(blocked)
    expect(await connection.exchange(get)).toMatchObject([{ status: 200 }])
    connection.close()
  })

  test('a body that arrives slowly blocks no one', async () => {
    const headers = ['Content-Type: application/json', `Authorization: ${key.headers.authorization}`, 'Content-Length: 15']
    const slow = await Promise.all(Array.from({ length: 2 * LIMIT }, () => openRaw(app.origin)))
    for (const connection of slow) connection.send(rawRequest('POST /api/v1/engagements HTTP/1.1', headers, '{"name":'))
    await sleep(300)
    for (let i = 0; i < 5; i++) expect((await key.get(PATH)).status).toBe(200)
    for (const connection of slow.slice(0, LIMIT)) expect(await connection.exchange('"Slow"}')).toMatchObject([{ status: 201 }])
    for (const connection of slow) connection.close()
  })

  test('a client that disconnects frees its slot only when its request is done, and no slot stays occupied', async () => {
    await lockKeys()
    const headers = [`Authorization: ${key.headers.authorization}`]
    const gone = await Promise.all(Array.from({ length: LIMIT }, () => openRaw(app.origin)))
    for (const connection of gone) connection.send(rawRequest(`GET ${PATH} HTTP/1.1`, headers))
    await eventually(async () => expect((await app.anonymous.get(PUBLIC)).status).toBe(503))
    for (const connection of gone) connection.close()
    await sleep(100)
    expectRefusal(await app.anonymous.get(PUBLIC))
    await blocker.query('rollback')
    await eventually(async () => expect((await key.get(PATH)).status).toBe(200))
    const broken = await Promise.all(Array.from({ length: LIMIT }, () => openRaw(app.origin)))
    for (const connection of broken) {
      connection.send(rawRequest('POST /api/v1/engagements HTTP/1.1', [...headers, 'Content-Type: application/json', 'Content-Length: 100'], '{'))
    }
    await sleep(100)
    for (const connection of broken) connection.close()
    await sleep(100)
    expect(await Promise.all(Array.from({ length: LIMIT }, async () => (await key.get(PATH)).status))).toEqual(Array(LIMIT).fill(200))
  })
})

test('F2, F12: one organization that waits for a lock with all its requests is refused in time, and others are served', async () => {
  await start()
  const other = await app.withKey(['organizations:read'], await app.createOrganization())
  await blocker.query('begin')
  await blocker.query('select 1 from organizations for update')
  const owner = await app.signedIn('owner')
  const answers = Array.from({ length: 150 }, () => owner.patch('/api/web/organizations/current', { name: 'Renamed' }))
  const refused = await Promise.race(answers)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.get(PATH)).status).toBe(200)
  await blocker.query('rollback')
  await Promise.all(answers)
  expect((await key.patch(PATH, { name: 'Renamed' })).status).toBe(200)
  await end()
})

test('F13: while the event loop is repeatedly late, requests are refused; once it keeps time, they are served', async () => {
  const busy = await testApp({ workers: false, env: { OVERLOAD_DELAY_MS: '500' } })
  try {
    let answered: TestResponse | undefined
    for (let round = 0; round < 20 && answered?.status !== 503; round++) {
      answered = undefined
      void busy.anonymous.get(PUBLIC).then((response) => {
        answered = response
      })
      while (!answered) {
        const until = performance.now() + 700
        while (performance.now() < until);
        await nextTurn()
      }
    }
    expectRefusal(answered as TestResponse)
    expect(await refusals('event loop', busy)).toBeGreaterThan(0)
    await eventually(async () => expect((await busy.anonymous.get(PUBLIC)).status).toBe(200))
  } finally {
    await busy.close()
  }
})

test('F13: while the heap is nearly full, requests are refused, and health is answered', async () => {
  const full = await testApp({ workers: false, env: { OVERLOAD_HEAP_MB: '16' } })
  try {
    await eventually(async () => expectRefusal(await full.anonymous.get(PUBLIC)))
    expect((await full.anonymous.get('/api/health')).status).toBe(200)
    expect(await refusals('memory', full)).toBeGreaterThan(0)
  } finally {
    await full.close()
  }
})
