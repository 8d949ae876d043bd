import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { metricsText } from '../../support/document/metrics.ts'
import { openRaw, rawRequest } from '../../support/network/raw-http.ts'

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
  expect(body).toEqual({
    error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('is overloaded'), statusCode: 503 },
  })
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
    expect(performance.now() - startedAt).toBeLessThan(hereMs(1_000))
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
    for (const pieces of [
      [get],
      [post],
      [get + get],
      [post.slice(0, -20), post.slice(-20)],
      [get.slice(0, 30), get.slice(30)],
    ]) {
      const answers = await connection.exchange(...pieces)
      expect(answers).toHaveLength(pieces[0] === get + get ? 2 : 1)
      for (const { status, headers, body } of answers)
        expectRefusal({ status, headers: new Headers(headers), body: JSON.parse(body) })
    }
    await blocker.query('rollback')
    await Promise.all(blocked)
    expect(await connection.exchange(get)).toMatchObject([{ status: 200 }])
    connection.close()
  })

  test('a body that arrives slowly blocks no one', async () => {
    const headers = [
      'Content-Type: application/json',
      `Authorization: ${key.headers.authorization}`,
      'Content-Length: 15',
    ]
    const slow = await Promise.all(Array.from({ length: 2 * LIMIT }, () => openRaw(app.origin)))
    for (const connection of slow) connection.send(rawRequest('POST /api/v1/engagements HTTP/1.1', headers, '{"name":'))
    await sleep(300)
    for (let i = 0; i < 5; i++) expect((await key.get(PATH)).status).toBe(200)
    for (const connection of slow.slice(0, LIMIT))
      expect(await connection.exchange('"Slow"}')).toMatchObject([{ status: 201 }])
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
      connection.send(
        rawRequest(
          'POST /api/v1/engagements HTTP/1.1',
          [...headers, 'Content-Type: application/json', 'Content-Length: 100'],
          '{',
        ),
      )
    }
    await sleep(100)
    for (const connection of broken) connection.close()
    await sleep(100)
    expect(await Promise.all(Array.from({ length: LIMIT }, async () => (await key.get(PATH)).status))).toEqual(
      Array(LIMIT).fill(200),
    )
  })
})

describe('D3: reads of a signed-in person while the server is overloaded:', () => {
  const ACCOUNT = '/api/web/account'
  const READS_PER_PERSON = 16
  const isRefused = ({ text }: TestResponse) => text.includes('is overloaded')
  beforeEach(() => start({ OVERLOAD_MAX_REQUESTS: String(LIMIT) }))
  afterEach(end)

  /**
   * Keeps more requests under way than the server works on: those of another organization, which wait for a lock until
   * they time out.
   */
  const keepFull = async () => {
    const organizations = await Promise.all([app.createOrganization(), app.createOrganization()])
    const owners = await Promise.all(organizations.map((organization) => app.signedIn('owner', organization)))
    await blocker.query('begin')
    await blocker.query('lock table engagements in access exclusive mode')
    const blocked: Promise<unknown>[] = []
    const send = () => blocked.push(...owners.map((owner) => owner.get('/api/web/engagements')))
    for (let sent = 0; sent < LIMIT; sent++) send()
    const timer = setInterval(send, 150)
    await eventually(async () => expectRefusal(await app.anonymous.get(PUBLIC)))
    return async () => {
      clearInterval(timer)
      await blocker.query('rollback')
      await Promise.all(blocked)
    }
  }
  const signIn = async () => app.signIn(await app.createMember('member'))

  test('are served; their writes, other people and cookies that were not made here are refused as before', async () => {
    const [known, other] = [await signIn(), await signIn()]
    expect((await known.get(ACCOUNT)).status).toBe(200)
    const empty = await keepFull()
    for (let i = 0; i < 10; i++) expect((await known.get(ACCOUNT)).status).toBe(200)
    // Its session was not seen before.
    expect((await other.get(ACCOUNT)).status).toBe(200)
    expectRefusal(await known.patch(ACCOUNT, { name: 'Renamed' }))
    expectRefusal(await app.anonymous.get(ACCOUNT))
    expectRefusal(await key.get(PATH))
    const [cookie = ''] = /\bsid=[^;]+/.exec(known.headers['cookie'] ?? '') ?? []
    expect(cookie).not.toBe('')
    for (const forged of [`${cookie}a`, cookie.replace('=', '=x'), `${cookie.split('.')[0]}`, 'sid=', 'other=1']) {
      expectRefusal(await app.anonymous.get(ACCOUNT, { headers: { cookie: forged } }))
    }
    await empty()
  })

  test('are refused where one person sends more than sixteen at once', async () => {
    const person = await signIn()
    expect((await person.get(ACCOUNT)).status).toBe(200)
    const empty = await keepFull()
    await blocker.query('lock table sessions in access exclusive mode')
    const refused: TestResponse[] = []
    const answers = Array.from({ length: READS_PER_PERSON + 4 }, () =>
      person.get(ACCOUNT).then((answer) => {
        if (isRefused(answer)) refused.push(answer)
      }),
    )
    await eventually(() => expect(refused).toHaveLength(4))
    for (const answer of refused) expectRefusal(answer)
    await empty()
    await Promise.all(answers)
    expect(refused).toHaveLength(4)
    // All are over: as many are served again.
    const again = await Promise.all(Array.from({ length: READS_PER_PERSON }, () => person.get(ACCOUNT)))
    expect(again.filter(isRefused)).toEqual([])
  })

  test('find a session that ended as every request does: 401', async () => {
    const person = await signIn()
    expect((await person.get(ACCOUNT)).status).toBe(200)
    const empty = await keepFull()
    await app.asSuperuser(`delete from sessions where user_id = '${person.user.id}'`)
    expect((await person.get(ACCOUNT)).status).toBe(401)
    await empty()
  })
})

test('F2, F12: one organization that waits for a lock with all its requests is refused in time, and others are served meanwhile', async () => {
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

test('F13, D3: while the event loop is late again and again, requests are refused, and reads of signed-in people are not; once it keeps time, all are served', async () => {
  const busy = await testApp({ workers: false, env: { OVERLOAD_DELAY_MS: '500' } })
  try {
    // Other programs of a busy machine make it late as well.
    const person = await eventually(() => busy.signedIn('member'))
    const reads: Promise<TestResponse>[] = []
    let answered: TestResponse | undefined
    for (let round = 0; round < 20 && answered?.status !== 503; round++) {
      answered = undefined
      void busy.anonymous.get(PUBLIC).then((response) => {
        answered = response
      })
      reads.push(person.get('/api/web/account'))
      while (!answered) {
        const until = performance.now() + 700
        while (performance.now() < until);
        await nextTurn()
      }
    }
    expectRefusal(answered as TestResponse)
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200))
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

test('D3: a page of the web interface and its files are served while everything else is refused', async () => {
  const webDirectory = mkdtempSync(path.join(os.tmpdir(), 'sortie-web-'))
  mkdirSync(path.join(webDirectory, 'assets'))
  writeFileSync(path.join(webDirectory, 'index.html'), '<!doctype html><title>Sortie</title>')
  writeFileSync(path.join(webDirectory, 'assets/shell-1.js'), 'export {}')
  const full = await testApp({ workers: false, env: { OVERLOAD_HEAP_MB: '16' }, webDirectory })
  try {
    await eventually(async () => expectRefusal(await full.anonymous.get(PUBLIC)))
    const refused = await refusals('memory', full)
    for (const address of ['/', '/sign-in', '/o/contoso/engagements?status=active']) {
      const page = await full.anonymous.get(address, { headers: { accept: 'text/html,*/*;q=0.8' } })
      expect([page.status, page.headers.get('content-type'), page.text]).toEqual([
        200,
        'text/html; charset=utf-8',
        '<!doctype html><title>Sortie</title>',
      ])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect((await full.anonymous.get('/assets/shell-1.js')).status).toBe(200)
    expect(await refusals('memory', full)).toBe(refused)
    // A program that asks for JSON, and everything that is not a page, are refused as before.
    expectRefusal(await full.anonymous.get('/nowhere', { headers: { accept: 'application/json' } }))
    expectRefusal(await full.anonymous.get('/api/nowhere', { headers: { accept: 'text/html' } }))
    expectRefusal(await full.anonymous.post('/sign-in', {}))
  } finally {
    await full.close()
    rmSync(webDirectory, { recursive: true, force: true })
  }
})
