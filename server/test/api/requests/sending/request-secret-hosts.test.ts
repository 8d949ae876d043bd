import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

const SECRET = 'a-secret-for-one-host'
const KEPT =
  'hosts: stored secrets belong to the hosts that they were stored for. Enter them again to send them to others.'

let app: TestApp
let key: TestClient
let side: Receiver
let dns: DnsServer
let engagementId: string

beforeAll(async () => {
  side = await startReceiver(({ url }, response) => {
    if (url.startsWith('/to/')) response.writeHead(307, { location: decodeURIComponent(url.slice(4)) }).end()
    else response.end('fine')
  })
  dns = await DnsServer.start()
  dns.others = ['127.0.0.1']
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${side.port}`, DNS_SERVERS: dns.address } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await Promise.all([side.close(), dns.stop()])
})

const create = async (path: string, fields: object) => {
  const { status, body, text } = await key.post(`/api/v1/${path}`, { engagementId, name: 'Staging', ...fields })
  expect(status, text).toBe(201)
  return body.data as { id: string; hosts: string[] | null }
}
const at = (host: string, path = '/') => `http://${host}:${side.port}${path}`
const headersSent = () => side.received.map(({ headers }) => headers['x-token'] ?? headers.authorization)

/** One of each kind of holder, and a request that uses its secret. */
const HOLDERS = [
  {
    path: 'environments',
    fields: { variables: [{ name: 'token', value: SECRET, secret: true }] },
    typed: { variables: [{ name: 'token', value: 'typed-again', secret: true }] },
    kept: { variables: [{ name: 'token', value: null, secret: true }] },
    sending: async (id: string, url: string, options: object = {}) =>
      key.post('/api/v1/api-requests/send', {
        engagementId,
        environmentId: id,
        request: { url, options, headers: [{ name: 'x-token', value: '{{token}}', enabled: true }] },
      }),
    of: 'the environment Staging',
  },
  {
    path: 'request-folders',
    fields: { auth: { type: 'bearer', token: SECRET } },
    typed: { auth: { type: 'bearer', token: 'typed-again' } },
    kept: { auth: { type: 'bearer', token: null } },
    sending: async (id: string, url: string, options: object = {}) => {
      const request = await create('api-requests', { folderId: id, url, options, auth: { type: 'inherit' } })
      return key.post(`/api/v1/api-requests/${request.id}/execute`, {})
    },
    of: 'the folder Staging',
  },
]

describe.each(HOLDERS)('X10: a secret of $path', ({ path, fields, typed, kept, sending, of }) => {
  test('is sent only to its hosts, regardless of who writes the request', async () => {
    const { id, hosts } = await create(path, {
      ...fields,
      hosts: ['API.example.com', '*.Test.example.com', 'api.example.com'],
    })
    expect(hosts).toEqual(['api.example.com', '*.test.example.com'])
    for (const host of ['api.example.com', 'a.test.example.com', 'API.EXAMPLE.COM.']) {
      const { status, body } = await sending(id, at(host))
      expect([status, body.data.state, body.data.reason]).toEqual([201, 'succeeded', null])
    }
    const before = side.received.length
    for (const host of [
      'evil.example.com',
      'test.example.com',
      'api.example.com.evil.example',
      '127.0.0.1',
      'xapi.example.com',
    ]) {
      const { status, body } = await sending(id, at(host))
      expect([status, body.error.message]).toEqual([
        422,
        `url: must lead to api.example.com or *.test.example.com, since secrets of ${of} are sent only there`,
      ])
    }
    expect(side.received.length).toBe(before)
  })

  test('does not follow a redirect to another host', async () => {
    const { id } = await create(path, { ...fields, hosts: ['api.example.com'] })
    const before = side.received.length
    const { status, body } = await sending(
      id,
      at('api.example.com', `/to/${encodeURIComponent(at('evil.example.com'))}`),
      { followRedirects: 'yes' },
    )
    expect([status, body.data.state, body.data.reason]).toEqual([
      201,
      'refused',
      `secrets of ${of} are sent only to api.example.com, not to evil.example.com`,
    ])
    expect(side.received.length).toBe(before + 1)
  })

  test('gets more hosts only once it is entered again', async () => {
    const { id } = await create(path, { ...fields, hosts: ['*.example.com'] })
    const change = async (body: object) => key.patch(`/api/v1/${path}/${id}`, body)
    for (const body of [{ hosts: null }, { hosts: ['*.example.com', 'evil.test'] }, { hosts: null, ...kept }]) {
      const refused = await change(body)
      expect([refused.status, refused.body.error.message]).toEqual([422, KEPT])
    }
    expect((await change({ hosts: ['api.example.com'] })).body.data.hosts).toEqual(['api.example.com'])
    expect((await change({ hosts: ['*.example.com'] })).status, 'further than before').toBe(422)
    expect((await change({ hosts: null, ...typed })).body.data.hosts).toBeNull()
    expect((await sending(id, at('evil.example.com'))).body.data.state).toBe('succeeded')
    expect(headersSent().at(-1)).toContain('typed-again')
  })

  test('needs valid hosts', async () => {
    const wrong = [
      'http://a.example',
      'a.example:80',
      'a/b',
      'a b',
      '*',
      '*.*',
      '*.127.0.0.1',
      'a@b',
      'a%2eb',
      '[::1',
      '*.',
      'a?b',
      'a\\b',
    ]
    for (const host of wrong) {
      const { status, body } = await key.post(`/api/v1/${path}`, {
        engagementId,
        name: 'Wrong',
        hosts: ['ok.example', host],
      })
      expect([status, body.error.message], host).toEqual([
        422,
        'hosts.1: must be a host name, an address, or *. before a name, without scheme, port and path',
      ])
    }
    expect((await key.post(`/api/v1/${path}`, { engagementId, name: 'Wrong', hosts: [] })).status, 'none').toBe(422)
    const { hosts } = await create(path, { hosts: ['bücher.example.', '::1', '[::2]', '127.1', '0x7f.0.0.1'] })
    expect(hosts).toEqual(['xn--bcher-kva.example', '[::1]', '[::2]', '127.0.0.1'])
  })
})

test('X10: an unused secret binds a request to no host; an overriding value is not a secret', async () => {
  const { id } = await create('environments', {
    variables: [{ name: 'token', value: SECRET, secret: true }],
    hosts: ['api.example.com'],
  })
  const send = (request: object, more: object = {}) =>
    key.post('/api/v1/api-requests/send', { engagementId, environmentId: id, request, ...more })
  expect((await send({ url: at('other.example.com') })).body.data.state).toBe('succeeded')
  const headers = [{ name: 'x-token', value: '{{token}}', enabled: true }]
  expect(
    (await send({ url: at('other.example.com'), headers }, { variables: { token: 'mine' } })).body.data.state,
  ).toBe('succeeded')
  expect(headersSent().at(-1)).toBe('mine')
})

test('X10: a refusal does not reveal a secret that is in the name of the host', async () => {
  const { id } = await create('environments', {
    variables: [{ name: 'token', value: 'Canary-In-A-Name', secret: true }],
    hosts: ['api.example.com'],
  })
  const request = { url: at('{{token}}.evil.example') }
  const { status, body, text } = await key.post('/api/v1/api-requests/send', {
    engagementId,
    environmentId: id,
    request,
  })
  expect([status, body.error.message]).toEqual([
    422,
    'url: must lead to api.example.com, since secrets of the environment Staging are sent only there',
  ])
  expect(text.toLowerCase()).not.toContain('canary')
})

test('X10: a proxy is a host as well', async () => {
  const fields = {
    variables: [{ name: 'token', value: SECRET, secret: true }],
    proxy: `http://127.0.0.1:${side.port}`,
    hosts: ['api.example.com'],
  }
  const { id } = await create('environments', fields)
  const headers = [{ name: 'x-token', value: '{{token}}', enabled: true }]
  const { status, body } = await key.post('/api/v1/api-requests/send', {
    engagementId,
    environmentId: id,
    request: { url: at('api.example.com'), headers },
  })
  expect([status, body.error.message]).toEqual([
    422,
    'environmentId: has a proxy that secrets of the environment Staging are not sent to',
  ])
})
