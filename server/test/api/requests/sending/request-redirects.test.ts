import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver
let other: Receiver
let dns: DnsServer

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    const [, kind = '', status = '', target = ''] = url.split('?', 1)[0]?.split('/') ?? []
    const move = () => response.writeHead(Number(status), { location: decodeURIComponent(target) }).end('moved')
    if (kind === 'to') move()
    else if (kind === 'late') setTimeout(move, 250)
    else response.end('here')
  })
  other = await startReceiver(({ url }, response) => {
    if (url === '/back') response.writeHead(302, { location: `${web.origin}/here` })
    response.end('other')
  })
  dns = await DnsServer.start()
  dns.addresses.set('target.example.com', (type) => (type === 'A' ? ['127.0.0.1'] : []))
  app = await testApp({
    workers: false,
    env: { EGRESS_ALLOW: `127.0.0.1:${web.port},127.0.0.1:${other.port}`, DNS_SERVERS: dns.address },
  })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await Promise.all([web, other].map((side) => side.close()))
  await dns.stop()
})

const to = (status: number, target: string, kind = 'to') =>
  `${web.origin}/${kind}/${status}/${encodeURIComponent(target)}`
const run = async (request: object, options: object) => {
  const response = await key.post('/api/v1/api-requests/send', { engagementId, request: { ...request, options } })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [301, 'PUT', 'PUT'],
  [302, 'DELETE', 'DELETE'],
  [303, 'HEAD', 'HEAD'],
  [307, 'POST', 'POST'],
  [308, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
])('a %i after %s is followed with %s, and with the body if the method stays', async (status, method, followed) => {
  const hasBody = method !== 'HEAD'
  const made = await run(
    { method, url: to(status, '/here'), ...(hasBody && { body: { mode: 'json', text: '{"a":1}' } }) },
    { followRedirects: 'same-host' },
  )
  expect(made).toMatchObject({ state: 'succeeded', status: 200 })
  const received = web.received.at(-1)
  const keepsBody = hasBody && followed === method
  expect(received).toMatchObject({ method: followed, url: '/here', body: keepsBody ? '{"a":1}' : '' })
  expect(received?.headers['content-type']).toBe(keepsBody ? 'application/json' : undefined)
})

test.each([300, 304, 305, 306])('a %i is not followed', async (status) => {
  const made = await run({ url: to(status, `${other.origin}/`) }, { followRedirects: 'yes' })
  expect(made).toMatchObject({ state: 'succeeded', status, hops: [{ status }] })
})

test('"same-host" follows to another port of the name, without credentials, and to no other name', async () => {
  const headers = [{ name: 'Authorization', value: 'v', enabled: true }]
  const there = await run({ url: to(302, `${other.origin}/port`), headers }, { followRedirects: 'same-host' })
  expect(there).toMatchObject({ state: 'succeeded', status: 200 })
  expect(other.received.at(-1)?.headers).not.toHaveProperty('authorization')
  const name = `http://target.example.com:${web.port}/here`
  const before = web.received.length
  const left = await run({ url: to(302, name), headers }, { followRedirects: 'same-host' })
  expect(left).toMatchObject({ state: 'succeeded', status: 302, hops: [{ status: 302 }] })
  expect(web.received).toHaveLength(before + 1)
  expect(await run({ url: to(302, name), headers }, { followRedirects: 'yes' })).toMatchObject({
    state: 'succeeded',
    status: 200,
  })
})

test.each([
  { type: 'basic', username: 'ada', password: 'secret-1' },
  { type: 'bearer', token: 'secret-1' },
  { type: 'header', name: 'X-Key', value: 'secret-1' },
  { type: 'query', name: 'key', value: 'secret-1' },
])('X3: auth of the type $type is sent to no other origin, and to the same one again', async (auth) => {
  const isSecret = (sent: unknown) => /secret-1|YWRhOnNlY3JldC0x/.test(JSON.stringify(sent))
  await run({ url: to(307, `${other.origin}/elsewhere`), auth }, { followRedirects: 'yes' })
  expect(other.received.at(-1)?.url).toBe('/elsewhere')
  expect(isSecret(other.received.at(-1))).toBe(false)
  await run({ url: to(307, '/here'), auth }, { followRedirects: 'yes' })
  expect(web.received.at(-1)?.url).toMatch(/^\/here/)
  // A query is part of the previous address.
  expect(isSecret(web.received.at(-1))).toBe(auth.type !== 'query')
})

test('X3: once the origin has changed, credentials do not come back on the way', async () => {
  const headers = [{ name: 'Cookie', value: 'c', enabled: true }]
  const made = await run({ url: to(302, `${other.origin}/back`), headers }, { followRedirects: 'yes' })
  expect(made.hops.map(({ status }: { status: number }) => status)).toEqual([302, 302, 200])
  expect(web.received.at(-1)?.url).toBe('/here')
  for (const side of [web, other]) expect(side.received.at(-1)?.headers).not.toHaveProperty('cookie')
})

test.each([
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'ws://127.0.0.1/',
  'data:text/plain,x',
  'javascript:x',
])('X5: a redirect to %s is refused, with the hop named', async (target) => {
  const made = await run({ url: to(302, target) }, { followRedirects: 'yes' })
  expect(made).toMatchObject({
    state: 'refused',
    response: null,
    reason: expect.stringContaining('only http and https are followed'),
  })
  expect(made.hops).toEqual([expect.objectContaining({ status: 302 }), { url: target, address: null, status: null }])
})

test('userinfo and fragment of a redirect are not sent', async () => {
  await run({ url: to(302, `http://user:pass@127.0.0.1:${web.port}/here#part`) }, { followRedirects: 'yes' })
  expect(web.received.at(-1)).toMatchObject({ url: '/here' })
  expect(web.received.at(-1)?.headers).not.toHaveProperty('authorization')
})

test('the time of a request is that of all its hops together', async () => {
  const url = to(302, to(302, to(302, to(302, '/here', 'late'), 'late'), 'late'), 'late')
  const made = await run({ url }, { followRedirects: 'yes', timeoutMs: 600 })
  expect(made).toMatchObject({ state: 'failed', reason: 'it took longer than 600 ms', response: null })
  expect(made.hops.length).toBeGreaterThan(1)
})

test('a rule for a port refuses requests and redirects to it, and a Host header that names it at the port of the connection', async () => {
  const owner = await app.signedIn('owner')
  const within: string = (await owner.post('/api/web/engagements', { name: 'Ports' })).body.data.id
  const rules = [
    ['allow', '127.0.0.1'],
    ['deny', `127.0.0.1:${other.port}`],
    ['allow', 'vhost.example:443'],
    ['allow', `named.example:${web.port}/tcp`],
    ['allow', 'named.example:80'],
  ]
  for (const [effect, pattern] of rules)
    expect((await owner.post('/api/web/scope-rules', { engagementId: within, effect, pattern })).status).toBe(201)
  const send = async (url: string, host?: string) => {
    const headers = host === undefined ? [] : [{ name: 'Host', value: host, enabled: true }]
    const options = { followRedirects: 'yes' }
    const body = { engagementId: within, request: { url, headers, options } }
    return (await key.post('/api/v1/api-requests/send', body)).body.data
  }
  const before = other.received.length
  const denied = `denied by 127.0.0.1:${other.port}`
  expect(await send(other.origin)).toMatchObject({ state: 'refused', reason: expect.stringContaining(denied) })
  const redirected = await send(to(302, `${other.origin}/x`))
  expect(redirected).toMatchObject({ state: 'refused', reason: expect.stringContaining(denied) })
  expect(await send(`${web.origin}/here`)).toMatchObject({ state: 'succeeded' })
  expect(other.received.length).toBe(before)

  const count = web.received.length
  for (const host of ['vhost.example', 'vhost.example:443', `vhost.example:${web.port}`, 'named.example:8080'])
    expect(await send(`${web.origin}/here`, host), host).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('the scope rules refuse the Host header'),
    })
  expect(web.received.length).toBe(count)
  for (const host of ['named.example', `named.example:${web.port}`])
    expect(await send(`${web.origin}/here`, host), host).toMatchObject({ state: 'succeeded' })
})
