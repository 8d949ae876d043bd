import net from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { httpProxy, type Proxy, socksProxy } from '../../../support/network/proxies.ts'
import { listening, type Receiver, startReceiver } from '../../../support/races/receiver.ts'

const SEND = '/api/v1/api-requests/send'
const OWN = /^the egress policy refuses (?:it|the proxy): a port of this server itself/
let app: TestApp
let key: TestClient
let engagementId: string
/** Listen where the server, its database and its front proxy listen, at all addresses, and count connections. */
let own: { server: Receiver; database: Receiver; front: Receiver }
let web: Receiver
let proxies: Proxy[]
let dns: DnsServer

const everywhere = () => listening(net.createServer(), [], 'http', '::')

beforeAll(async () => {
  own = { server: await everywhere(), database: await everywhere(), front: await everywhere() }
  web = await startReceiver(
    ({ url }, response) => void response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end(),
  )
  proxies = [await httpProxy(), await socksProxy()]
  dns = await DnsServer.start()
  for (const name of ['alias.example.com', 'localhost'])
    dns.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  for (const name of ['sortie.example.com', 'other.example.com'])
    dns.addresses.set(name, (type) => (type === 'A' ? ['127.0.0.2'] : []))
  app = await testApp({
    workers: false,
    env: {
      PORT: String(own.server.port),
      FRONTEND_URL: `https://sortie.example.com:${own.front.port}`,
      ALLOWED_HOSTS: 'other.example.com,127.0.0.1',
      SMTP_URL: `smtp://127.0.0.1:${own.database.port}`,
      EGRESS_ALLOW: '0.0.0.0/0,::/0',
      DNS_SERVERS: dns.address,
    },
  })
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'organizations:write'])
  engagementId = await engagementOf(key)
})
afterAll(async () => {
  await app.close()
  for (const side of [...Object.values(own), web, ...proxies]) await side.close()
  await dns.stop()
})

const engagementOf = async (client: TestClient): Promise<string> =>
  (await client.post('/api/v1/engagements', { name: 'Loops' })).body.data.id

const run = async (url: string, more: object = {}, options: object = {}) => {
  const response = await key.post(SEND, { engagementId, request: { url, options }, ...more })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const throughProxy = async (proxy: string) => {
  const { body } = await key.post('/api/v1/environments', { engagementId, name: 'With a proxy', proxy })
  return { environmentId: body.data.id as string }
}

/** Addresses of this machine, loopback included, and names that resolve to it. */
const ADDRESSES = [
  '127.9.8.7',
  '2130706433',
  '0x7f.1',
  '0.0.0.0',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
]
  .concat(['[2001:0:7f00:1::]', 'alias.example.com', 'localhost'])
  .concat(
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address.split('%')[0] as string)
      .map((address) => (net.isIPv6(address) ? `[${address}]` : address)),
  )
const ports = () => Object.values(own).map(({ port }) => port)

describe('X12: the server itself, though all addresses are allowed', () => {
  test('is refused at its own ports by every address of this machine, and by names that resolve to it', async () => {
    for (const host of ADDRESSES)
      for (const port of ports())
        expect(await run(`http://${host}:${port}/`), host).toMatchObject({
          state: 'refused',
          reason: expect.stringMatching(OWN),
        })
    expect(Object.values(own).map(({ connections }) => connections)).toEqual([0, 0, 0])
  })

  test('is refused by its names, wherever they resolve: at the port of FRONTEND_URL, at its own, and at the usual ones', async () => {
    for (const name of ['sortie.example.com', 'SORTIE.example.com.', 'other.example.com'])
      for (const port of [own.front.port, own.server.port, 80, 443])
        for (const scheme of ['http', 'https'])
          expect(await run(`${scheme}://${name}:${port}/`), `${name} ${port}`).toMatchObject({
            state: 'refused',
            reason: expect.stringMatching(OWN),
          })
    const elsewhere = await run(`http://sortie.example.com:${web.port}/`, {}, { timeoutMs: 1_000 })
    expect(elsewhere.state).toBe('failed')
  })

  test('is refused if a redirect leads to it', async () => {
    for (const host of ['127.0.0.1', '[::1]', 'alias.example.com', 'sortie.example.com'])
      for (const port of [own.server.port, own.front.port]) {
        const made = await run(
          `${web.origin}/${encodeURIComponent(`http://${host}:${port}/`)}`,
          {},
          { followRedirects: 'yes' },
        )
        expect(made).toMatchObject({ state: 'refused', reason: expect.stringMatching(OWN), response: null })
        expect(made.hops).toHaveLength(2)
      }
  })

  test('is refused through a proxy, and as one', async () => {
    for (const proxy of proxies) {
      const way = await throughProxy(proxy.origin)
      for (const host of ADDRESSES)
        for (const port of ports())
          expect(await run(`http://${host}:${port}/`, way), host).toMatchObject({ state: 'refused' })
      expect([proxy.asked, proxy.connections]).toEqual([[], 0])
    }
    for (const scheme of ['http', 'https', 'socks5'])
      for (const host of ['127.0.0.1', '[::1]', 'sortie.example.com']) {
        const made = await run(`${web.origin}/`, await throughProxy(`${scheme}://${host}:${own.server.port}`))
        expect(made).toMatchObject({ state: 'refused', reason: expect.stringMatching(OWN) })
      }
    expect(Object.values(own).map(({ connections }) => connections)).toEqual([0, 0, 0])
  })
})

describe('X12: a request that executes requests, by an address that the server cannot know', () => {
  let front: Receiver
  let looping: TestApp
  let caller: Awaited<ReturnType<TestApp['withKey']>>
  let inLoop: string

  beforeAll(async () => {
    const passOn = (client: net.Socket) => {
      const target = net.connect(Number(new URL(looping.origin).port), '127.0.0.1')
      client.pipe(target).pipe(client)
      target.on('error', () => client.destroy())
      client.on('error', () => target.destroy())
    }
    front = await listening(net.createServer(passOn), [], 'http', '127.0.0.9')
    looping = await testApp({
      workers: false,
      env: { PORT: String(await freePort()), EGRESS_ALLOW: `127.0.0.9:${front.port},127.0.0.1:${web.port}` },
    })
    caller = await looping.withKey(['api-requests:read', 'api-requests:write', 'organizations:write'])
    inLoop = await engagementOf(caller)
  })
  afterAll(async () => {
    await looping.close()
    await front.close()
  })

  const folder = async () =>
    (await caller.post('/api/v1/request-folders', { engagementId: inLoop, name: 'Loop' })).body.data.id as string
  const saved = async (url: string, text: string, fields: object = {}): Promise<string> => {
    const auth = { type: 'bearer', token: caller.value }
    const body = { mode: 'json', text }
    const response = await caller.post('/api/v1/api-requests', {
      engagementId: inLoop,
      name: 'Loop',
      method: 'POST',
      url: `${front.origin}/`,
      auth,
      body,
      ...fields,
    })
    expect(response.status, response.text).toBe(201)
    const { id } = response.body.data
    expect((await caller.patch(`/api/v1/api-requests/${id}`, { url: url.replaceAll('ID', id) })).status).toBe(200)
    return id
  }
  const runsOf = async (id: string) =>
    (await caller.get(`/api/v1/request-runs?requestId=${id}`)).body.data as { id: string; status: number }[]

  test('is executed once, and the request that it executes is refused with 422', async () => {
    const folderId = await folder()
    const unsaved = JSON.stringify({ engagementId: inLoop, request: { url: `${web.origin}/` } })
    for (const [path, text] of [
      ['/api/v1/api-requests/ID/execute', '{}'],
      ['/api/v1/%61pi-requests/ID/execut%65', '{}'],
      ['/api/v1/api-requests/send', unsaved],
      [`/api/v1/request-folders/${folderId}/execute`, '{}'],
    ] as const) {
      const id = await saved(`${front.origin}${path}`, text, { folderId })
      const run = (await caller.post(`/api/v1/api-requests/${id}/execute`, {})).body.data
      expect(run, path).toMatchObject({ state: 'succeeded', response: { status: 422 } })
      expect(run.request.headers).toContainEqual({ name: 'sortie-executed', value: '1' })
      const answer = await caller.get(`/api/v1/request-runs/${run.id}/body`)
      expect(answer.text).toContain('a request sent by Sortie cannot send another')
      expect(await runsOf(id)).toHaveLength(1)
    }
  })

  test('is marked if a redirect leads to an endpoint that executes requests', async () => {
    const options = { followRedirects: 'yes', maxRedirects: 1 }
    await caller.post(SEND, {
      engagementId: inLoop,
      request: { url: `${web.origin}/${encodeURIComponent('%2Fapi-requests%2Fsend')}`, options },
    })
    expect(web.received.slice(-2).map(({ headers }) => headers['sortie-executed'])).toEqual([undefined, '1'])
  })

  test('to any other endpoint is not marked', async () => {
    await caller.post(SEND, { engagementId: inLoop, request: { url: `${web.origin}/api-requests` } })
    expect(web.received.at(-1)?.headers).not.toHaveProperty('sortie-executed')
  })
})
