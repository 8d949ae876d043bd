import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import type { ConfigurationError } from '../../../src/platform/errors.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'
import { mountedRoutes, pathOf } from '../../support/walks/walk.ts'

const MODE = '/api/auth/mode'
const OUTSIDE_THE_CONTRACT = [
  '/',
  '/sign-in',
  '/assets/x.js',
  '/api/docs',
  '/api/v1/openapi.json',
  '/api/nowhere',
  '/api/v1/nowhere',
]

let local: TestApp
let hosted: TestApp
beforeAll(async () => {
  local = await testApp({ workers: false })
  hosted = await testApp({
    workers: false,
    env: {
      HOST: '0.0.0.0',
      FRONTEND_URL: 'https://Sortie.example.com',
      ALLOWED_HOSTS: 'sortie.internal, 192.0.2.10,[2001:DB8::1], bücher.example',
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_ANONYMOUS_MAX: '1000',
    },
  })
})
afterAll(() => Promise.all([local.close(), hosted.close()]))

const ask = async ({ origin }: TestApp, target: string, ...headers: string[]) => {
  const { responses } = await sendRaw(origin, rawRequest(`GET ${target} HTTP/1.1`, [...headers, 'Connection: close']))
  const [response] = responses
  if (!response) throw new Error(`${target} ${headers.join()} was not answered`)
  return response
}
const statusWith = async (app: TestApp, host: string) => (await ask(app, MODE, `Host: ${host}`)).status

describe('S20: the host of a request', () => {
  test.each([
    'localhost',
    'LocalHost:3001',
    'localhost.',
    'localhost.:3001',
    'sortie.localhost',
    '127.0.0.1:1',
    '127.8.9.10',
    '[::1]',
    '[::1]:3001',
  ])('on loopback, %s is accepted', async (host) => {
    expect(await statusWith(local, host)).toBe(200)
  })

  test.each([
    'evil.example',
    'evil.example:3001',
    'EVIL.example.',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'localhost@evil.example',
    'evil.example@localhost',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example?localhost',
    'evil.example\\localhost',
    'evil.example, localhost',
    'localhost, evil.example',
    'localhost evil.example',
    'localhost:3001:3001',
    'localhost:port',
    'localhost..',
    '[::1',
    '::1',
    '[evil.example]',
    '2130706433',
    '0x7f.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::]',
    '192.0.2.10',
    'sortie.example.com',
    '.',
    '',
  ])('on loopback, "%s" is refused', async (host) => {
    const { status, headers, body } = await ask(local, MODE, `Host: ${host}`)
    expect([status, JSON.parse(body).error.code]).toEqual([400, 'BAD_REQUEST'])
    for (const name of ['x-request-id', 'x-ratelimit-limit', 'content-security-policy'])
      expect(headers[name]).toBeDefined()
    expect(body).not.toContain('evil.example')
  })

  test('elsewhere, the hosts of FRONTEND_URL and ALLOWED_HOSTS are accepted, in any spelling and with any port; loopback names are not', async () => {
    const known = [
      'sortie.example.com',
      'SORTIE.EXAMPLE.COM:8443',
      'sortie.example.com.',
      'sortie.internal',
      '192.0.2.10:3001',
      '[2001:db8::1]:3001',
      'xn--bcher-kva.example',
    ]
    for (const host of known) expect([host, await statusWith(hosted, host)]).toEqual([host, 200])
    const unknown = [
      'localhost',
      '127.0.0.1',
      '[::1]',
      'example.com',
      'www.sortie.example.com',
      'sortie.internal.evil.example',
      '192.0.2.11',
    ]
    for (const host of unknown) expect([host, await statusWith(hosted, host)]).toEqual([host, 400])
  })

  test('is checked in an absolute-form target, too', async () => {
    expect((await ask(local, `http://localhost${MODE}`, 'Host: localhost')).status).toBe(200)
    expect((await ask(local, `HTTP://127.0.0.1:99${MODE}`, 'Host: localhost')).status).toBeLessThan(500)
    for (const target of [
      'http://evil.example',
      'https://evil.example:3001',
      'http://localhost@evil.example',
      'http://user@localhost',
      'http://',
    ]) {
      expect([target, (await ask(local, `${target}${MODE}`, 'Host: localhost')).status]).toEqual([target, 400])
    }
    expect((await ask(local, `http://localhost${MODE}`, 'Host: evil.example')).status).toBe(400)
  })

  test('is the Host header, whatever proxies send: X-Forwarded-Host is not read', async () => {
    for (const forged of [
      'X-Forwarded-Host: evil.example',
      'X-Host: evil.example',
      'Forwarded: host=evil.example',
      'X-Original-Host: evil.example',
    ]) {
      expect((await ask(hosted, MODE, 'Host: sortie.example.com', forged)).status).toBe(200)
    }
    for (const name of ['X-Forwarded-Host', 'X-Host', 'X-Original-Host']) {
      expect((await ask(hosted, MODE, 'Host: evil.example', `${name}: sortie.example.com`)).status).toBe(400)
    }
  })

  test('is checked for every route, page and file before anything else: no statement reaches the database', async () => {
    const key = await local.withKey(['organizations:read'])
    const session = (await local.signedIn('owner')).headers
    const credentials = [
      `Authorization: Bearer ${key.value}`,
      `Cookie: ${session['cookie']}`,
      `X-Organization: ${session['x-organization']}`,
    ]
    const routes = mountedRoutes(local)
    const lines = [
      ...routes.map((route) => `${route.method} ${pathOf(route)}`),
      ...OUTSIDE_THE_CONTRACT.map((path) => `GET ${path}`),
    ]
    // A timer writes the times of use.
    await local.flush()
    const statements = await statementsDuring(async () => {
      for (const line of lines) {
        const { responses } = await sendRaw(
          local.origin,
          rawRequest(`${line} HTTP/1.1`, ['Host: evil.example', ...credentials, 'Connection: close']),
        )
        expect([line, responses[0]?.status]).toEqual([line, 400])
      }
    })
    expect(statements).toEqual([])
  })

  test('does not matter to health, which load balancers ask by address; two Host headers are 400, and so is none elsewhere', async () => {
    for (const path of ['/api/health', '/api/health/live']) {
      for (const app of [local, hosted]) expect((await ask(app, path, 'Host: 198.51.100.7:3001')).status).toBe(200)
      expect((await sendRaw(local.origin, `GET ${path} HTTP/1.0\r\n\r\n`)).responses[0]?.status).toBe(200)
      expect((await ask(local, path, 'Host: localhost', 'Host: localhost')).status).toBe(400)
    }
    expect((await sendRaw(local.origin, `GET ${MODE} HTTP/1.0\r\n\r\n`)).responses[0]?.status).toBe(400)
  })

  test('O15: does not matter to metrics with a token; without the token they answer 404 under any name', async () => {
    const token = 'a-token-of-metrics-that-is-long-enough'
    const scraped = await testApp({ workers: false, env: { METRICS_TOKEN: token } })
    const statuses = async (...headers: string[]) => {
      const found = []
      for (const host of ['198.51.100.7:3001', 'evil.example', 'localhost'])
        found.push((await ask(scraped, '/metrics', `Host: ${host}`, ...headers)).status)
      return found
    }
    expect(await statuses(`Authorization: Bearer ${token}`)).toEqual([200, 200, 200])
    expect(await statuses()).toEqual([404, 404, 404])
    await scraped.close()
  })

  test('C1: a page of another site that was pointed at this server signs no one in', async () => {
    const body = JSON.stringify({ email: local.organization.owner.email, password: PASSWORD })
    const post = (host: string) =>
      sendRaw(
        local.origin,
        rawRequest(
          'POST /api/auth/sign-in/email HTTP/1.1',
          [`Host: ${host}`, `Origin: http://${host}`, 'Content-Type: application/json', 'Connection: close'],
          body,
        ),
      )
    const [own] = (await post(new URL(local.origin).host)).responses
    expect([own?.status, own?.headers['set-cookie']]).toEqual([200, expect.any(String)])
    const [foreign] = (await post('evil.example:3001')).responses
    expect([foreign?.status, foreign?.headers['set-cookie']]).toEqual([400, undefined])
  })

  test('refusals count as requests without a key', async () => {
    const limited = await testApp({ workers: false, env: { RATE_LIMIT_ANONYMOUS_MAX: '2' } })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(limited, '/', 'Host: evil.example')).status)
    await limited.close()
    expect(statuses).toEqual([400, 400, 429])
  })

  test.each([
    'sortie.example.com:443',
    'https://sortie.example.com',
    '*.example.com',
    'a b',
    'a/b',
    '',
    'a,,b',
    'user@host',
    '[::1',
  ])('ALLOWED_HOSTS=%j is refused at start', (value) => {
    const parse = () =>
      parseConfig({ SESSION_SECRET: 'long enough to be a secret of the test', ALLOWED_HOSTS: `x,${value}` })
    expect(parse).toThrow(
      expect.objectContaining<Partial<ConfigurationError>>({
        lines: [expect.stringMatching(/^ALLOWED_HOSTS: must be a list of host names/)],
      }),
    )
  })
})
