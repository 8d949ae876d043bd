import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { createStage, eventually, freePort, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseAddress, proxiedUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { FaultProxy } from '../../support/network/fault-proxy.ts'
import { answerOf, type ProxiedAnswer, ProxiedClient } from '../../support/network/proxied-client.ts'
import { handshake, overHttp2, overPlainHttp, sendRawTls } from '../../support/network/proxied-protocols.ts'
import {
  type ProxyName,
  type RealProxy,
  readConfiguration,
  SITE,
  startProxy,
} from '../../support/network/real-proxy.ts'
import { type StubRequest, startStub } from '../../support/network/stub-service.ts'
import { namesOf, startLoad, WRITERS } from './proxied-load.ts'

const READY_MS = 100_000
const ADMIN = { email: 'admin@example.com', password: 'a password behind a proxy' }
const ENGAGEMENTS = '/api/v1/engagements'
const UPLOAD_LIMIT = 48 * 1024 * 1024
const MEBIBYTE = 1024 * 1024
const CANARY = 'canary-of-a-mailed-token'

/**
 * A proxy's own words are in the form of the API, too. Caddy has none left where no service is well and the one that it
 * asks all the same breaks off.
 */
const expectOwnForm = (name: ProxyName, { status, body, text }: ProxiedAnswer): void => {
  if (name === 'caddy' && text === '') return
  expect(body).toEqual({ error: { code: expect.any(String), message: expect.any(String), statusCode: status } })
}

/** True if the server itself made an answer: all of its answers have a request id. */
const isOurs = ({ headers }: ProxiedAnswer) => headers['x-request-id'] !== undefined

/** O5: guarantees behind each proxy of `deploy/`, with two services and the real proxy. */
export const describeProxy = (name: ProxyName): void => {
  const stage = createStage()
  afterAll(() => stage.close())

  describe(`O5: ${name} with the shipped configuration in front of two servers`, { timeout: 120_000 }, () => {
    let settings: ConnectionSettings
    let database: FaultProxy
    let servers: ServerProcess[]
    let proxy: RealProxy
    let key: ProxiedClient
    let owner: ProxiedClient
    let anonymous: ProxiedClient
    let env: Record<string, string>
    const clients: ProxiedClient[] = []
    const clientOf = (headers = {}, address?: string) => {
      const client = new ProxiedClient(proxy, headers, address)
      clients.push(client)
      return client
    }

    beforeAll(async () => {
      settings = await copyTemplate()
      database = await FaultProxy.start(databaseAddress(settings))
      stage.add(() => database.close())
      env = {
        DATABASE_URL: proxiedUrl(settings, database.port),
        FRONTEND_URL: `https://${SITE}`,
        TRUST_PROXY: '127.0.0.1',
        ADMIN_PASSWORD: ADMIN.password,
        STORAGE_PATH: path.join(stage.directory(), 'uploads'),
        UPLOAD_LIMIT_BYTES: String(UPLOAD_LIMIT),
        SHUTDOWN_DELAY_SECONDS: '3',
        LOG_LEVEL: 'debug',
      }
      const ports = [await freePort(), await freePort()]
      servers = await Promise.all(ports.map((port) => stage.server({ env, port })))
      await Promise.all(servers.map((server) => server.ready(READY_MS)))
      proxy = await startProxy(stage, name, ports)
      anonymous = clientOf()
      const signedIn = await anonymous.post('/api/auth/sign-in/email', ADMIN)
      expect(signedIn.status, signedIn.text).toBe(200)
      const cookie = [signedIn.headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0])
      expect(cookie.join()).toContain('__Host-sid')
      const organization = (await clientOf({ cookie }).get('/api/web/organizations')).body.data[0].id
      owner = clientOf({ cookie, 'x-organization': organization, origin: `https://${SITE}` })
      const made = await owner.post('/api/web/api-keys', {
        name: 'proxied',
        environment: 'live',
        scopes: ['organizations:read', 'organizations:write'],
      })
      expect(made.status, made.text).toBe(201)
      key = clientOf({ authorization: `Bearer ${made.body.data.value}` })
    }, READY_MS * 2)
    afterAll(() => {
      for (const client of clients) client.close()
    })

    test('serves pages and the API over TLS 1.2 and newer, in HTTP/1.1 and HTTP/2, and redirects plain HTTP there', async () => {
      const page = await anonymous.get('/sign-in', { headers: { accept: 'text/html' } })
      expect(page.status).toBe(200)
      expect(page.headers['strict-transport-security']).toBeDefined()
      expect(page.text).toContain('<html')
      expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
      expect(await overHttp2(proxy, '/api/auth/mode')).toBe(200)
      const redirect = await overPlainHttp(proxy, '/sign-in?next=%2Faccount')
      expect([301, 308]).toContain(redirect.status)
      expect(redirect.location).toMatch(new RegExp(`^https://${SITE}(?::${proxy.port})?/sign-in\\?next=%2Faccount$`))
      expect(await handshake(proxy, 'TLSv1.2')).toBe('TLSv1.2')
      await expect(handshake(proxy, 'TLSv1.1')).rejects.toThrow()
      // Metrics are only for the machine itself.
      expect((await anonymous.get('/metrics')).status).toBe(404)
    })

    test('a client is identified by its own address, whatever headers it sends', async () => {
      const client = clientOf({}, '127.0.0.3')
      const claims = {
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'x-forwarded-host': 'evil.example',
        'x-request-id': 'forged-by-the-client',
      }
      const answer = await client.get('/api/v1/organizations/current', { headers: claims })
      expect(answer.status).toBe(401)
      const line = await eventually(() => {
        const found = servers.flatMap(({ log }) => log).find(({ reqId }) => reqId === answer.headers['x-request-id'])
        expect(found).toBeDefined()
        return found
      })
      expect(line?.address).toBe('127.0.0.3')
      expect(answer.headers['x-request-id']).not.toBe('forged-by-the-client')
    })

    test('a large file passes in both directions; one over the limit and one without a session get the answer of the server', async () => {
      const { id } = (await owner.post('/api/web/engagements', { name: 'Files' })).body.data
      const files = `/api/web/engagements/${id}/files?fileName=large.bin`
      const bytes = Buffer.alloc(40 * MEBIBYTE, 'file ')
      const stored = await owner.request('POST', files, { bytes })
      expect(stored.status, stored.text).toBe(201)
      const read = await owner.get(`/api/web/engagements/${id}/files/${stored.body.data.id}`)
      expect([read.status, read.text.length]).toEqual([200, bytes.length])
      const refused = await owner.request('POST', files, { bytes: Buffer.alloc(UPLOAD_LIMIT + 1) })
      expect(refused.body).toEqual({
        error: { code: 'BAD_REQUEST', message: expect.stringContaining(String(UPLOAD_LIMIT)), statusCode: 400 },
      })
      expect(isOurs(refused)).toBe(true)
      const unknown = await anonymous.request('POST', files, { bytes, headers: { origin: `https://${SITE}` } })
      expect([unknown.status, isOurs(unknown)]).toEqual([401, true])
    })

    test('events arrive while their stream is open', async () => {
      const asked = owner.open('GET', '/api/web/events', { accept: 'text/event-stream' })
      let heard = ''
      asked.once('response', (response) => response.on('data', (chunk) => (heard += chunk)))
      asked.on('error', () => undefined)
      asked.end()
      await eventually(() => expect(heard).not.toBe(''))
      const { id } = (await owner.post('/api/web/engagements', { name: 'Heard of' })).body.data
      await eventually(() => expect(heard).toContain(id))
      asked.destroy()
    })

    test('a slow table: its requests get our 503, and no other request is affected', async () => {
      const blocker = new pg.Client(settings)
      await blocker.connect()
      await blocker.query('begin; lock table engagements in access exclusive mode')
      try {
        const slow = Array.from({ length: 12 }, () => key.get(ENGAGEMENTS))
        let isOver = false
        const all = Promise.all(slow).finally(() => (isOver = true))
        let others = 0
        while (!isOver || others === 0) {
          const [page, current] = await Promise.all([
            anonymous.get('/sign-in', { headers: { accept: 'text/html' } }),
            owner.get('/api/web/account'),
          ])
          expect([page.status, current.status], current.text).toEqual([200, 200])
          others++
          await sleep(25)
        }
        for (const answer of await all) {
          expect(answer.status).toBe(503)
          expect(isOurs(answer)).toBe(true)
          expect(answer.body.error.message).toMatch(/^Time-out: |wait for the database/)
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        }
        expect(slow.length).toBeGreaterThan(4)
      } finally {
        await blocker.end()
      }
      expect((await key.get(ENGAGEMENTS)).status).toBe(200)
    })

    test('a stopped database: the API answers our 503, pages are served, and service is normal once it is back', async () => {
      await database.set('cut')
      // By then proxies with health checks know.
      const unwell = (server: ServerProcess) =>
        server.log.filter(({ route, status }) => route === '/api/health' && status === 503).length
      const asksForHealth = name !== 'nginx'
      for (let asked = 0; asked < 10 || (asksForHealth && servers.some((server) => unwell(server) < 4)); asked++) {
        const [answer, page] = await Promise.all([
          key.get('/api/v1/organizations/current'),
          anonymous.get('/sign-in', { headers: { accept: 'text/html' } }),
        ])
        expect([answer.status, isOurs(answer)], answer.text).toEqual([503, true])
        expect(answer.body.error.message).toContain('database')
        expect(page.status, page.text).toBe(200)
      }
      const written = await key.post(ENGAGEMENTS, { name: 'Not stored' })
      expect([written.status, isOurs(written)], written.text).toEqual([503, true])
      await database.set('pass')
      await eventually(async () => expect((await key.get('/api/v1/organizations/current')).status).toBe(200))
    })

    test('a server that is killed and restarted fails no read, and repeats no write', async () => {
      const load = startLoad(() =>
        clientOf({ authorization: key.headers.authorization }, `127.0.0.${10 + clients.length}`),
      )
      const [victim, other] = servers as [ServerProcess, ServerProcess]
      const again = async ({ port, dataDir }: ServerProcess) => {
        const server = await stage.server({ env, port, dataDir })
        await server.ready(READY_MS)
        return server
      }
      await load.passes(20)
      await victim.kill()
      await load.passes(20)
      servers[0] = await again(victim)
      await load.passes(20)
      const untilKilled = load.writes.length
      // The other one stops in an orderly way.
      expect((await other.stop()).code).toBe(0)
      servers[1] = await again(other)
      await load.passes(20)
      const { reads, writes } = await load.end()
      const lost = reads
        .filter(({ status, tookMs }) => status !== 200 && tookMs < repeatsWithinMs(name))
        .map(({ status, text, tookMs }) => `${status} ${text} after ${tookMs} ms`)
      // What the proxy logged says where a lost read went.
      const logged = () =>
        proxy
          .logs()
          .split('\n')
          .filter((line) => line.includes('GET') && !line.includes(' 200 '))
      expect(lost, lost.length > 0 ? logged().join('\n') : '').toEqual([])
      const failed = writes.filter((write) => write.answer.status !== 201)
      // Where a process was killed, what was under way there: the system still accepts connections for it. A proxy that
      // does not ask for health also sends to a server that stops or starts: the server refuses, or the system resets
      // what it has not accepted.
      const killed = failed.filter(
        (write) => !(name === 'nginx' && isOurs(write.answer)) && writes.indexOf(write) < untilKilled,
      )
      expect(killed.length).toBeLessThanOrEqual(3 * WRITERS)
      for (const write of killed) {
        expect([502, 503]).toContain(write.answer.status)
        expectOwnForm(name, write.answer)
      }
      const late = failed.filter((write) => writes.indexOf(write) >= untilKilled)
      expect(late.filter(({ answer }) => name !== 'nginx' || answer.status !== 503)).toEqual([])
      const stored = await namesOf(key)
      const counts = Map.groupBy(stored, (each) => each)
      for (const { name: written, answer } of writes) {
        const count = counts.get(written)?.length ?? 0
        expect(count, written).toBeLessThanOrEqual(1)
        if (answer.status === 201) expect(count, written).toBe(1)
      }
      expect(writes.length - failed.length).toBeGreaterThan(20)
    })

    test('without a server the proxy answers in the form of the API; its logs contain no token of an address', async () => {
      expect(
        (await anonymous.get(`/reset-password?token=${CANARY}`, { headers: { accept: 'text/html' } })).status,
      ).toBe(200)
      await Promise.all(servers.map((server) => server.kill()))
      const [read, written, page] = await Promise.all([
        key.get('/api/v1/organizations/current'),
        key.post(ENGAGEMENTS, { name: 'No one is there' }),
        anonymous.get(`/sign-in/callback?code=${CANARY}`, { headers: { accept: 'text/html' } }),
      ])
      for (const answer of [read, written, page]) {
        expect([502, 503]).toContain(answer.status)
        expectOwnForm(name, answer)
      }
      expect(proxy.logs()).not.toContain(CANARY)
      if (name !== 'caddy') expect(proxy.logs()).toContain('/reset-password')
      await proxy.close()
      expect(proxy.logs()).not.toContain(CANARY)
    })
  })

  describe(`O5: requests that ${name} forwards`, () => {
    const [dying, endless] = ['/dies', '/upload']
    const requests: StubRequest[] = []
    let proxy: RealProxy
    let client: ProxiedClient
    let received = 0

    const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
      if (request.url?.startsWith(dying)) {
        // Once: a repeated request is answered.
        const isFirst = requests.filter(({ url }) => url === request.url).length === 1
        if (isFirst) request.socket.resetAndDestroy()
        else response.end('{}')
        return true
      }
      if (request.url !== endless) return false
      request.on('data', (chunk: Buffer) => (received += chunk.length))
      request.once('end', () => response.end('{}'))
      return true
    }

    beforeAll(async () => {
      proxy = await startProxy(stage, name, [
        await startStub(stage, requests, handle),
        await startStub(stage, requests, handle),
      ])
      client = new ProxiedClient(proxy)
      stage.add(() => client.close())
    })

    test('S28: the host is that of the client, never an address of the service; one address is forwarded', async () => {
      const { body } = await client.get('/echo', { headers: { 'x-forwarded-for': '203.0.113.9' } })
      expect(body.headers.host).toBe(SITE)
      expect(body.headers['x-forwarded-for']).toBe('127.0.0.1')
      // The server's maximum: cookies, and parameters of sign-ins.
      expect((await client.get('/echo', { headers: { 'x-long': 'x'.repeat(12_000) } })).status).toBe(200)
    })

    test('a body is forwarded while it arrives', async () => {
      const request = client.open('POST', endless, { 'content-length': 8 * MEBIBYTE })
      const answered = answerOf(request)
      request.write(Buffer.alloc(MEBIBYTE))
      await eventually(() => expect(received).toBeGreaterThan(0))
      request.end(Buffer.alloc(7 * MEBIBYTE))
      expect((await answered).status).toBe(200)
      expect(received).toBe(8 * MEBIBYTE)
    })

    test('a service that disconnects, in HTTP/2: POST is answered and never sent twice', async () => {
      for (const target of [`${dying}/first`, `${dying}/second`]) {
        expect([502, 503]).toContain(await overHttp2(proxy, target, 'POST'))
        expect(requests.filter(({ url }) => url === target)).toHaveLength(1)
      }
    })

    test('a service that disconnects: GET is sent to the other one, POST and PATCH are answered and never sent twice', async () => {
      const read = await client.get(`${dying}/read`)
      expect(read.status, read.text).toBe(200)
      for (const method of ['POST', 'PATCH']) {
        const target = `${dying}/${method}`
        const answer = await client.request(method, target, {
          bytes: Buffer.from('{"name":"once"}'),
          headers: { 'content-type': 'application/json' },
        })
        expect([502, 503]).toContain(answer.status)
        expectOwnForm(name, answer)
        expect(requests.filter(({ url }) => url === target)).toHaveLength(1)
      }
    })

    const head = `POST /outer HTTP/1.1\r\nHost: ${SITE}\r\n`
    const inner = `GET /smuggled HTTP/1.1\r\nHost: ${SITE}\r\n\r\n`
    const ambiguous: [what: string, bytes: string][] = [
      [
        'Content-Length and Transfer-Encoding',
        `${head}Content-Length: ${5 + inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      ],
      [
        'a space before the colon',
        `${head}Content-Length: ${5 + inner.length}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
      ],
      [
        'an unknown coding',
        `${head}Content-Length: ${5 + inner.length}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
      ],
      ['two lengths', `${head}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
      ['a length with a sign', `${head}Content-Length: +${inner.length}\r\n\r\n${inner}`],
    ]
    test.each(ambiguous)(
      'request smuggling, %s: 400, or one request that both sides read alike',
      async (_what, bytes) => {
        const before = requests.length
        const text = await sendRawTls(proxy, bytes)
        const [status] = text.match(/(?<=^HTTP\/1\.1 )\d{3}/) ?? []
        const passed = requests.slice(before)
        expect(passed.map(({ url }) => url).filter((url) => url !== '/outer' && url !== '/smuggled')).toEqual([])
        if (passed.length === 0) return expect(['400', '501']).toContain(status)
        // RFC 9112, section 6.3 allows one reading: chunked takes precedence, and the connection ends with the answer,
        // or all treat the rest as a separate request.
        expect(passed[0]).toMatchObject({ method: 'POST', url: '/outer', body: '' })
        expect(
          passed[0]?.headers['content-length'] === undefined || passed[0]?.headers['transfer-encoding'] === undefined,
        ).toBe(true)
        const answers = text.match(/^HTTP\/1\.1 \d{3}/gm) ?? []
        expect(answers).toHaveLength(passed.length)
      },
    )

    test.each(['127.0.0.1:22', `${SITE}:443`])('CONNECT to %s is refused and reaches no service', async (target) => {
      const text = await sendRawTls(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.[01] 4\d\d/)
      expect(requests.filter(({ method }) => method === 'CONNECT')).toEqual([])
    })

    test.skipIf(name === 'caddy')(
      'more requests of one address than a person makes: 429 in the form of the API; other addresses notice nothing',
      async () => {
        const [flooding, other] = [new ProxiedClient(proxy, {}, '127.0.0.9'), new ProxiedClient(proxy, {}, '127.0.0.8')]
        let refused: ProxiedAnswer | undefined
        for (let sent = 0; !refused && sent < 2_000; sent += 50) {
          const answers = await Promise.all(Array.from({ length: 50 }, () => flooding.get('/flood')))
          refused = answers.find(({ status }) => status !== 200)
        }
        expect(refused?.status).toBe(429)
        expectOwnForm(name, refused as ProxiedAnswer)
        expect(refused?.headers['retry-after']).toBe('2')
        expect((await other.get('/calm')).status).toBe(200)
        flooding.close()
        other.close()
      },
    )

    test('with one service only, without the line of the second, it serves as well', async () => {
      const single = new ProxiedClient(await startProxy(stage, name, [await startStub(stage, requests, handle)]))
      stage.add(() => single.close())
      expect((await single.get('/single')).status).toBe(200)
    })
  })

  test(`O5: ${name} has a longer timeout than the longest answer`, () => {
    const longest = Math.max(
      ...ENDPOINTS.map(
        ({ externalEffect, responseTimeout }) => (externalEffect?.seconds ?? 0) + (responseTimeout?.seconds ?? 0),
      ),
    )
    expect(longest).toBeGreaterThan(600)
    expect(readTimeoutSeconds(name)).toBeGreaterThan(longest + 60)
  })
}

/**
 * For how long a proxy sends a read that failed to the other service, in milliseconds. nginx has one limit for all
 * failures, short so that it does not repeat a slow 503: a read that a machine without time for it holds longer is lost.
 */
const repeatsWithinMs = (name: ProxyName): number => {
  if (name !== 'nginx') return Number.POSITIVE_INFINITY
  const seconds = /^\s*proxy_next_upstream_timeout (\d+)s;$/m.exec(readConfiguration(name))?.[1]
  return Number(seconds) * 1_000
}

/** A proxy's timeout for an answer, in seconds; Caddy has none by default. */
const readTimeoutSeconds = (name: ProxyName): number => {
  const text = readConfiguration(name)
  if (name === 'caddy') return /read_timeout|response_header_timeout/.test(text) ? 0 : Number.POSITIVE_INFINITY
  const minutes = /^\s*(?:proxy_read_timeout|timeout server) (\d+)m;?$/m.exec(text)?.[1]
  return Number(minutes) * 60
}
