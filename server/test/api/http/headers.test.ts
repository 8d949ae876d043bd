import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { securityHeaders } from '../../../src/platform/http/answers/headers.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'
import { mountedRoutes, pathOf } from '../../support/walks/walk.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LEAKS =
  /\bselect\b|\brelation\b|\bcolumn\b|pg_|node_modules|\.ts\b|\.js\b|\/src\/|\/tmp\/|\n\s*at |ECONN|SQLSTATE|fastify/i

let app: TestApp
let key: TestClient
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

/** Checks the headers that every answer carries. */
const expectHeaders = (headers: Pick<Headers, 'get'>, where: string) => {
  for (const [name, value] of Object.entries(securityHeaders({ FRONTEND_URL: 'http://localhost:3001' })))
    expect(headers.get(name), `${where}: ${name}`).toBe(value)
  expect(headers.get('x-request-id'), where).toMatch(UUID)
  for (const name of ['limit', 'remaining', 'reset'])
    expect(headers.get(`x-ratelimit-${name}`), `${where}: ${name}`).toMatch(/^\d+$/)
  const now = Date.now() / 1000
  expect(Number(headers.get('x-ratelimit-reset')), where).toBeGreaterThanOrEqual(Math.floor(now))
  expect(Number(headers.get('x-ratelimit-reset')), where).toBeLessThanOrEqual(now + 62)
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    expect(headers.get(name), `${where}: ${name}`).toBeNull()
}

const STATUSES: [status: number, what: string, ask: () => ReturnType<TestClient['request']>][] = [
  [200, 'a read', () => key.get('/api/v1/organizations/current')],
  [200, 'a read in the web door', () => owner.get('/api/web/engagements')],
  [201, 'a creation', () => key.post('/api/v1/engagements', { name: 'Created' })],
  [400, 'an unknown query parameter', () => key.get('/api/v1/engagements?nonsense=1')],
  [
    400,
    'malformed JSON',
    () => key.request('POST', '/api/v1/engagements', { rawBody: '{', headers: { 'content-type': 'application/json' } }),
  ],
  [400, 'a URL that cannot be decoded', () => key.get('/api/v1/engagements/%zz')],
  [
    400,
    'no X-Organization',
    () => app.anonymous.with({ cookie: owner.headers.cookie as string }).get('/api/web/engagements'),
  ],
  [401, 'no key', () => app.anonymous.get('/api/v1/organizations/current')],
  [
    401,
    'a malformed key',
    () => app.anonymous.with({ authorization: 'Bearer svc_live_nonsense' }).get('/api/v1/organizations/current'),
  ],
  [401, 'no session', () => app.anonymous.get('/api/web/organizations')],
  [
    401,
    'a wrong password',
    () => app.anonymous.post('/api/auth/sign-in/email', { email: 'nobody@example.com', password: PASSWORD }),
  ],
  [403, 'no scope', async () => (await app.withKey(['wiki:read'])).get('/api/v1/organizations/current')],
  [
    403,
    'another origin',
    () => owner.with({ origin: 'https://evil.example' }).post('/api/web/engagements', { name: 'x' }),
  ],
  [404, 'an unknown id', () => key.get('/api/v1/engagements/eng_00000000000000000000000000')],
  [404, 'an unknown path of the key door', () => key.get('/api/v1/nonsense')],
  [404, 'an unknown path of the web door', () => owner.get('/api/web/nonsense')],
  [404, 'an unknown path without credentials', () => app.anonymous.get('/api/nonsense')],
  [404, 'an unknown method', () => key.request('PUT', '/api/v1/engagements')],
  [404, 'OPTIONS', () => key.request('OPTIONS', '/api/v1/engagements')],
  [
    409,
    'an address that is a member',
    () =>
      key.post('/api/v1/organizations/current/members/invite', { email: app.organization.owner.email, role: 'admin' }),
  ],
  [422, 'a body that breaks a rule', () => key.post('/api/v1/engagements', { name: '' })],
  [200, 'health', () => app.anonymous.get('/api/health')],
  [200, 'liveness', () => app.anonymous.get('/api/health/live')],
  [200, 'HEAD', () => key.request('HEAD', '/api/v1/engagements')],
]

describe('R2, L21: every answer carries the three rate headers, a request id and the security headers', () => {
  test.each(STATUSES)('%i: %s', async (status, what, ask) => {
    const response = await ask()
    expect(response.status, response.text).toBe(status)
    expectHeaders(response.headers, what)
    if (status >= 400) expect(response.text, what).not.toMatch(LEAKS)
  })

  test('every route of every door, with and without credentials', async () => {
    for (const route of mountedRoutes(app)) {
      for (const client of [app.anonymous, key, owner]) {
        const response = await client.request(route.method, `${pathOf(route)}?nonsense=1`)
        expectHeaders(response.headers, `${route.name} ${response.status}`)
      }
    }
  })

  test("request ids never repeat, and a client's id is not used", async () => {
    const ids = new Set<string | null>()
    for (let i = 0; i < 20; i++)
      ids.add(
        (await key.with({ 'x-request-id': 'mine' }).get('/api/v1/organizations/current')).headers.get('x-request-id'),
      )
    expect(ids.size).toBe(20)
    expect(ids).not.toContain('mine')
  })

  test('a request id comes from X-Request-Id or traceparent of a trusted proxy, if it is valid; the log has it', async () => {
    const proxied = await testApp({ workers: false, env: { TRUST_PROXY: '127.0.0.1' } })
    const idOf = async (sent: Record<string, string>) =>
      (await proxied.anonymous.get('/api/v1/organizations/current', { headers: sent })).headers.get('x-request-id')
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`
    try {
      expect(await idOf({ 'x-request-id': 'req_01:abc.DEF-9', traceparent })).toBe('req_01:abc.DEF-9')
      expect(await idOf({ traceparent })).toBe(trace)
      expect(proxied.logLines.some((line) => line.includes('"reqId":"req_01:abc.DEF-9"'))).toBe(true)
      const invalid = [
        { 'x-request-id': 'short' },
        { 'x-request-id': 'has spaces in it' },
        { 'x-request-id': '"quoted-id"' },
        { 'x-request-id': 'x'.repeat(129) },
        { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
        { traceparent: `00-${trace}-${'0'.repeat(16)}-01` },
        { traceparent: `ff-${trace}-00f067aa0ba902b7-01` },
        { traceparent: trace },
      ]
      for (const headers of invalid) expect(await idOf(headers)).toMatch(UUID)
    } finally {
      await proxied.close()
    }
    const untrusted = await key.with({ traceparent }).get('/api/v1/organizations/current')
    expect(untrusted.headers.get('x-request-id')).toMatch(UUID)
  })

  test('429: over the limit of a key, of an address, and of an organization', async () => {
    const limited = await testApp({ workers: false, env: { RATE_LIMIT_MAX: '3', RATE_LIMIT_ANONYMOUS_MAX: '4' } })
    try {
      for (const answers of [
        await burst(limited.anonymous, '/api/v1/organizations/current', 6),
        await burst(limited.anonymous, '/api/nonsense', 6),
      ]) {
        const last = answers.at(-1)
        expect(last?.status).toBe(429)
        expectHeaders((last as { headers: Headers }).headers, '429')
        expect(last?.headers.get('x-ratelimit-remaining')).toBe('0')
        expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      }
      const health = await limited.anonymous.get('/api/health')
      expect(health.status).toBe(200)
      expectHeaders(health.headers, 'health past the limit')
    } finally {
      await limited.close()
    }
  })

  const burst = async (client: TestClient, path: string, count: number) => {
    const answers = []
    for (let i = 0; i < count; i++) answers.push(await client.get(path))
    return answers
  }

  const MALFORMED: [what: string, bytes: string | Buffer][] = [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['bytes', Buffer.from([0, 255, 1, 2, 10, 10])],
    ['a TLS greeting', Buffer.from('16030100c4010000c0030359', 'hex')],
    ['a method that is none', 'FOO BAR BAZ\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\n\r\n'],
    ['headers of 32 KiB', rawRequest('GET /api/health HTTP/1.1', [`X-Big: ${'x'.repeat(32_768)}`])],
    ['a request line of 32 KiB', rawRequest(`GET /${'x'.repeat(32_768)} HTTP/1.1`)],
    ['no Host', 'GET /api/health HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a control character in a header', 'GET /api/health HTTP/1.1\r\nHost: a\r\nX: a\u0001b\r\n\r\n'],
    ['an expectation that is none', rawRequest('POST /api/v1/engagements HTTP/1.1', ['Expect: nonsense'])],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ]

  test.each(MALFORMED)('malformed HTTP: %s', async (what, bytes) => {
    const { responses, text } = await sendRaw(app.origin, bytes)
    expect(responses.length, `${what}: ${text.slice(0, 200)}`).toBe(1)
    const { status, headers, body } = responses[0] as (typeof responses)[0]
    expect([400, 404]).toContain(status)
    const { error, ...rest } = JSON.parse(body)
    expect({ ...error, rest }).toEqual({
      code: status === 400 ? 'BAD_REQUEST' : 'NOT_FOUND',
      message: expect.any(String),
      statusCode: status,
      rest: {},
    })
    expectHeaders({ get: (name) => headers[name.toLowerCase()] ?? null }, what)
    expect(body).not.toMatch(LEAKS)
  })
})

describe('C9: faults of the server', () => {
  test('500 and 503 reveal nothing internal, carry every header, and the log has the cause', async () => {
    const broken = await testApp({ workers: false })
    try {
      const client = await broken.withKey(['organizations:read', 'organizations:write'])
      const session = await broken.signedIn('owner')
      await broken.asSuperuser('alter table engagements rename column description to described')
      await broken.asSuperuser('alter table organizations rename column plan to planned')
      const before = broken.logLines.length
      const faults = [
        await client.get('/api/v1/engagements'),
        await client.post('/api/v1/engagements', { name: 'x' }),
        await client.get('/api/v1/organizations/current'),
        await session.get('/api/web/engagements'),
      ]
      await broken.asSuperuser('drop table api_keys cascade')
      faults.push(await client.get('/api/v1/engagements'), await client.get('/api/v1/nonsense'))
      for (const { status, body, text, headers } of faults) {
        expect(status).toBe(500)
        expect(body).toEqual({
          error: {
            code: 'INTERNAL_ERROR',
            message: expect.stringContaining('went wrong on the server'),
            statusCode: 500,
          },
        })
        expect(text).not.toMatch(LEAKS)
        expectHeaders(headers, '500')
        const id = headers.get('x-request-id')
        expect(
          broken.logLines.slice(before).filter((line) => line.includes(`"${id}"`) && line.includes('does not exist'))
            .length,
        ).toBeGreaterThanOrEqual(1)
      }
    } finally {
      await broken.close()
    }
  })

  test('503 while a table is locked, with Retry-After; health reports when the database refuses connections', async () => {
    const locked = await testApp({ workers: false })
    try {
      const session = await locked.signedIn('owner')
      await locked.db.transaction().execute(async (tx) => {
        await sql`lock table engagements in access exclusive mode`.execute(tx)
        const { status, body, headers, text } = await session.get('/api/web/engagements')
        expect(status).toBe(503)
        expect(body.error.code).toBe('INTERNAL_ERROR')
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        expect(text).not.toMatch(LEAKS)
        expectHeaders(headers, '503')
      })
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(locked.db)
      const name = rows[0]?.name as string
      await app.asSuperuser(`alter database ${name} with allow_connections false`)
      await app.asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      const health = await locked.anonymous.get('/api/health')
      expect(health.status).toBe(503)
      expect(health.body).toEqual({ status: 'unavailable', timestamp: expect.any(String) })
      expectHeaders(health.headers, 'health 503')
      await app.asSuperuser(`alter database ${name} with allow_connections true`)
    } finally {
      await locked.close()
    }
  })
})
