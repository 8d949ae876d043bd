import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtherSide, otherSide } from '../support/other-side.ts'
import { type CostlyRequest, CostMeter } from '../support/request-cost.ts'
import { type TestApp, testApp } from '../support/test-app.ts'
import type { TestClient } from '../support/test-client.ts'

/** Processor time on the thread that serves everybody. */
const LIMIT_MS = 500
const MEMORY_MB = 200
const MB = 1_048_576

let app: TestApp
let meter: CostMeter
let key: TestClient
let engagementId: string
let web: OtherSide

beforeAll(async () => {
  web = await otherSide((_request, response) => response.end('fine'))
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
const sent = (request: object, more: object = {}) => post('api-requests/send', { engagementId, request: { url: `${web.origin}/`, ...request }, ...more })

/** The dearest requests that were found, with what they are answered. */
describe('what one request may cost the thread that serves everybody:', () => {
  test.each<[string, number, () => object, object]>([
    ['S1: an address of 3,276 variables', 422, () => ({ url: '{{a}}'.repeat(3_276) }), { variables: { a: 'x'.repeat(1_270) } }],
    [
      'S1: an address whose scheme comes from 800 variables',
      422,
      () => ({ url: `${'{{a}}'.repeat(800)}://${'{{a}}'.repeat(800)}` }),
      { variables: { a: 'x'.repeat(40) } },
    ],
    [
      'S4: a form of 480 fields that together become 1.9 GB',
      422,
      () => ({ method: 'POST', body: { mode: 'form', fields: Array.from({ length: 480 }, () => ({ name: 'n', value: '{{a}}'.repeat(250), enabled: true })) } }),
      { variables: { a: 'x'.repeat(16_000) } },
    ],
    [
      'S4: 100 headers that together become 400 MB',
      422,
      () => ({ headers: Array.from({ length: 100 }, () => ({ name: 'x-n', value: '{{a}}'.repeat(250), enabled: true })) }),
      { variables: { a: 'x'.repeat(16_000) } },
    ],
  ])('%s', async (_, status, request, more) => {
    const before = process.memoryUsage().rss
    const answer = await meter.sendWithin(LIMIT_MS, sent(request(), more))
    expect(answer.status, answer.text.slice(0, 500)).toBe(status)
    expect(answer.costMs).toBeLessThan(LIMIT_MS)
    expect((process.memoryUsage().rss - before) / MB).toBeLessThan(MEMORY_MB)
  })

  /** Each class of characters takes V8 long to read; each expression is another one, since compiled ones are kept. */
  const dear = (index: number, length: number) => `${index}${'[^\\p{L}\\p{N}\\p{M}\\p{S}]'.repeat(length / 22)}`
  const matching = (length: number) => Array.from({ length: 50 }, (_, index) => ({ subject: 'body', operator: 'matches', value: dear(index, length) }))
  const captured = Array.from({ length: 50 }, (_, index) => ({ variable: `v${index}`, from: 'regex', path: dear(index + 100, 970) }))

  test.each<[string, () => CostlyRequest]>([
    ['sent', () => sent({ captures: captured, assertions: matching(970) })],
    ['saved', () => post('api-requests', { engagementId, name: 'Dear', url: web.origin, captures: captured, assertions: matching(970) })],
  ])('S3: 100 expressions of 1,000 characters that take long to compile, %s', async (_, request) => {
    const answer = await meter.sendWithin(LIMIT_MS, request())
    expect([201, 422], answer.text.slice(0, 500)).toContain(answer.status)
    expect(answer.costMs).toBeLessThan(LIMIT_MS)
  })

  test('S3: an assertion that matches takes an expression of 1,000 characters, and one that contains a text of 10,000', async () => {
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
    expect(await create({ operator: 'matches', value: 'x'.repeat(1_001) })).toEqual([422, 'assertions.0.value: an expression has at most 1000 characters'])
    expect(await create({ operator: 'contains', value: 'x'.repeat(10_000) })).toEqual([201, undefined])
    expect(await create({ operator: 'matches', value: '(' })).toEqual([422, 'assertions.0.value: is no regular expression'])
  })

  test('S2: a secret of 16 kB is looked for in a body of 262 kB that nearly matches it everywhere, and hidden where it stands', async () => {
    const secret = `${'a'.repeat(300)}b${'a'.repeat(15_000)}`
    const { status, text, body } = await key.post('/api/v1/environments', {
      engagementId,
      name: 'Long',
      variables: [{ name: 'long', value: secret, secret: true }],
    })
    expect(status, text).toBe(201)
    const raw = `{{long}}${'a'.repeat(240_000)}`
    const answer = await meter.sendWithin(LIMIT_MS, sent({ method: 'POST', body: { mode: 'raw', text: raw } }, { environmentId: body.data.id }))
    expect(answer.status, answer.text.slice(0, 500)).toBe(201)
    expect(answer.costMs).toBeLessThan(LIMIT_MS)
    expect(answer.text).toContain('••••')
    expect(answer.text).not.toContain(`b${'a'.repeat(15_000)}`)
  })
})
