import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { metricsText } from '../../support/document/metrics.ts'
import { connectTo, rawRequest, sendRaw } from '../../support/network/raw-http.ts'

const SECRET = 'the secret of the repositories'
const PATH = '/api/code-hosting/webhook'
const LIMIT = 262_144
const SHARE = 16 * 1024 * 1024
/** Bytes of each body that are not counted. */
const UNCOUNTED = 16_384

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_ANONYMOUS_MAX: '400' },
  })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
})
afterAll(() => app.close())

const signatureOf = (body: string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
const genuine = (from: string, length = 1_000, of = app) => {
  const rawBody = JSON.stringify({ text: 'x'.repeat(length), from, at: Math.random() })
  return of.anonymous.request('POST', PATH, {
    rawBody,
    headers: { 'x-hub-signature-256': signatureOf(rawBody), 'x-forwarded-for': from },
  })
}

/** Sends a notification except its last byte. */
const unfinished = (from: string, length = LIMIT, of = app): { socket: Socket; answer: () => string } => {
  const socket = connectTo(of.origin)
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
  const headers = [`X-Hub-Signature-256: ${signatureOf('')}`, `X-Forwarded-For: ${from}`, `Content-Length: ${length}`]
  socket.write(rawRequest(`POST ${PATH} HTTP/1.1`, headers, 'x'.repeat(length - 1)))
  return { socket, answer: () => answer }
}

test('S34: a notification without its signature header is 400 before any byte of its body arrives', async () => {
  for (const headers of [
    ['Content-Length: 200000'],
    ['Transfer-Encoding: chunked'],
    ['Content-Length: 200000', 'X-Hub-Signature-256:'],
  ]) {
    const { responses } = await sendRaw(app.origin, rawRequest(`POST ${PATH} HTTP/1.1`, headers))
    expect(responses.map(({ status, body }) => [status, JSON.parse(body).error.message])).toEqual([
      [400, 'X-Hub-Signature-256: is missing.'],
    ])
  }
})

test('S34: bodies of one address use at most a share of the memory: one more is 503 with Retry-After, and other addresses are read', async () => {
  const count = Math.floor(SHARE / (LIMIT - UNCOUNTED))
  const held = Array.from({ length: count + 5 }, () => unfinished('203.0.113.7'))
  try {
    await eventually(() => expect(held.filter(({ answer }) => answer() !== '').length).toBeGreaterThanOrEqual(5))
    for (const { answer } of held)
      if (answer() !== '') expect(answer()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: \d+\r\n/)
    // Before any byte of its body arrives. The refused ones have freed some memory.
    const announced = rawRequest(`POST ${PATH} HTTP/1.1`, [
      `X-Hub-Signature-256: ${signatureOf('')}`,
      'X-Forwarded-For: 203.0.113.7',
      `Content-Length: ${LIMIT}`,
    ])
    await eventually(async () => {
      held.push(unfinished('203.0.113.7'))
      expect((await sendRaw(app.origin, announced)).responses.map(({ status }) => status)).toEqual([503])
    })
    expect((await genuine('203.0.113.8', 200_000)).status).toBe(200)
    expect((await genuine('203.0.113.7', 1_000)).status).toBe(200)
    const text = Array.from({ length: 5_000 }, (_, i) => `host-${i}.example.com`).join('\n')
    expect((await key.post('/api/v1/targets/bulk', { engagementId: await newEngagement(key), text })).status).toBe(201)
    const metrics = await metricsText(app.origin)
    expect(
      Number(/^sortie_shed_requests_total\{reason="request bodies"\} (\d+)$/m.exec(metrics)?.[1]),
    ).toBeGreaterThanOrEqual(5)
  } finally {
    for (const { socket } of held) socket.destroy()
  }
  // Their memory is released, as is that of answered requests.
  await eventually(async () => expect((await genuine('203.0.113.7', 200_000)).status).toBe(200))
  for (let i = 0; i < count + 5; i++) expect((await genuine('203.0.113.7', 200_000)).status).toBe(200)
})

test('S34: an address over its rate limit has a few notifications read at once; another one is 429 before its body', async () => {
  const own = await testApp({
    workers: false,
    env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_ANONYMOUS_MAX: '2' },
  })
  const from = '203.0.113.9'
  const probe = rawRequest(`POST ${PATH} HTTP/1.1`, [
    `X-Hub-Signature-256: ${signatureOf('')}`,
    `X-Forwarded-For: ${from}`,
    'Content-Length: 1000',
  ])
  for (let i = 0; i < 2; i++) await own.anonymous.get('/api/auth/mode', { headers: { 'x-forwarded-for': from } })
  const held = Array.from({ length: 16 }, () => unfinished(from, 1_000, own))
  try {
    await eventually(async () =>
      expect((await sendRaw(own.origin, probe)).responses.map(({ status }) => status)).toEqual([429]),
    )
    // Other addresses are read.
    expect((await genuine('203.0.113.10', 1_000, own)).status).toBe(200)
  } finally {
    for (const { socket } of held) socket.destroy()
  }
  await eventually(async () => expect((await genuine(from, 1_000, own)).status).toBe(200))
  await own.close()
})

test('S34: uploads read into memory have their own limit: one more of an organization is 503, and those of others are read', async () => {
  const path = async (of: TestClient) =>
    `/api/v1/api-requests/import?format=curl&engagementId=${await newEngagement(of)}`
  const own = await app.withKey(['organizations:read', 'organizations:write', 'api-requests:write'])
  const other = await app.withKey(
    ['organizations:read', 'organizations:write', 'api-requests:write'],
    await app.createOrganization(),
  )
  const [ownPath, otherPath] = [await path(own), await path(other)]
  const send = (of: TestClient, to: string) =>
    of.request('POST', to, { rawBody: `curl https://a.example/${'x'.repeat(100_000)}` })
  const length = 10_000_000
  const headers = [`Authorization: ${own.headers['authorization']}`, `Content-Length: ${length}`]
  const held = [1, 2].map(() => {
    const socket = connectTo(app.origin)
    socket.on('error', () => undefined)
    socket.write(rawRequest(`POST ${ownPath} HTTP/1.1`, headers, 'x'.repeat(length - 1)))
    return { socket, answered: once(socket, 'data') }
  })
  try {
    // Both together exceed the limit.
    const [answer] = (await Promise.race(held.map(({ answered }) => answered))) as [Buffer]
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: \d+\r\n/)
    expect((await send(other, otherPath)).status).toBe(201)
    expect((await send(own, ownPath)).status).toBe(201)
  } finally {
    for (const { socket } of held) socket.destroy()
  }
})

test('a body in chunks of one byte is read unchanged', async () => {
  // Larger than the buffer's initial size.
  const sent = {
    name: 'In small pieces',
    description: Array.from({ length: 9_000 }, (_, i) => String.fromCharCode(0xe0 + (i % 26))).join(''),
  }
  const body = JSON.stringify(sent)
  const chunks = [...Buffer.from(body)].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]))
  const head = rawRequest('POST /api/v1/engagements HTTP/1.1', [
    `Authorization: ${key.headers['authorization']}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ])
  const { responses } = await sendRaw(
    app.origin,
    Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]),
    { quietMs: 1_000 },
  )
  expect(responses.map(({ status }) => status)).toEqual([201])
  const { id } = JSON.parse(responses[0]?.body ?? '').data
  const { data } = (await key.get(`/api/v1/engagements/${id}`)).body
  expect(data.description === sent.description).toBe(true)
})
