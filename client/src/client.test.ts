import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callTable } from './call-table.ts'
import { createClient } from './client.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { createWebClient } from './web-client.ts'

const WEB_CALLS = callTable(ENDPOINTS, ['web', 'auth'])

type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void

const FAST = { retries: 4, firstWaitMs: 5, maxWaitMs: 5_000 }
const REFUSAL = (code: string, statusCode: number, message = 'No.') =>
  JSON.stringify({ error: { code, message, statusCode } })

let origin: string
let close: () => Promise<void>
let answers: Answer[]
let seen: { method: string; url: string; headers: IncomingMessage['headers']; text: string; at: number }[]

beforeEach(async () => {
  answers = []
  seen = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      seen.push({
        method: request.method as string,
        url: request.url as string,
        headers: request.headers,
        text,
        at: performance.now(),
      })
      const answer = answers.shift() ?? ok({ data: {} })
      answer(Object.assign(request, { text }), response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
})
afterEach(() => close())

const ok =
  (body: unknown): Answer =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const refuse =
  (statusCode: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(statusCode, { 'content-type': 'application/json', ...headers }).end(body)

const client = (retry = {}) =>
  createClient({ baseUrl: `${origin}/api`, apiKey: 'svc_test_x', retry: { ...FAST, ...retry } })

test('a call is made of the contract: method, path, parameters, query, body and key', async () => {
  await client().listMembers({ query: { role: 'admin', page: 2 } })
  await client().changeMemberRole({ params: { userId: 'usr_a/../b' }, body: { role: 'member' } })
  expect(seen[0]).toMatchObject({
    method: 'GET',
    url: '/api/v1/organizations/current/members?role=admin&page=2',
    text: '',
  })
  expect(seen[0]?.headers.authorization).toBe('Bearer svc_test_x')
  expect(seen[1]).toMatchObject({
    method: 'PATCH',
    url: '/api/v1/organizations/current/members/usr_a%2F..%2Fb',
    text: '{"role":"member"}',
  })
})

test('a parameter that is repeatable is given once for each value, with its commas; other lists are joined by commas', async () => {
  await client().listTargets({ query: { engagementId: 'eng_x', field: ['cost_center:4711', 'note:a, b'] } })
  expect(new URL(seen[0]?.url ?? '', origin).searchParams.getAll('field')).toEqual(['cost_center:4711', 'note:a, b'])
  expect(new URL(seen[0]?.url ?? '', origin).searchParams.getAll('engagementId')).toEqual(['eng_x'])
})

test('a refusal is an error with code, message, status and request id', async () => {
  answers.push(
    refuse(422, REFUSAL('VALIDATION_ERROR', 422, 'role: must be one of admin, member'), { 'x-request-id': 'req-1' }),
  )
  const error = await client()
    .getOrganization()
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'role: must be one of admin, member',
    statusCode: 422,
    requestId: 'req-1',
  })
  expect(seen).toHaveLength(1)
})

test('429 and 503 are tried again, each wait longer, until the answer comes', async () => {
  answers.push(
    refuse(429, REFUSAL('RATE_LIMITED', 429)),
    refuse(503, REFUSAL('INTERNAL_ERROR', 503)),
    ok({ data: { id: 'org_1' } }),
  )
  expect(await client({ firstWaitMs: 60 }).getOrganization()).toEqual({ data: { id: 'org_1' } })
  const [first, second, third] = seen.map(({ at }) => at) as [number, number, number]
  expect(second - first).toBeGreaterThanOrEqual(28)
  expect(third - second).toBeGreaterThanOrEqual(58)
})

test('F24: a write that may not be repeated is sent once when the answer is 503 or the connection breaks', async () => {
  const web = createWebClient(WEB_CALLS, { origin, retry: FAST })
  const unrepeatable: [string, () => Promise<unknown>][] = [
    ['PATCH', () => client().updateOrganization({ body: { name: 'Once' } })],
    ['POST', () => web.createEngagement({ body: { name: 'Once' } })],
  ]
  for (const [method, send] of unrepeatable) {
    seen = []
    answers.push(refuse(503, REFUSAL('INTERNAL_ERROR', 503), { 'retry-after': '0' }))
    await expect(send(), method).rejects.toMatchObject({ statusCode: 503 })
    answers.push((_request, response) => response.destroy())
    await expect(send(), method).rejects.toBeInstanceOf(ConnectionError)
    expect(seen.map((request) => request.method)).toEqual([method, method])
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
  }
})

test('F24: a POST with an API key is sent again after 503 and after a lost answer, with the same Idempotency-Key', async () => {
  answers.push(
    refuse(503, REFUSAL('INTERNAL_ERROR', 503)),
    (_request, response) => response.destroy(),
    ok({ data: { id: 'eng_1' } }),
  )
  expect(await client().createEngagement({ body: { name: 'Once' } })).toEqual({ data: { id: 'eng_1' } })
  await client().createEngagement({ body: { name: 'Once' } })
  await client().createEngagement({ body: { name: 'Once' } }, { idempotencyKey: 'import-7' })
  const [first, second, third, next, own] = seen.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[!-~]{1,255}$/)
  expect([second, third]).toEqual([first, first])
  expect(next).not.toBe(first)
  expect(own).toBe('import-7')
  answers.push((_request, response) => response.destroy())
  await expect(client({ retries: 0 }).createEngagement({ body: { name: 'Once' } })).rejects.toBeInstanceOf(
    ConnectionError,
  )
})

test('F24: an idempotent write is sent again after 503, and any write after 429, which says that nothing was done', async () => {
  answers.push(refuse(503, REFUSAL('INTERNAL_ERROR', 503)), ok({ data: { removed: true } }))
  await client().removeMember({ params: { userId: 'usr_1' } })
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429)), ok({ data: { id: 'org_1' } }))
  await client().updateOrganization({ body: { name: 'Once' } })
  expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'PATCH', 'PATCH'])
  expect(seen.some(({ headers }) => 'idempotency-key' in headers)).toBe(false)
})

test('Retry-After is waited for', async () => {
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429), { 'retry-after': '1' }))
  await client().getOrganization()
  expect((seen[1]?.at as number) - (seen[0]?.at as number)).toBeGreaterThanOrEqual(990)
})

test('a Retry-After beyond the longest wait is not waited for', async () => {
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429), { 'retry-after': '3600' }))
  await expect(client().getOrganization()).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 3600 })
  expect(seen).toHaveLength(1)
})

test('trying again ends after so many tries', async () => {
  for (let index = 0; index < 9; index++) answers.push(refuse(503, REFUSAL('INTERNAL_ERROR', 503)))
  await expect(client({ retries: 2 }).getOrganization()).rejects.toMatchObject({ statusCode: 503 })
  expect(seen).toHaveLength(3)
  await expect(client().getOrganization({}, { retries: 0 })).rejects.toMatchObject({ statusCode: 503 })
  expect(seen).toHaveLength(4)
})

test('nothing else is tried again', async () => {
  for (const [status, code] of [
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [500, 'INTERNAL_ERROR'],
  ] as const) {
    answers.push(refuse(status, REFUSAL(code, status)))
    await expect(client().getOrganization()).rejects.toMatchObject({ code, statusCode: status })
  }
  expect(seen).toHaveLength(6)
})

test('a file is uploaded as it is, a Blob by its type; after 429 a Blob is sent again, a stream is not', async () => {
  const upload = (body: Blob | ReadableStream<Uint8Array>) =>
    client().uploadFile({ params: { engagementId: 'eng_1' }, query: { fileName: 'ü &.png' }, body })
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429)))
  await upload(new Blob(['bytes'], { type: 'image/png' }))
  await upload(new Blob(['streamed']).stream())
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429)))
  await expect(upload(new Blob(['streamed']).stream())).rejects.toMatchObject({ statusCode: 429 })
  expect(seen.map(({ text }) => text)).toEqual(['bytes', 'bytes', 'streamed', 'streamed'])
  expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
    'image/png',
    'image/png',
    'application/octet-stream',
    'application/octet-stream',
  ])
  expect(seen[0]?.url).toBe('/api/v1/engagements/eng_1/files?fileName=%C3%BC+%26.png')
})

test('a stored file is answered as a Response, whose body is still to be read; a refusal is an error as everywhere', async () => {
  const download = () => client().downloadFile({ params: { engagementId: 'eng_1', fileId: 'fil_1' } })
  answers.push((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('bytes'))
  const response = await download()
  expect([response.headers.get('content-type'), response.bodyUsed]).toEqual(['image/png', false])
  expect(await response.text()).toBe('bytes')
  answers.push(refuse(404, REFUSAL('NOT_FOUND', 404)))
  await expect(download()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an AbortSignal ends the waiting and the request', async () => {
  const waiting = new AbortController()
  answers.push(refuse(429, REFUSAL('RATE_LIMITED', 429), { 'retry-after': '4' }))
  const abortOnceRefused = setInterval(() => seen.length > 0 && waiting.abort(new Error('no longer wanted')), 50)
  await expect(client().getOrganization({}, { signal: waiting.signal })).rejects.toThrow('no longer wanted')
  clearInterval(abortOnceRefused)
  expect(seen).toHaveLength(1)
  const running = new AbortController()
  answers.push(() => setTimeout(() => running.abort(new Error('no longer needed')), 10))
  await expect(client().getOrganization({}, { signal: running.signal })).rejects.toThrow('no longer needed')
})

test('no response is a ConnectionError, and a response that is not an error of this API is reported by its status', async () => {
  answers.push((_request, response) => response.destroy())
  await expect(client().getOrganization()).rejects.toBeInstanceOf(ConnectionError)
  answers.push(refuse(502, '<html>bad gateway</html>'))
  await expect(client().getOrganization()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', statusCode: 502 })
})

test('the web client names the organization, carries no key, and goes to the doors of the session', async () => {
  let organizationId: string | undefined
  const web = createWebClient(WEB_CALLS, { origin, organizationId: () => organizationId })
  await web.signIn({ body: { email: 'ada@example.com', password: 'p' } })
  organizationId = 'org_1'
  await web.listApiKeys()
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/auth/sign-in/email' })
  expect(seen[0]?.headers['x-organization']).toBeUndefined()
  expect(seen[1]).toMatchObject({ method: 'GET', url: '/api/web/api-keys' })
  expect(seen[1]?.headers).toMatchObject({ 'x-organization': 'org_1' })
  expect(seen[1]?.headers.authorization).toBeUndefined()
})

test('a key client has no method for what keys cannot do', () => {
  expect(client()).not.toHaveProperty('createApiKey')
  expect(client()).not.toHaveProperty('signIn')
  expect(createWebClient(WEB_CALLS)).toHaveProperty('createApiKey')
})
