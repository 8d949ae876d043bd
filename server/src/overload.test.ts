import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRaw, type RawConnection, rawRequest } from './testing/raw-http.ts'
import { eventually } from './testing/server-process.ts'
import { type TestApp, testApp } from './testing/test-app.ts'
import type { TestClient, TestResponse } from './testing/test-client.ts'

/** As many as the server works on at once when it has just started. */
const LIMIT = 256
const PATH = '/api/v1/organizations/current'

let app: TestApp
let key: TestClient
let blocker: pg.Client

const start = async (env: Record<string, string> = {}) => {
  app = await testApp({ workers: false, env })
  // A busy machine can be too late for the strictest settings.
  key = await eventually(() => app.withKey(['organizations:read', 'organizations:write']), 30_000)
  blocker = new pg.Client(app.settings)
  await blocker.connect()
}
afterEach(async () => {
  await blocker.end()
  await app.close()
})

const bearer = () => `Authorization: ${key.headers.authorization}`
const GET = rawRequest(`GET ${PATH} HTTP/1.1`)
const HEALTH = rawRequest('GET /api/health/live HTTP/1.1')

const metric = async (name: string) => {
  const text = await (await fetch(`${app.origin}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const expectRefusal = ({ status, body, headers }: Omit<TestResponse, 'text'>) => {
  expect(status).toBe(503)
  expect(body.error).toMatchObject({ code: 'INTERNAL_ERROR', statusCode: 503 })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
}

describe('F12:', () => {
  beforeEach(() => start())

  test('more requests than are worked on at once: the rest is refused at once, health and metrics are answered, and it passes', async () => {
    await blocker.query('begin')
    await blocker.query('lock table api_keys in access exclusive mode')
    const finished: string[] = []
    const blocked = Array.from({ length: LIMIT }, () => key.get(PATH).then(() => finished.push('blocked')))
    let refusal: TestResponse | undefined
    while (!refusal) {
      const answer = await Promise.race([key.get(PATH), Promise.all(blocked)])
      if (!Array.isArray(answer)) refusal = answer
    }
    expectRefusal(refusal)
    expect(finished).toEqual([])
    expectRefusal(await key.post('/api/v1/engagements', { name: 'One too many' }))
    // Whether the database counts as well depends on how long it has been locked; the question is not refused.
    expect((await app.anonymous.get('/api/health')).body.status).toMatch(/^(ok|unavailable)$/)
    expect((await app.anonymous.get('/api/health/live')).status).toBe(200)
    expect(await metric('sortie_shed_requests_total{reason="requests under way"}')).toBeGreaterThanOrEqual(2)
    await blocker.query('rollback')
    await Promise.all(blocked)
    expect((await key.get(PATH)).status).toBe(200)
    expect(app.logLines.filter((line) => line.includes('too many requests at once'))).toHaveLength(1)
  })

  const openUnused = (count: number) => Promise.all(Array.from({ length: count }, () => openRaw(app.origin)))
  const open = async (count: number) => {
    const connections = await openUnused(count)
    const answers = await Promise.all(connections.map((connection) => connection.exchange(HEALTH)))
    for (const answer of answers) expect(answer).toMatchObject([{ status: 200 }])
    return connections
  }
  /** @returns what makes room again; without it there is some after two seconds, when locks are no longer waited for */
  const fill = async () => {
    await blocker.query('begin')
    await blocker.query('lock table api_keys in access exclusive mode')
    const blocked = Array.from({ length: 2 * LIMIT }, () => key.get(PATH))
    await eventually(async () => expect((await app.anonymous.get('/api/auth/session')).status).toBe(503))
    return async () => {
      await blocker.query('rollback')
      await Promise.all(blocked)
    }
  }
  test('a connection whose requests are refused goes on: the same answer each time, and service once there is room', async () => {
    const [connection] = (await open(1)) as [RawConnection]
    const post = rawRequest('POST /api/v1/engagements HTTP/1.1', ['Content-Type: application/json', bearer()], '{"name":"One too many"}')
    const makeRoom = await fill()
    const answers = []
    for (const request of [GET, GET, post, GET]) answers.push(...(await connection.exchange(request)))
    const [first] = answers
    for (const { status, headers, body } of answers) {
      expectRefusal({ status, headers: new Headers(headers), body: JSON.parse(body) })
      expect(Object.keys(headers).toSorted()).toEqual(Object.keys(first?.headers ?? {}).toSorted())
      expect(body).toBe(first?.body)
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(4)
    await makeRoom()
    expect(await connection.exchange(rawRequest(`GET ${PATH} HTTP/1.1`, [bearer()]))).toMatchObject([{ status: 200 }])
    connection.close()
  })

  test.each([
    ['that was in use', 'used'],
    ['that was opened before and not used', 'unused'],
    ['that is opened meanwhile', 'new'],
  ])(
    'however a request arrives while there is no room, on a connection %s, it has one answer, and none is taken for two or for part of another',
    async (_, kind) => {
      const inner = GET
      const half = Math.floor(GET.length / 2)
      const post = (...headers: string[]) => rawRequest('POST /api/v1/engagements HTTP/1.1', ['Content-Type: application/json', ...headers])
      /** On a connection that is looked at since an earlier refusal; or on one that is looked at from these pieces on. */
      const arrivals: Record<string, { pieces: string[]; statuses: number[]; closes?: boolean; isFirst?: boolean }> = {
        'one after the other': { pieces: [GET, GET], statuses: [503, 503] },
        'two at once': { pieces: [GET + GET], statuses: [503, 503] },
        'one and a half': { pieces: [GET + GET.slice(0, half), GET.slice(half)], statuses: [503, 503] },
        'in two halves': { pieces: [GET.slice(0, half), GET.slice(half)], statuses: [503] },
        'cut within its end': { pieces: [GET.slice(0, -2), GET.slice(-2)], statuses: [503] },
        'its end and the next': { pieces: [GET.slice(0, -2), GET.slice(-2) + GET], statuses: [503, 503] },
        'a body like a request': { pieces: [post(`Content-Length: ${inner.length}`) + inner], statuses: [503] },
        'a body like a request, later': { pieces: [post(`Content-Length: ${inner.length}`), inner], statuses: [503] },
        'a body like a request, of a GET': { pieces: [rawRequest(`GET ${PATH} HTTP/1.1`, [`Content-Length: ${inner.length}`]), inner], statuses: [503] },
        'a body like a request, in chunks': {
          pieces: [post('Transfer-Encoding: chunked'), `${inner.length.toString(16)}\r\n${inner}\r\n`, '0\r\n\r\n'],
          statuses: [503],
        },
        'a length said twice': { pieces: [post('Content-Length: 0', `Content-Length: ${inner.length}`) + inner], statuses: [400], closes: true },
        'a length with a space before its colon': { pieces: [post(`Content-Length : ${inner.length}`) + inner], statuses: [400], closes: true },
        'a length and chunks': { pieces: [post('Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n'], statuses: [400], closes: true },
        'to be closed': { pieces: [rawRequest(`GET ${PATH} HTTP/1.1`, ['Connection: close'])], statuses: [503], closes: true },
        'by HTTP/1.0': { pieces: [rawRequest(`GET ${PATH} HTTP/1.0`)], statuses: [503], closes: true },
        'a body like a request, whose head came with the first refused one': {
          pieces: [GET + post(`Content-Length: ${inner.length}`), inner],
          statuses: [503, 503],
          isFirst: true,
        },
        'a header like a request, begun with the first refused one': {
          pieces: [`${GET}GET ${PATH} HTTP/1.1\r\nX-Part: `, GET],
          statuses: [503, 503],
          isFirst: true,
        },
        'a header like a request, of one with a body': {
          pieces: [`${GET}POST /api/v1/engagements HTTP/1.1\r\nContent-Length: ${inner.length}\r\nX-Part: `, GET, inner],
          statuses: [503, 503],
          isFirst: true,
        },
        'half a request with the first refused one': { pieces: [GET + GET.slice(0, half), GET.slice(half), GET], statuses: [503, 503, 503], isFirst: true },
        'a method that there is not': { pieces: [rawRequest(`GRAB ${PATH} HTTP/1.1`)], statuses: [400], closes: true },
      }
      const names = Object.keys(arrivals)
      const before = kind === 'used' ? await open(names.length) : kind === 'unused' ? await openUnused(names.length) : undefined
      const makeRoom = await fill()
      const connections = before ?? (await openUnused(names.length))
      const seen = await Promise.all(
        names.map(async (name, i) => {
          const connection = connections[i] as RawConnection
          const { pieces, isFirst } = arrivals[name] as { pieces: string[]; isFirst?: boolean }
          for (let i = 0; i < 2 && !isFirst && kind === 'used'; i++) expect(await connection.exchange(GET)).toMatchObject([{ status: 503 }])
          const statuses = (await connection.exchange(...pieces)).map(({ status }) => status)
          const closes = connection.isClosed()
          // Whatever is not one request for one answer shows here: the next answer would not be the one to the next request.
          const next = closes ? [] : (await connection.exchange(HEALTH)).map(({ status }) => status)
          connection.close()
          return [name, { statuses, closes, next }]
        }),
      )
      await makeRoom()
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries(Object.entries(arrivals).map(([name, { statuses, closes = false }]) => [name, { statuses, closes, next: closes ? [] : [200] }])),
      )
    },
  )

  test('what began to arrive before there was no room is one request with what arrives then, and what follows is the next', async () => {
    const beginnings = {
      'half a head': [GET.slice(0, 20), GET.slice(20)],
      'a head whose header is a request': [`GET ${PATH} HTTP/1.1\r\nX-Part: `, GET],
    }
    const connections = await openUnused(2)
    const pieces = Object.values(beginnings)
    for (const [i, [beginning = '']] of pieces.entries()) connections[i]?.send(beginning)
    // Its bytes are there before the first refusal: nothing else can tell.
    await sleep(100)
    const makeRoom = await fill()
    for (const [i, [, rest = '']] of pieces.entries()) {
      expect(await connections[i]?.exchange(rest), Object.keys(beginnings)[i]).toMatchObject([{ status: 503 }])
      expect(await connections[i]?.exchange(GET)).toMatchObject([{ status: 503 }])
      expect(await connections[i]?.exchange(HEALTH)).toMatchObject([{ status: 200 }])
      connections[i]?.close()
    }
    await makeRoom()
  })

  test('more waiting for a database connection than are worth it: refused at once, and reads that need none go on', async () => {
    await blocker.query('begin')
    await blocker.query('select 1 from organizations for update')
    const rename = () => key.patch(PATH, { name: 'Renamed' })
    const owner = await app.signedIn('owner')
    const answers = Array.from({ length: 150 }, () => owner.patch('/api/web/organizations/current', { name: 'Renamed' }))
    const first = await Promise.race(answers)
    expect(first.status).toBe(503)
    expect(first.body.error.message).toContain('too much to do')
    // Those that are refused hold their places until they are: for a moment there may be none.
    await eventually(async () => expect((await key.get(PATH)).status).toBe(200), 1_000)
    expect(await metric('sortie_database_refusals_total')).toBeGreaterThan(0)
    await blocker.query('rollback')
    await Promise.all(answers)
    expect((await rename()).status).not.toBe(503)
  })

  test('a slow body keeps nobody out: it counts as under way only once it is there', async () => {
    const slow = Array.from({ length: LIMIT + 20 }, () => {
      let finish = () => undefined as void
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(Buffer.from('{"name":'))
          finish = () => {
            controller.enqueue(Buffer.from('"Slow"}'))
            controller.close()
          }
        },
      })
      const headers = { ...key.headers, 'content-type': 'application/json' }
      const answer = fetch(`${app.origin}/api/v1/engagements`, { method: 'POST', headers, body, duplex: 'half' })
      return { answer, finish: () => finish() }
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await key.get(PATH)).status).toBe(200)
    for (const { finish } of slow) finish()
    for (const { answer } of slow) await (await answer).arrayBuffer()
  })
})

test('F13: while the event loop is late again and again, requests are refused; once it keeps time, they are served', async () => {
  await start({ OVERLOAD_DELAY_MS: '80' })
  let answered: TestResponse | undefined
  for (let round = 0; round < 100 && answered?.status !== 503; round++) {
    answered = undefined
    void key.get(PATH).then((response) => {
      answered = response
    })
    while (!answered) {
      const until = performance.now() + 250
      while (performance.now() < until);
      await nextTurn()
    }
  }
  expectRefusal(answered as TestResponse)
  expect(await metric('sortie_shed_requests_total{reason="event loop"}')).toBeGreaterThan(0)
  for (let round = 0; round < 100; round++) {
    const { status } = await key.get(PATH)
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect.unreachable('requests are still refused')
})
