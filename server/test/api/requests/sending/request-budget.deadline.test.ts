import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../../support/app/machine.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type CostlyRequest, CostMeter } from '../../../support/inputs/request-cost.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

/** Processor time of the main thread. */
const LIMIT_MS = 500
const MEMORY_MB = 200
const MB = 1_048_576

let app: TestApp
let meter: CostMeter
let key: TestClient
let engagementId: string
let web: Receiver
/** The response for each path. */
const bodies = new Map<string, string>()

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => response.end(url === '/' ? 'fine' : bodies.get(url)))
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}`, LOG_LEVEL: 'error' } })
  meter = new CostMeter(app)
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  const owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  meter.close()
  await app.close()
  await web.close()
})

const post = (path: string, body: object) => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  headers: { 'content-type': 'application/json', ...key.headers },
  body: Buffer.from(JSON.stringify(body)),
})
const sent = (request: object, more: object = {}) =>
  post('api-requests/send', { engagementId, request: { url: `${web.origin}/`, ...request }, ...more })

/** The most expensive requests that were found, with their responses. */
describe('T1, T4: cost of one request for the main thread:', () => {
  test.each<[string, number, () => object, object]>([
    [
      'an address of 3,276 variables',
      422,
      () => ({ url: '{{a}}'.repeat(3_276) }),
      { variables: { a: 'x'.repeat(1_270) } },
    ],
    [
      'an address whose scheme comes from 800 variables',
      422,
      () => ({ url: `${'{{a}}'.repeat(800)}://${'{{a}}'.repeat(800)}` }),
      { variables: { a: 'x'.repeat(40) } },
    ],
    [
      'a form of 480 fields that together become 1.9 GB',
      422,
      () => ({
        method: 'POST',
        body: {
          mode: 'form',
          fields: Array.from({ length: 480 }, () => ({ name: 'n', value: '{{a}}'.repeat(250), enabled: true })),
        },
      }),
      { variables: { a: 'x'.repeat(16_000) } },
    ],
    [
      '100 headers that together become 400 MB',
      422,
      () => ({
        headers: Array.from({ length: 100 }, () => ({ name: 'x-n', value: '{{a}}'.repeat(250), enabled: true })),
      }),
      { variables: { a: 'x'.repeat(16_000) } },
    ],
  ])('%s', async (_, status, request, more) => {
    const before = process.memoryUsage().rss
    const answer = await meter.sendWithin(LIMIT_MS, sent(request(), more))
    expect(answer.status, answer.text.slice(0, 500)).toBe(status)
    expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS))
    expect((process.memoryUsage().rss - before) / MB).toBeLessThan(MEMORY_MB)
  })

  /** V8 reads each class of characters slowly; each expression differs, because compiled ones are cached. */
  const dear = (index: number, length: number) => `${index}${'[^\\p{L}\\p{N}\\p{M}\\p{S}]'.repeat(length / 22)}`
  const matching = (length: number) =>
    Array.from({ length: 50 }, (_, index) => ({ subject: 'body', operator: 'matches', value: dear(index, length) }))
  const captured = Array.from({ length: 50 }, (_, index) => ({
    variable: `v${index}`,
    from: 'regex',
    path: dear(index + 100, 970),
  }))

  test.each<[string, () => CostlyRequest]>([
    ['sent', () => sent({ captures: captured, assertions: matching(970) })],
    [
      'saved',
      () =>
        post('api-requests', {
          engagementId,
          name: 'Dear',
          url: web.origin,
          captures: captured,
          assertions: matching(970),
        }),
    ],
  ])('T3: 100 expressions of 1,000 characters that compile slowly, %s', async (_, request) => {
    const answer = await meter.sendWithin(LIMIT_MS, request())
    expect([201, 422], answer.text.slice(0, 500)).toContain(answer.status)
    expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS))
  })

  test('T3: a matching assertion accepts an expression of 1,000 characters, and a containing one a text of 10,000', async () => {
    const create = async (assertion: object) => {
      const { status, body } = await key.post('/api/v1/api-requests', {
        engagementId,
        name: 'Long',
        url: web.origin,
        assertions: [{ subject: 'body', ...assertion }],
      })
      return [status, body.error?.message]
    }
    expect(await create({ operator: 'matches', value: 'x'.repeat(1_000) })).toEqual([201, undefined])
    expect(await create({ operator: 'matches', value: 'x'.repeat(1_001) })).toEqual([
      422,
      'assertions.0.value: an expression has at most 1000 characters',
    ])
    expect(await create({ operator: 'contains', value: 'x'.repeat(10_000) })).toEqual([201, undefined])
    expect(await create({ operator: 'matches', value: '(' })).toEqual([
      422,
      'assertions.0.value: must be a regular expression',
    ])
  })

  test('T2: a secret of 16 kB is searched for in a body of 262 kB that nearly matches it everywhere, and hidden', async () => {
    const secret = `${'a'.repeat(300)}b${'a'.repeat(15_000)}`
    const { status, text, body } = await key.post('/api/v1/environments', {
      engagementId,
      name: 'Long',
      variables: [{ name: 'long', value: secret, secret: true }],
    })
    expect(status, text).toBe(201)
    const raw = `{{long}}${'a'.repeat(240_000)}`
    const answer = await meter.sendWithin(
      LIMIT_MS,
      sent({ method: 'POST', body: { mode: 'raw', text: raw } }, { environmentId: body.data.id }),
    )
    expect(answer.status, answer.text.slice(0, 500)).toBe(201)
    expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS))
    expect(answer.text).toContain('••••')
    expect(answer.text).not.toContain(`b${'a'.repeat(15_000)}`)
  })

  const answered = async (path: string, body: string): Promise<string> => {
    bodies.set(path, body)
    const {
      status,
      text,
      body: run,
    } = await key.post('/api/v1/api-requests/send', { engagementId, request: { url: `${web.origin}${path}` } })
    expect(status, text.slice(0, 500)).toBe(201)
    return run.data.id
  }
  const nested = (levels: number, inner: string) => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`
  const keyed = (count: number, value: string) =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":${value}`).join(',')}}`
  const wide = (value: string) => `{"${'k'.repeat(800_000)}":${keyed(1_000, value)}}`

  test.each<[string, string, string, object]>([
    ['half a million brackets', nested(500_000, '1'), nested(500_000, '2'), { equal: false, tooLarge: true }],
    ['6,000 brackets', nested(6_000, '1'), nested(6_000, '2'), { equal: false, tooLarge: true, changes: [] }],
    ['6,000 brackets, and a number', nested(6_000, '1'), '{"a":1}', { equal: false, tooLarge: false }],
    ['70,000 keys', keyed(70_000, '1'), keyed(70_000, '2'), { equal: false, tooLarge: false }],
    ['1,000 keys below one of 800,000 characters', wide('1'), wide('2'), { equal: false }],
  ])('T12: comparing responses of %s', async (_, a, b, expected) => {
    const [first, second] = [await answered('/a', a), await answered('/b', b)]
    const comparing: CostlyRequest = {
      method: 'GET',
      path: `/api/v1/request-runs/diff?a=${first}&b=${second}`,
      headers: key.headers,
    }
    const answer = await meter.sendWithin(LIMIT_MS / 5, comparing)
    expect(answer.status, answer.text.slice(0, 500)).toBe(200)
    expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS / 5))
    expect(answer.body.data.body).toMatchObject(expected)
    expect(answer.text.length).toBeLessThan(4 * MB)
  })

  /** One example, which each operation refers to. */
  const shared = (operations: number, length: number) => {
    const content = { 'application/json': { examples: { one: { $ref: '#/components/examples/long' } } } }
    const paths = Object.fromEntries(
      Array.from({ length: operations }, (_, index) => [`/${index}`, { post: { requestBody: { content } } }]),
    )
    return Buffer.from(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Shared' },
        paths,
        components: { examples: { long: { value: 'x'.repeat(length) } } },
      }),
    )
  }
  test.each<[string, number, number, number]>([
    ['400 operations that share an example of 900,000 characters', 400, 900_000, 400],
    ['18 operations that do, within the limit', 18, 900_000, 201],
  ])('T4: importing an OpenAPI document of %s', async (_, operations, length, status) => {
    const before = process.memoryUsage().rss
    const headers = { 'content-type': 'application/octet-stream', ...key.headers }
    const path = `/api/v1/api-requests/import?engagementId=${engagementId}&mode=preview`
    const answer = await meter.sendWithin(
      LIMIT_MS,
      { method: 'POST', path, headers, body: shared(operations, length) },
      4,
    )
    expect(answer.status, answer.text.slice(0, 500)).toBe(status)
    expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS))
    expect((process.memoryUsage().rss - before) / MB).toBeLessThan(MEMORY_MB)
    if (status === 400)
      expect(answer.body.error.message).toContain('its requests have more than 16777216 characters together')
  })

  test('T4: a sequence captures a million characters in total, and fails beyond', async () => {
    bodies.set('/long', 'x'.repeat(65_000))
    const folder = (await key.post('/api/v1/request-folders', { engagementId, name: 'Many captures' })).body.data
    for (const round of [1, 2]) {
      const captures = Array.from({ length: 10 }, (_, index) => ({
        variable: `v${round}_${index}`,
        from: 'regex',
        path: `x{${65_000 - index},}`,
      }))
      const fields = { engagementId, folderId: folder.id, name: 'Long', url: `${web.origin}/long`, captures }
      expect((await key.post('/api/v1/api-requests', fields)).status).toBe(201)
    }
    const { status, body } = await key.post(`/api/v1/request-folders/${folder.id}/execute`, {})
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      state: 'failed',
      reason:
        'The values that a sequence captures must have at most 1000000 characters together. Request 2 captured the last of them.',
      progress: { done: 1, total: 2 },
    })
  })

  test.each<[string, string]>([
    ['Latin letters', 'a'],
    ['letters of three bytes', '\uffee'],
    ['letters of four bytes', '\u{1d4b3}'],
    ['letters that names of hosts fold', '\u00df'],
  ])(
    'T2: an environment with 65,536 characters of secrets in %s is searched for in 262,144 characters; one more is 422',
    async (_, letter) => {
      const value = (index: number, length: number) =>
        `${index}${letter.repeat(length)}`.slice(0, 16_384).toWellFormed()
      const secrets = Array.from({ length: 4 }, (__, index) => ({
        name: `s${index}`,
        value: value(index, 16_384),
        secret: true,
      }))
      const create = (variables: object[]) =>
        key.post('/api/v1/environments', { engagementId, name: 'Many secrets', variables })
      const refused = await create([...secrets, { name: 'more', value: 'x', secret: true }])
      expect([refused.status, refused.body.error.message]).toEqual([
        422,
        'variables: the secrets of an environment have at most 65536 characters together; these have 65537',
      ])
      const { status, text, body } = await create([...secrets, { name: 'more', value: 'x', secret: false }])
      expect(status, text).toBe(201)
      const request = sent(
        { method: 'POST', body: { mode: 'raw', text: letter.repeat(262_144 / letter.length) } },
        { environmentId: body.data.id },
      )
      const answer = await meter.sendWithin(LIMIT_MS, request)
      expect(answer.status, answer.text.slice(0, 500)).toBe(201)
      expect(answer.costMs).toBeLessThan(hereMs(LIMIT_MS))
    },
  )
})
