import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { httpProxy, type Proxy, socksProxy } from '../../../support/network/proxies.ts'
import { type TlsSide, tlsSide, trustTestAuthority } from '../../../support/network/tls-side.ts'
import { type Receiver, startReceiver, startRawReceiver } from '../../../support/races/receiver.ts'

const NAME = 'target.example.com'
let app: TestApp
let key: TestClient
let owner: TestClient
let engagementId: string
let dns: DnsServer
let web: Receiver
let secure: TlsSide
let secret: Receiver
let proxies: Record<'http' | 'https' | 'socks5', Proxy>
type Refusing =
  | 'http'
  | 'unresolved'
  | 'socks5'
  | 'unreachable'
  | 'reset'
  | 'garbage'
  | 'silent'
  | 'untrusted'
  | 'gone'
  | 'unjudged'
let refusing: Record<Refusing, Proxy | Receiver>
/** Resets each connection as soon as it receives a byte. */
let resetting: Receiver
let distrust: () => void

beforeAll(async () => {
  distrust = trustTestAuthority()
  dns = await DnsServer.start()
  dns.addresses.set(NAME, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  dns.addresses.set('private.example.com', (type) => (type === 'A' ? ['127.0.0.1'] : []))
  web = await startReceiver(({ url }, response) => {
    if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
    else response.end('behind a proxy')
  }, '127.0.0.2')
  secure = await tlsSide('trusted', { h2: true })
  secret = await startReceiver((_request, response) => response.end('internal'))
  proxies = { http: await httpProxy(), https: await httpProxy({ tls: 'trusted' }), socks5: await socksProxy() }
  refusing = {
    http: await httpProxy({
      refuse: (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
    }),
    unresolved: await httpProxy({
      refuse: (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\nproxy-status: edge; error=dns_error\r\n\r\n'),
    }),
    socks5: await socksProxy({ refuse: 5 }),
    unreachable: await socksProxy({ refuse: 4 }),
    reset: await httpProxy({ refuse: (socket) => socket.destroy() }),
    garbage: await startRawReceiver((socket) => socket.end('this is not a proxy\r\n\r\n')),
    silent: await httpProxy({ refuse: () => undefined }),
    untrusted: await httpProxy({ tls: 'self-signed' }),
    gone: await httpProxy(),
    unjudged: await httpProxy(),
  }
  await refusing.gone.close()
  resetting = await startRawReceiver((socket) => socket.resetAndDestroy())
  const { unjudged: _, ...judged } = refusing
  const allowed = [secure, resetting, ...Object.values(proxies), ...Object.values(judged)].map(
    ({ port }) => `127.0.0.1:${port}`,
  )
  app = await testApp({
    workers: false,
    env: { EGRESS_ALLOW: [`127.0.0.2:${web.port}`, ...allowed].join(','), DNS_SERVERS: dns.address },
  })
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'targets:read'])
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  distrust()
  await app.close()
  for (const side of [web, secure, secret, resetting, ...Object.values(proxies), ...Object.values(refusing)])
    await side.close()
  await dns.stop()
})

/** Sends through the proxy of an environment. */
const run = async (proxy: string, url: string, options: object = {}) => {
  const environment = await key.post('/api/v1/environments', { engagementId, name: 'With a proxy', proxy })
  expect(environment.status, environment.text).toBe(201)
  const response = await key.post('/api/v1/api-requests/send', {
    engagementId,
    request: { url, options },
    environmentId: environment.body.data.id,
  })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

interface Logged {
  runId: string
  address: string
  sourceAddress: string | null
  port: number
  protocol: string
  note: string | null
}

/** The operation log's entry of a run: its destination, its source, and why it failed. */
const logged = async (runId: string) => {
  const { data } = (await key.get(`/api/v1/operations?engagementId=${engagementId}&perPage=100`)).body as {
    data: Logged[]
  }
  const rows = data.filter((row) => row.runId === runId)
  return rows
    .map(({ address, sourceAddress, port, protocol, note }) => ({ address, sourceAddress, port, protocol, note }))
    .toSorted((a, b) => a.port - b.port)
}

describe.each(['http', 'https', 'socks5'] as const)('a proxy that speaks %s', (protocol) => {
  test('is asked for the checked address, and the run names that address', async () => {
    const proxy = proxies[protocol]
    const made = await run(proxy.origin, `${web.origin}/a?b=1`)
    expect(made).toMatchObject({
      state: 'succeeded',
      reason: null,
      response: { status: 200, remoteAddress: '127.0.0.2' },
    })
    expect(made.hops).toEqual([{ url: `${web.origin}/a?b=1`, address: '127.0.0.2', status: 200 }])
    expect(proxy.asked.at(-1)).toBe(`127.0.0.2:${web.port}`)
    expect(web.received.at(-1)).toMatchObject({ url: '/a?b=1', headers: { host: `127.0.0.2:${web.port}` } })
  })

  test('receives neither the content nor the name of the TLS connection behind it', async () => {
    const proxy = proxies[protocol]
    const made = await run(proxy.origin, `https://${NAME}:${secure.port}/`)
    expect(made).toMatchObject({
      state: 'succeeded',
      reason: null,
      response: { status: 200, httpVersion: '2', tls: { issuer: 'Sortie test authority' } },
    })
    expect(proxy.asked.at(-1)).toBe(`127.0.0.1:${secure.port}`)
    expect(secure.serverNames.at(-1)).toBe(NAME)
    const ofAnother = await run(proxy.origin, `https://127.0.0.1:${refusing.untrusted.port}/`)
    expect(ofAnother).toMatchObject({ state: 'failed', reason: 'behind the proxy: the certificate is self-signed' })
  })

  test('X1: is not asked for addresses that the egress policy refuses, also after a redirect', async () => {
    const proxy = proxies[protocol]
    const [asked, connections] = [proxy.asked.length, proxy.connections]
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      'private.example.com',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '[64:ff9b::a9fe:a9fe]',
    ]) {
      const made = await run(proxy.origin, `http://${host}:${secret.port}/`)
      expect(made, host).toMatchObject({ state: 'refused', response: null })
    }
    expect([proxy.asked.length, proxy.connections]).toEqual([asked, connections])
    const redirected = await run(proxy.origin, `${web.origin}/to/${encodeURIComponent(`${secret.origin}/`)}`, {
      followRedirects: 'yes',
    })
    expect(redirected).toMatchObject({ state: 'refused', response: null })
    expect(redirected.hops.map(({ status }: { status: number | null }) => status)).toEqual([302, null])
    expect(proxy.asked.slice(asked)).toEqual([`127.0.0.2:${web.port}`])
    expect(secret.connections).toBe(0)
  })

  test('X1: is not connected to if the egress policy refuses the proxy itself', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]']) {
      const made = await run(`${protocol}://${host}:${refusing.unjudged.port}`, `${web.origin}/`)
      expect(made).toMatchObject({ state: 'refused', response: null })
      expect(made.reason).toContain('the egress policy refuses')
    }
    expect(refusing.unjudged.connections).toBe(0)
  })
})

const REFUSALS: [Refusing, reason: string, isAsked: boolean][] = [
  ['http', 'the proxy answered 407 Proxy Authentication Required', true],
  ['unresolved', 'the proxy answered 502 Bad Gateway (dns_error)', true],
  ['socks5', 'the proxy answered that the connection was refused', true],
  ['unreachable', 'the proxy answered that the host cannot be reached', true],
  [
    'reset',
    'the proxy did not open a connection: the server closed the connection before the response was complete',
    true,
  ],
  ['garbage', 'the proxy did not open a connection: the response is not valid HTTP', true],
  ['untrusted', 'the proxy could not be reached: the certificate is self-signed', false],
  ['gone', 'the proxy could not be reached: the connection was refused', false],
]

describe('a proxy that fails', () => {
  test.each(REFUSALS)(
    '(%s) makes a failed run; run and operation log have the reason and the connected address',
    async (kind, reason, isAsked) => {
      const before = web.connections
      const proxy = refusing[kind]
      const made = await run(proxy.origin, `${web.origin}/`)
      expect(made).toMatchObject({ state: 'failed', reason, response: null, hops: [{ address: null, status: null }] })
      expect(web.connections).toBe(before)
      const toProxy = {
        address: '127.0.0.1',
        sourceAddress: '127.0.0.1',
        port: proxy.port,
        protocol: new URL(proxy.origin).protocol.slice(0, -1),
      }
      const behind = { address: '127.0.0.2', sourceAddress: null, port: web.port, protocol: 'http' }
      const rows = [
        { ...toProxy, note: `the proxy for 127.0.0.2; ${reason}` },
        { ...behind, note: `through the proxy 127.0.0.1:${proxy.port}; ${reason}` },
      ]
      expect(await logged(made.id)).toEqual(rows.slice(0, isAsked ? 2 : 1).toSorted((a, b) => a.port - b.port))
    },
  )

  test('by silence is ended at the timeout of the request', async () => {
    const made = await run(refusing.silent.origin, `${web.origin}/`, { timeoutMs: 300 })
    const reason = 'it took longer than 300 ms: the proxy had opened no connection by then'
    expect(made).toMatchObject({ state: 'failed', reason, response: null })
    expect((await logged(made.id)).map(({ note }) => note).toSorted()).toEqual([
      `the proxy for 127.0.0.2; ${reason}`,
      `through the proxy 127.0.0.1:${refusing.silent.port}; ${reason}`,
    ])
  })

  test('because its name does not resolve is named, and nothing was sent', async () => {
    const made = await run('http://proxy.nowhere.example:3128', `${web.origin}/`)
    expect(made).toMatchObject({
      state: 'failed',
      reason: 'the proxy could not be reached: proxy.nowhere.example does not resolve to an address',
    })
    expect(await logged(made.id)).toEqual([])
  })
})

test.each(['http', 'socks5'] as const)(
  'a connection that is reset behind a proxy (%s) is distinguished from the proxy',
  async (protocol) => {
    const proxy = proxies[protocol]
    const made = await run(proxy.origin, `${resetting.origin}/`)
    const reason = 'behind the proxy: the connection was reset'
    expect(made).toMatchObject({
      state: 'failed',
      reason,
      response: null,
      hops: [{ address: '127.0.0.1', status: null }],
    })
    expect((await logged(made.id)).map(({ port, note }) => [port, note])).toEqual(
      [
        [proxy.port, `the proxy for 127.0.0.1; ${reason}`],
        [resetting.port, `through the proxy 127.0.0.1:${proxy.port}; ${reason}`],
      ].toSorted(([a], [b]) => Number(a) - Number(b)),
    )
  },
)

test('a response through a proxy is in the operation log with the proxy and its address', async () => {
  const made = await run(proxies.http.origin, `${web.origin}/logged`)
  const rows = await logged(made.id)
  expect(rows).toContainEqual({
    address: '127.0.0.1',
    sourceAddress: '127.0.0.1',
    port: proxies.http.port,
    protocol: 'http',
    note: 'the proxy for 127.0.0.2',
  })
  const note = `through the proxy 127.0.0.1:${proxies.http.port}`
  expect(rows).toContainEqual({ address: '127.0.0.2', sourceAddress: null, port: web.port, protocol: 'http', note })
  expect(rows).toHaveLength(2)
})

test('T15: the scope rules evaluate the address that a proxy is asked for', async () => {
  const within = (await owner.post('/api/web/engagements', { name: 'With rules' })).body.data.id
  expect(
    (await owner.post('/api/web/scope-rules', { engagementId: within, effect: 'deny', pattern: '127.0.0.2' })).status,
  ).toBe(201)
  const environment = (
    await key.post('/api/v1/environments', { engagementId: within, name: 'x', proxy: proxies.http.origin })
  ).body.data
  const asked = proxies.http.asked.length
  const body = { engagementId: within, request: { url: `${web.origin}/` }, environmentId: environment.id }
  expect((await key.post('/api/v1/api-requests/send', body)).body.data).toMatchObject({
    state: 'refused',
    response: null,
  })
  expect(proxies.http.asked).toHaveLength(asked)
})

test('T15: a rule for the port of a proxy refuses it; one for another port of its host does not', async () => {
  for (const [port, state] of [
    [proxies.http.port, 'refused'],
    [proxies.socks5.port, 'succeeded'],
  ] as const) {
    const within = (await owner.post('/api/web/engagements', { name: 'With rules' })).body.data.id
    const rule = { engagementId: within, effect: 'deny', pattern: `127.0.0.1:${port}` }
    expect((await owner.post('/api/web/scope-rules', rule)).status).toBe(201)
    const environment = (
      await key.post('/api/v1/environments', { engagementId: within, name: 'x', proxy: proxies.http.origin })
    ).body.data
    const asked = proxies.http.asked.length
    const body = { engagementId: within, request: { url: `${web.origin}/` }, environmentId: environment.id }
    expect((await key.post('/api/v1/api-requests/send', body)).body.data).toMatchObject({ state })
    expect(proxies.http.asked.length - asked).toBe(state === 'refused' ? 0 : 1)
  }
})
