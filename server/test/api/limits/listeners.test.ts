import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { securityHeaders } from '../../../src/platform/http/answers/headers.ts'
import { hereMs } from '../../support/app/machine.ts'
import { nightly } from '../../support/app/nightly.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { connectTo, openRaw, type RawResponse, rawRequest, sendRaw } from '../../support/network/raw-http.ts'

const MAX_CONNECTIONS = 12
const LIVE = '/api/health/live'
const hasIPv6 = Object.values(os.networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1')
const FAMILIES = hasIPv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false, host: 'localhost', maxConnections: MAX_CONNECTIONS })
})
afterAll(() => app.close())

const originAt = (family: string, { http } = app) => `http://${family}:${(http.server.address() as AddressInfo).port}`

const expectAnswer = (response: RawResponse | undefined, status: number, message: string) => {
  expect([response?.status, response?.body]).toEqual([status, expect.stringContaining(message)])
  const headers = response?.headers ?? {}
  expect(headers).toMatchObject(securityHeaders({ FRONTEND_URL: 'http://localhost:3001' }))
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  for (const name of ['limit', 'remaining', 'reset']) expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/)
}

describe.each(FAMILIES)('I17: HOST=localhost, at %s:', (family) => {
  test.each([
    ['a request', rawRequest(`GET ${LIVE} HTTP/1.1`), 200, '"ok"'],
    ['a host that is not ours', rawRequest('GET /api/auth/mode HTTP/1.1', ['Host: evil.example']), 400, 'host name'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'not valid HTTP'],
    [
      'headers of 32 KiB',
      rawRequest(`GET ${LIVE} HTTP/1.1`, [`X-Big: ${'x'.repeat(32_768)}`]),
      400,
      'larger than 16384 bytes',
    ],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 404, 'no such endpoint'],
    [
      'an expectation that is none',
      rawRequest('POST /api/v1/engagements HTTP/1.1', ['Expect: nonsense']),
      400,
      '100-continue',
    ],
    ['an upgrade', rawRequest(`GET ${LIVE} HTTP/1.1`, ['Connection: Upgrade', 'Upgrade: websocket']), 200, '"ok"'],
  ])('%s has the same answer as everywhere', async (_, bytes, status, message) => {
    const { responses } = await sendRaw(originAt(family), bytes)
    expect(responses).toHaveLength(1)
    expectAnswer(responses[0], status, message)
  })

  test('one connection over the limit is dropped while all others are in use', async () => {
    const connections = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => openRaw(originAt(family))))
    const begun = rawRequest('POST /api/auth/sign-in/email HTTP/1.1', [
      'Content-Length: 10',
      'Content-Type: application/json',
    ])
    for (const connection of connections) connection.send(begun)
    await eventually(() => expect(app.http.connections.countBusy()).toBe(MAX_CONNECTIONS))
    const extra = connectTo(originAt(family)).on('error', () => undefined)
    extra.resume()
    await once(extra, 'close')
    for (const connection of connections) connection.close()
    await eventually(() => expect(app.http.connections.count()).toBe(0))
  })
})

nightly(
  'I17: at every address, a client that sends headers or body slowly, or nothing, is closed within 20 s',
  async () => {
    const modes: Record<string, string> = {
      silent: '',
      headers: `GET ${LIVE} HTTP/1.1\r\nHost: localhost\r\n`,
      body: 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    }
    const clients = await Promise.all(
      FAMILIES.flatMap((family) =>
        Object.entries(modes).map(async ([mode, beginning]) => ({
          name: `${mode} at ${family}`,
          mode,
          beginning,
          connection: await openRaw(originAt(family)),
        })),
      ),
    )
    const startedAt = performance.now()
    for (const { connection, beginning } of clients) connection.send(beginning)
    while (clients.some(({ connection }) => !connection.isClosed()) && performance.now() - startedAt < 24_000) {
      await sleep(1_000)
      for (const { mode, connection } of clients) {
        if (mode === 'headers') connection.send('X-More: 1\r\n')
        if (mode === 'body') connection.send(' ')
      }
    }
    expect(clients.filter(({ connection }) => !connection.isClosed()).map(({ name }) => name)).toEqual([])
  },
)

test('F7, I17: closing lets the running request finish on every listener, and accepts no new connection', async () => {
  const closing = await testApp({ workers: false, host: 'localhost' })
  const key = await closing.withKey(['organizations:read'])
  const origins = FAMILIES.map((family) => originAt(family, closing))
  const body = '{"email":"nobody@example.com","password":"wrong password"}'
  const head = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const underWay = await Promise.all(origins.map((origin) => openRaw(origin)))
  for (const connection of underWay)
    connection.send(rawRequest('POST /api/auth/sign-in/email HTTP/1.1', head, body.slice(0, 10)))
  const idle = await Promise.all(origins.map((origin) => openRaw(origin)))
  for (const connection of idle)
    expect(await connection.exchange(rawRequest(`GET ${LIVE} HTTP/1.1`))).toMatchObject([{ status: 200 }])
  expect(key.keyId).toMatch(/^key_/)
  const closed = closing.http.close()
  await sleep(300)
  for (const origin of origins) await expect(fetch(origin + LIVE)).rejects.toThrow()
  for (const connection of idle) expect(connection.isClosed()).toBe(true)
  for (const connection of underWay) {
    const [answer] = await connection.exchange(body.slice(10))
    expect([answer?.status, answer?.headers['connection']]).toEqual([401, 'close'])
  }
  await closed
  await closing.close()
})

test('F7: a started download finishes, and its connection does not keep the server from closing', async () => {
  const closing = await testApp({ workers: false })
  const key = await closing.withKey(['organizations:read', 'organizations:write'])
  const bytes = Buffer.alloc(8 * 1024 * 1024, 'x')
  const engagement = (await key.post('/api/v1/engagements', { name: 'Large' })).body.data.id
  const files = `/api/v1/engagements/${engagement}/files`
  const { id } = (await key.request('POST', `${files}?fileName=large`, { rawBody: bytes })).body.data
  const agent = new http.Agent({ keepAlive: true })
  const request = http.get(`${closing.origin}${files}/${id}`, { agent, headers: key.headers })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  const closed = closing.http.close()
  await sleep(300)
  const startedAt = performance.now()
  let received = 0
  for await (const piece of answer) received += (piece as Buffer).length
  await closed
  expect(received).toBe(bytes.length)
  expect(answer.headers.connection).toBe('keep-alive')
  expect(performance.now() - startedAt).toBeLessThan(hereMs(10_000))
  agent.destroy()
  await closing.close()
})
