import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'
import { allScopesBut } from '../../support/walks/walk.ts'

let app: TestApp
let bearer: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  bearer = `Authorization: Bearer ${(await app.withKey(SCOPE_NAMES)).value}`
})
afterAll(() => app.close())

const PATH = '/api/v1/engagements'
const engagements = async () =>
  (
    await app.db
      .selectFrom('engagements')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

describe('I12: request smuggling', () => {
  const body = '{"name":"smuggled"}'
  const length = `Content-Length: ${body.length}`
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const head = (...lines: string[]) =>
    [`POST ${PATH} HTTP/1.1`, 'Host: localhost', bearer, 'Content-Type: application/json', ...lines].join('\r\n')
  const hidden = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nX: y\r\n${length}\r\n\r\n${body}`

  const attacks = (): [what: string, bytes: string][] => [
    ['Content-Length and Transfer-Encoding', `${head(length, 'Transfer-Encoding: chunked')}\r\n\r\n${chunked}`],
    [
      'Transfer-Encoding and Content-Length',
      `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}\r\n\r\n${chunked}`,
    ],
    ['two Content-Lengths', `${head(length, 'Content-Length: 5')}\r\n\r\n${body}`],
    ['two equal Content-Lengths', `${head(length, length)}\r\n\r\n${body}`],
    ['a list as Content-Length', `${head(`Content-Length: ${body.length}, ${body.length}`)}\r\n\r\n${body}`],
    ['a signed Content-Length', `${head(`Content-Length: +${body.length}`)}\r\n\r\n${body}`],
    ['a hexadecimal Content-Length', `${head('Content-Length: 0x13')}\r\n\r\n${body}`],
    ['a negative Content-Length', `${head('Content-Length: -1')}\r\n\r\n${body}`],
    ['a huge Content-Length', `${head('Content-Length: 99999999999999999999999')}\r\n\r\n${body}`],
    ['Transfer-Encoding: identity', `${head('Transfer-Encoding: identity', length)}\r\n\r\n${body}`],
    ['Transfer-Encoding: xchunked', `${head('Transfer-Encoding: xchunked')}\r\n\r\n${chunked}`],
    ['a space before the colon', `${head('Transfer-Encoding : chunked')}\r\n\r\n${chunked}`],
    ['a tab before the colon', `${head(`Content-Length\t: ${body.length}`)}\r\n\r\n${body}`],
    ['a folded header', `${head('X: a\r\n b', length)}\r\n\r\n${body}`],
    ['a bare CR', `${head('X: a\rContent-Length: 0', length)}\r\n\r\n${body}`],
    ['a NUL in a header', `${head('X: a\u0000b', length)}\r\n\r\n${body}`],
    ['bare LF between headers', `${head(length).replaceAll('\r\n', '\n')}\n\n${body}`],
    [
      'bare LF after the chunk size',
      `${head('Transfer-Encoding: chunked')}\r\n\r\n${body.length.toString(16)}\n${body}\r\n0\r\n\r\n`,
    ],
    ['a chunk size that is none', `${head('Transfer-Encoding: chunked')}\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    [
      'a chunk size that overflows',
      `${head('Transfer-Encoding: chunked')}\r\n\r\nffffffffffffffff1\r\n${body}\r\n0\r\n\r\n`,
    ],
    [
      'a request in the body of a GET',
      `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['a header line without a colon', `${head('nonsense')}\r\n\r\n`],
    ['an empty header name', `${head(': x', length)}\r\n\r\n${body}`],
    ['HTTP/2 without agreement', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ]

  test('I12: each ambiguous framing answers 400, closes the connection and does nothing', async () => {
    const before = await engagements()
    for (const [what, bytes] of attacks()) {
      const { responses, closed, text } = await sendRaw(app.origin, bytes)
      expect(
        responses.map(({ status }) => status),
        `${what}: ${text.slice(0, 300)}`,
      ).toEqual([400])
      expect(closed, what).toBe(true)
      expect(JSON.parse(responses[0]?.body as string).error.code).toBe('BAD_REQUEST')
    }
    expect(await engagements()).toBe(before)
  })

  test('I12: two requests on one connection get their own answers, in order', async () => {
    const get = (path: string, authorization: string) =>
      rawRequest(`GET ${path} HTTP/1.1`, authorization ? [authorization] : [])
    const { responses } = await sendRaw(
      app.origin,
      get('/api/v1/organizations/current', bearer) + get('/api/v1/organizations/current', '') + get('/api/health', ''),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 200])
  })

  test('valid chunks and chunk extensions are read as one body', async () => {
    const { responses } = await sendRaw(
      app.origin,
      `${head('Transfer-Encoding: chunked')}\r\n\r\n5;x=y\r\n{"nam\r\nf\r\ne":"in pieces"}\r\n0\r\n\r\n`,
    )
    expect(responses.map(({ status }) => status)).toEqual([201])
  })
})

describe('I13: unknown methods and paths', () => {
  test.each(['PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'PURGE', 'M-SEARCH', 'SEARCH', 'MKCOL', 'LOCK'])(
    'I13: %s answers 404 in the specified shape',
    async (method) => {
      const { responses } = await sendRaw(
        app.origin,
        rawRequest(`${method} ${PATH} HTTP/1.1`, [bearer, 'X-Secret: not echoed']),
      )
      expect(responses[0]?.status, responses[0]?.body).toBe(404)
      expect(JSON.parse(responses[0]?.body as string)).toEqual({
        error: { code: 'NOT_FOUND', message: expect.any(String), statusCode: 404 },
      })
      expect(responses[0]?.body).not.toContain('not echoed')
    },
  )

  test.each(['get', 'Get', 'G ET', 'GETT', 'DEBUG', ''])('I13: the method %j answers 400', async (method) => {
    expect((await sendRaw(app.origin, rawRequest(`${method} ${PATH} HTTP/1.1`, [bearer]))).responses[0]?.status).toBe(
      400,
    )
  })

  test('I13: HEAD answers as GET does, without a body', async () => {
    const head = await sendRaw(app.origin, rawRequest(`HEAD ${PATH} HTTP/1.1`, [bearer, 'Connection: close']), {
      headOnly: true,
    })
    expect(head.responses[0]?.status).toBe(200)
    expect(head.text.endsWith('\r\n\r\n')).toBe(true)
    expect(
      (await sendRaw(app.origin, rawRequest(`HEAD ${PATH} HTTP/1.1`), { headOnly: true })).responses[0]?.status,
    ).toBe(401)
  })

  test('a method override is ignored', async () => {
    const before = await engagements()
    await sendRaw(
      app.origin,
      rawRequest(`GET ${PATH} HTTP/1.1`, [bearer, 'X-HTTP-Method-Override: POST', 'X-Method-Override: POST']),
    )
    await sendRaw(app.origin, rawRequest(`GET ${PATH}?_method=POST HTTP/1.1`, [bearer]))
    expect(await engagements()).toBe(before)
  })
})

describe('K5: other spellings of a path', () => {
  /** A client that accepts HTML gets the page of the web interface at paths outside of the API. */
  const JSON_ALONE = 'Accept: application/json'
  const current = '/api/v1/organizations/current'
  const SPELLINGS = [
    `${current}/`,
    `/${current}`,
    `${current}//members`,
    '/api/v1//organizations/current',
    '/api//v1/organizations/current',
    '/API/v1/organizations/current',
    '/api/v1/Organizations/current',
    '/api/v1/organizations/CURRENT',
    '/api/v1/organizations%2fcurrent',
    '/api/v1/organizations%2Fcurrent',
    '/api%2fv1/organizations/current',
    '/api/v1/organizations/%63urrent',
    '/api/v1/organizations/curren%74',
    '/%61pi/v1/organizations/current',
    '/api/v1/./organizations/current',
    '/api/v1/x/../organizations/current',
    '/api/v1/organizations/current/.',
    '/api/v1/organizations/current/..',
    '/api/web/../v1/organizations/current',
    '/api/v1/%2e%2e/v1/organizations/current',
    `${current};x=y`,
    `${current};/members`,
    '/api/v1;x/organizations/current',
    `${current}#x`,
    `${current}%23x`,
    `${current}%3Fx`,
    `${current}?`,
    `${current}??x`,
    `${current}%00`,
    `${current}%20`,
    `${current}%09`,
    `${current}.json`,
    `${current}\\members`,
    '/api/v1\\organizations\\current',
    `http://localhost${current}`,
    `http://evil.example${current}`,
    `https://localhost${current}`,
    `//localhost${current}`,
    `http://user@localhost${current}`,
    '*',
    'localhost:80',
    `${current}%c0%af`,
    `${current}%ff`,
    '/api/v1/organizations/%u0063urrent',
    '/api/v1/organizations/%2563urrent',
    '/api/health/../v1/organizations/current',
    '/api/health%2f..%2fv1/organizations/current',
    '/metrics/../api/v1/organizations/current',
    '/api/docs/../v1/organizations/current',
    '/api/health;/../v1/organizations/current',
  ]

  test('K5: none reads what the key has no scope for, and none opens without a key', async () => {
    const refused = `Authorization: Bearer ${(await app.withKey(allScopesBut('organizations:read'))).value}`
    const seen = new Set<number>()
    for (const spelling of SPELLINGS) {
      for (const headers of [[refused], []]) {
        const { responses, text } = await sendRaw(
          app.origin,
          rawRequest(`GET ${spelling} HTTP/1.1`, [...headers, JSON_ALONE, 'Connection: close']),
        )
        expect(responses.length, `${spelling}: ${text.slice(0, 200)}`).toBe(1)
        const status = responses[0]?.status as number
        expect(headers.length > 0 ? [400, 403, 404] : [400, 401, 404], spelling).toContain(status)
        expect(text).not.toContain(app.organization.id)
        seen.add(status)
      }
    }
    for (const status of [400, 401, 403, 404]) expect(seen).toContain(status)
  })

  test('K5: with the scope, each opens the same route or none', async () => {
    const plain = (await sendRaw(app.origin, rawRequest(`GET ${current} HTTP/1.1`, [bearer]))).responses[0]?.body
    for (const spelling of SPELLINGS) {
      const { responses } = await sendRaw(
        app.origin,
        rawRequest(`GET ${spelling} HTTP/1.1`, [bearer, JSON_ALONE, 'Connection: close']),
      )
      const { status, body } = responses[0] as (typeof responses)[0]
      if (status === 200) expect(body, spelling).toBe(plain)
      else expect([400, 404], spelling).toContain(status)
    }
  })

  test('K5, C1: the web door reads no cookie at another spelling either', async () => {
    for (const spelling of [
      '/api/web/../auth/sign-out',
      '/api/auth//sign-out',
      '/api/auth/sign-out/',
      '/API/auth/sign-out',
    ]) {
      expect([400, 404]).toContain(
        (
          await sendRaw(
            app.origin,
            rawRequest(`POST ${spelling} HTTP/1.1`, ['Content-Length: 0', 'Origin: https://evil.example']),
          )
        ).responses[0]?.status,
      )
    }
  })
})
