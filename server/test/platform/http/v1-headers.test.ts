import http, { type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unavailable } from '../../../src/platform/errors.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { mountedRoutes } from '../../support/walks/walk.ts'

const ORIGIN = 'https://app.example.com'
const PORTAL = 'http://localhost:5173'
const CURRENT = '/api/v1/organizations/current'
const KNOWN_SIGNATURE = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type',
}

/** One request for every status of `/api/v1`. */
const everyStatus = async (app: TestApp, headers: Record<string, string> = {}): Promise<Map<number, TestResponse>> => {
  const key = await app.withKey(['organizations:read', 'organizations:write'])
  const reader = await app.withKey(['organizations:read'])
  const answers = [
    await key.get(CURRENT, { headers }),
    await key.post('/api/v1/engagements', { name: 'An engagement' }, { headers }),
    await key.get(`${CURRENT}/members?page=0`, { headers }),
    await app.anonymous.get(CURRENT, { headers }),
    await reader.patch(CURRENT, { name: 'x' }, { headers }),
    await key.get('/api/v1/nothing', { headers }),
    await app.anonymous.get('/api/v1/%zz', { headers }),
    await key.delete(`${CURRENT}/members/${app.organization.owner.id}`, { headers }),
    await key.patch(CURRENT, { name: '' }, { headers }),
  ]
  return new Map(answers.map((answer) => [answer.status, answer]))
}
const STATUSES = [200, 201, 400, 401, 403, 404, 409, 422]

describe('notice of the end of version 1', () => {
  test('is off by default', async () => {
    const app = await testApp({ workers: false })
    for (const [, { headers }] of await everyStatus(app)) {
      for (const name of ['deprecation', 'sunset', 'link', 'vary', 'access-control-allow-origin'])
        expect([name, headers.has(name)]).toEqual([name, false])
    }
    await app.close()
  })

  test('is on every answer of /api/v1, errors included, and on no other', async () => {
    const env = {
      API_V1_DEPRECATED_AT: '2026-01-01T00:00:00.900Z',
      API_V1_SUNSET_AT: '2027-06-30T14:00:00+02:00',
      FRONTEND_URL: 'https://sortie.example.com',
    }
    const app = await testApp({ env, workers: false })
    const answers = await everyStatus(app)
    expect([...answers.keys()].sort((a, b) => a - b)).toEqual(STATUSES)
    const limited = await testApp({ env: { ...env, RATE_LIMIT_ANONYMOUS_MAX: '1' }, workers: false })
    await limited.anonymous.get(CURRENT)
    answers.set(429, await limited.anonymous.get(CURRENT))
    await limited.close()
    const key = await app.withKey(['organizations:write'])
    const invite = () => key.post(`${CURRENT}/members/invite`, { email: 'ada@example.com', role: 'member' })
    for (const failure of [new Error('out of order'), unavailable('Later.')]) {
      app.platform.jobs.enqueue = () => Promise.reject(failure)
      app.platform.jobs.enqueueAll = () => Promise.reject(failure)
      const answer = await invite()
      answers.set(answer.status, answer)
    }
    expect([...answers.keys()].sort((a, b) => a - b)).toEqual([...STATUSES, 429, 500, 503])
    for (const [status, { headers }] of answers) {
      const shown = ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
      const docs = 'https://sortie.example.com/api/docs'
      expect([status, ...shown]).toEqual([
        status,
        '@1767225600',
        'Wed, 30 Jun 2027 12:00:00 GMT',
        `<${docs}>; rel="deprecation"; type="text/html", <${docs}>; rel="sunset"; type="text/html"`,
      ])
    }
    const owner = await app.signedIn('owner')
    for (const path of [
      '/api/health',
      '/api/web/organizations',
      '/api/v2/organizations/current',
      '/api/v10',
      '/nothing',
    ]) {
      const { headers } = await owner.get(path)
      for (const name of ['deprecation', 'sunset', 'link'])
        expect([path, name, headers.has(name)]).toEqual([path, name, false])
    }
    await app.close()
  })

  test('is on answers that are written before the router sees a request', async () => {
    const app = await testApp({
      env: { API_V1_DEPRECATED_AT: '2026-01-01T00:00:00Z', CORS_ORIGINS: ORIGIN },
      workers: false,
    })
    const answer = (path: string) =>
      new Promise<IncomingHttpHeaders>((resolve, reject) => {
        const sent = http.request(app.origin + path, { headers: { expect: 'wonders', origin: ORIGIN } }, (response) => {
          response.resume().on('end', () => resolve(response.headers))
        })
        sent.on('error', reject).end()
      })
    expect(await answer(CURRENT)).toMatchObject({ deprecation: '@1767225600', 'access-control-allow-origin': ORIGIN })
    expect(await answer('/api/web/organizations')).not.toHaveProperty('deprecation')
    await app.close()
  })

  test('has only the configured headers', async () => {
    const app = await testApp({ env: { API_V1_SUNSET_AT: '2027-06-30T00:00:00Z' }, workers: false })
    const { headers } = await app.anonymous.get(CURRENT)
    expect(headers.has('deprecation')).toBe(false)
    expect(headers.get('link')).toMatch(/^<[^>]+>; rel="sunset"; type="text\/html"$/)
    await app.close()
  })
})

describe('C3: pages of other origins', () => {
  let app: TestApp
  let key: TestClient
  beforeAll(async () => {
    app = await testApp({
      env: { CORS_ORIGINS: `${ORIGIN}, ${PORTAL}`, RATE_LIMIT_ANONYMOUS_MAX: '100' },
      workers: false,
    })
    key = await app.withKey(['organizations:read'])
  })
  afterAll(() => app.close())

  const LOOKALIKES = [
    'null',
    'https://app.example.com.evil.test',
    'https://evil-app.example.com',
    'https://evilapp.example.com',
    'https://app.example.co',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com/',
    'https://APP.example.com',
    `${ORIGIN}, ${PORTAL}`,
    '*',
  ]

  test('an origin of the list may read every answer of /api/v1, without credentials', async () => {
    const other = await testApp({ env: { CORS_ORIGINS: ORIGIN }, workers: false })
    const answers = await everyStatus(other, { origin: ORIGIN })
    expect([...answers.keys()].sort((a, b) => a - b)).toEqual(STATUSES)
    for (const [status, { headers }] of answers) {
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        status,
        ORIGIN,
        'Origin',
      ])
      expect(headers.has('access-control-allow-credentials')).toBe(false)
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual([
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'Retry-After',
        'X-Request-Id',
        'Idempotency-Replayed',
        'Deprecation',
        'Sunset',
        'Link',
      ])
    }
    await other.close()
  })

  test('no other origin may, however similar, and caches learn that the answer depends on it', async () => {
    for (const origin of LOOKALIKES) {
      const { status, headers } = await key.get(CURRENT, { headers: { origin } })
      expect([origin, status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        origin,
        200,
        null,
        'Origin',
      ])
      const preflight = await app.anonymous.request('OPTIONS', CURRENT, { headers: { ...KNOWN_SIGNATURE, origin } })
      expect([origin, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
        origin,
        404,
        null,
      ])
    }
    expect((await key.get(CURRENT)).headers.get('vary')).toBe('Origin')
  })

  test('a preflight lists the methods and headers that routes read, is 204 with the rate headers and is not counted', async () => {
    const before = await app.anonymous.get('/api/health')
    for (const origin of [ORIGIN, PORTAL]) {
      const { status, text, headers } = await app.anonymous.request('OPTIONS', CURRENT, {
        headers: { ...KNOWN_SIGNATURE, origin },
      })
      expect([status, text, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        204,
        '',
        origin,
        'Origin',
      ])
      const methods = mountedRoutes(app).flatMap(({ door, method }) => (door === 'key' ? [method] : []))
      expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual([...new Set(methods)].sort())
      expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Idempotency-Key')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
      expect(headers.get('x-ratelimit-remaining')).toBe(before.headers.get('x-ratelimit-remaining'))
    }
  })

  test('OPTIONS without a preflight is 404, as is one elsewhere', async () => {
    const asked = async (path: string, headers: Record<string, string>) =>
      (await app.anonymous.request('OPTIONS', path, { headers })).status
    expect(await asked(CURRENT, { origin: ORIGIN })).toBe(404)
    expect(await asked(CURRENT, KNOWN_SIGNATURE)).toBe(404)
    for (const path of ['/api/web/organizations', '/api/auth/sign-in/email', '/api/health', '/api/v10', '/']) {
      expect([path, await asked(path, { ...KNOWN_SIGNATURE, origin: ORIGIN })]).toEqual([path, 404])
    }
  })

  test('no answer of the web and sign-in doors, of health or of unknown paths is shared', async () => {
    const owner = await app.signedIn('owner')
    const answers = [
      await owner.get('/api/web/organizations', { headers: { origin: ORIGIN } }),
      await owner.post('/api/web/api-keys', {}, { headers: { origin: ORIGIN } }),
      await app.anonymous.post('/api/auth/sign-in/email', {}, { headers: { origin: ORIGIN } }),
      await app.anonymous.get('/api/health', { headers: { origin: ORIGIN } }),
      await app.anonymous.get('/nothing', { headers: { origin: ORIGIN } }),
    ]
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('with * any origin may, still without credentials, and the other doors stay closed', async () => {
    const open = await testApp({ env: { CORS_ORIGINS: '*' }, workers: false })
    const { headers } = await open.anonymous.get(CURRENT, { headers: { origin: 'https://anywhere.test' } })
    expect([headers.get('access-control-allow-origin'), headers.has('access-control-allow-credentials')]).toEqual([
      '*',
      false,
    ])
    const preflight = await open.anonymous.request('OPTIONS', CURRENT, {
      headers: { ...KNOWN_SIGNATURE, origin: 'https://anywhere.test' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const web = await (
      await open.signedIn('owner')
    ).get('/api/web/organizations', { headers: { origin: 'https://anywhere.test' } })
    expect(web.headers.has('access-control-allow-origin')).toBe(false)
    await open.close()
  })
})
