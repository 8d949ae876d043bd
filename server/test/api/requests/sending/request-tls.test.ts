import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type Listener, listenWith } from '../../../support/clients/listeners.ts'
import { finiteFieldsIn, listenForHellos } from '../../../support/network/client-hello.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { certificate, type TlsSide, tlsSide, trustTestAuthority } from '../../../support/network/tls-side.ts'

let app: TestApp
let key: TestClient
let engagementId: string
let dns: DnsServer
let trusted: TlsSide
let expired: TlsSide
let selfSigned: TlsSide
let h2: TlsSide
let sixth: TlsSide
let hostile: Awaited<ReturnType<typeof listenForHellos>>
let renegotiating: Listener
/** Outcomes of the renegotiations that a server asked for. */
const renegotiations: string[] = []
let distrust: () => void

beforeAll(async () => {
  distrust = trustTestAuthority()
  dns = await DnsServer.start()
  for (const name of ['target.example.com', 'other.example.com'])
    dns.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  trusted = await tlsSide('trusted')
  expired = await tlsSide('expired')
  selfSigned = await tlsSide('self-signed')
  h2 = await tlsSide('trusted', { h2: true })
  sixth = await tlsSide('trusted', { host: '::1' })
  hostile = await listenForHellos()
  renegotiating = await listenWith(
    createTlsServer({ ...certificate('self-signed'), maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => renegotiations.push(String(code)))
      socket.once('data', () => {
        socket.renegotiate({ rejectUnauthorized: false }, (error) =>
          renegotiations.push(error ? error.message : 'done'),
        )
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine')
      })
    }),
  )
  const allowed = [
    ...[trusted, expired, selfSigned, h2, hostile.listener, renegotiating].map(({ port }) => `127.0.0.1:${port}`),
    `[::1]:${sixth.port}`,
  ]
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: allowed.join(','), DNS_SERVERS: dns.address } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  distrust()
  await app.close()
  await Promise.all([trusted, expired, selfSigned, h2, sixth].map((side) => side.close()))
  await dns.stop()
  await hostile.listener.stop()
  await renegotiating.stop()
})

const run = async (url: string, options: object = {}, more: object = {}) => {
  const response = await key.post('/api/v1/api-requests/send', { engagementId, request: { url, options, ...more } })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const named = (side: TlsSide, name = 'target.example.com') => `https://${name}:${side.port}/`
const headerOf = (made: { response: { headers: { name: string; value: string }[] } }, wanted: string) =>
  made.response.headers.find(({ name }) => name.toLowerCase() === wanted)?.value

describe('X14: a certificate', () => {
  test('of a trusted authority is verified for the name, and the run shows the negotiated parameters', async () => {
    const made = await run(named(trusted))
    expect(made).toMatchObject({
      state: 'succeeded',
      reason: null,
      response: { status: 200, httpVersion: '1.1', remoteAddress: '127.0.0.1' },
    })
    expect(made.response.tls).toEqual({
      version: 'TLSv1.3',
      cipher: expect.stringMatching(/^TLS_/),
      issuer: 'Sortie test authority',
      notAfter: '2126-01-01T00:00:00.000Z',
      problem: null,
    })
    expect(made.timing.tls).toEqual(expect.any(Number))
    expect(trusted.serverNames.at(-1)).toBe('target.example.com')
  })

  test.each([
    [
      'self-signed',
      () => selfSigned.origin,
      'the certificate is self-signed',
      'shop.contoso.example',
      '2126-10-30T09:09:32.000Z',
    ],
    [
      'expired',
      () => named(expired),
      'the certificate has expired',
      'Sortie test authority',
      '2021-01-01T00:00:00.000Z',
    ],
    [
      'of another name',
      () => named(trusted, 'other.example.com'),
      'the certificate is for another name',
      'Sortie test authority',
      '2126-01-01T00:00:00.000Z',
    ],
  ])(
    'that is %s makes the run fail, unless verification is switched off; the result says so then',
    async (_kind, url, reason, issuer, notAfter) => {
      expect(await run(url())).toMatchObject({ state: 'failed', reason, response: null, hops: [{ status: null }] })
      const made = await run(url(), { verifyTls: false })
      expect(made).toMatchObject({
        state: 'succeeded',
        response: { status: 200, tls: { version: 'TLSv1.3', issuer, notAfter, problem: reason } },
      })
      expect((await run(named(trusted), { verifyTls: false })).response.tls.problem).toBeNull()
    },
  )

  test('of an address is verified for that address, of IPv6 too, and SNI has only host names', async () => {
    for (const side of [trusted, sixth]) {
      const made = await run(`${side.origin}/`)
      expect(made).toMatchObject({ state: 'succeeded', reason: null })
      expect(side.serverNames.at(-1)).toBe(false)
    }
  })

  test('is verified for the connected host, whatever the Host header is', async () => {
    const headers = [{ name: 'Host', value: 'vhost.example', enabled: true }]
    for (const url of [named(trusted), `${trusted.origin}/`]) {
      const made = await run(url, {}, { headers })
      expect(made).toMatchObject({ state: 'succeeded', reason: null })
      expect(headerOf(made, 'x-asked')).toBe('1.1 vhost.example')
    }
    expect(trusted.serverNames.slice(-2)).toEqual(['target.example.com', false])
  })
})

describe('HTTP/2', () => {
  test('is used if it is offered', async () => {
    const made = await run(
      named(h2),
      {},
      {
        method: 'POST',
        body: { mode: 'raw', text: 'a body' },
        headers: [{ name: 'X-One', value: '1', enabled: true }],
      },
    )
    expect(made).toMatchObject({
      state: 'succeeded',
      reason: null,
      response: { status: 200, statusText: '', httpVersion: '2', size: 8 },
    })
    expect(headerOf(made, 'x-asked')).toBe(`2.0 target.example.com:${h2.port}`)
    expect(
      (
        await run(
          named(h2),
          { httpVersion: 'auto' },
          { headers: [{ name: 'Host', value: 'vhost.example', enabled: true }] },
        )
      ).response.httpVersion,
    ).toBe('2')
  })

  test('is not used if it is not offered, or if the request sets 1.1', async () => {
    expect((await run(named(trusted))).response.httpVersion).toBe('1.1')
    const made = await run(named(h2), { httpVersion: '1.1' })
    expect(made.response.httpVersion).toBe('1.1')
    expect(headerOf(made, 'x-asked')).toBe(`1.1 target.example.com:${h2.port}`)
  })
})

describe('T5: the cost that a server can cause in a handshake', () => {
  test('is limited: Diffie-Hellman over finite fields is not offered, with or without verification of certificates', async () => {
    for (const verifyTls of [true, false]) {
      const before = hostile.hellos.length
      expect(await run(`https://127.0.0.1:${hostile.listener.port}/`, { verifyTls })).toMatchObject({ state: 'failed' })
      expect(hostile.hellos.length).toBeGreaterThan(before)
    }
    for (const hello of hostile.hellos) expect(finiteFieldsIn(hello)).toEqual([])
  })

  test('is paid once: another handshake on an open connection is refused, and the response is read', async () => {
    const made = await run(`https://127.0.0.1:${renegotiating.port}/`, { verifyTls: false })
    expect(made).toMatchObject({ state: 'succeeded', response: { status: 200 } })
    await eventually(() => expect(renegotiations).toEqual(['ERR_SSL_NO_RENEGOTIATION']))
  })
})
