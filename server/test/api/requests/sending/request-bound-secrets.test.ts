import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../../support/app/test-client.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'
import { httpProxy, type Proxy, socksProxy } from '../../../support/network/proxies.ts'
import { type Receiver, startReceiver, type Received } from '../../../support/races/receiver.ts'

const SECRET = 'a-secret-of-ada'

let app: TestApp
/** Enters the secret. */
let ada: TestClient
/** May execute, but not read secrets. */
let bob: TestClient
let engagementId: string
let home: Receiver
let other: Receiver
let dns: DnsServer
let proxies: Proxy[]

beforeAll(async () => {
  const answer = ({ url }: Received, response: Parameters<Parameters<typeof startReceiver>[0]>[1]) => {
    const [, kind, status, target = ''] = url.split('?', 1)[0]?.split('/') ?? []
    if (kind === 'to') response.writeHead(Number(status), { location: decodeURIComponent(target) }).end()
    else response.end(JSON.stringify({ session: 'a-captured-session' }))
  }
  home = await startReceiver(answer)
  other = await startReceiver(answer)
  proxies = [await httpProxy(), await socksProxy()]
  dns = await DnsServer.start()
  dns.others = ['127.0.0.1']
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: '127.0.0.0/8', DNS_SERVERS: dns.address } })
  ;[ada, bob] = await Promise.all([app.signedIn('member'), app.signedIn('member')])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  for (const side of [home, other, ...proxies]) await side.close()
  await dns.stop()
})

const create = async (client: TestClient, path: string, fields: object): Promise<string> => {
  const { status, body, text } = await client.post(`/api/web/${path}`, { engagementId, name: 'Staging', ...fields })
  expect(status, text).toBe(201)
  return body.data.id
}
const at = (host: string, path = '/', { port } = home) => `http://${host}:${port}${path}`
const OPTIONS = { followRedirects: 'yes' }
/** Saved by Ada with a token that she entered. */
const saved = (fields: object = {}) =>
  create(ada, 'api-requests', {
    url: at('api.example.com'),
    auth: { type: 'bearer', token: SECRET },
    options: OPTIONS,
    ...fields,
  })
const execute = (id: string, body: object = {}) => bob.post(`/api/web/api-requests/${id}/execute`, body)
const messageOf = ({ status, body }: TestResponse): [number, string] => [status, body.error?.message]
const wasTold = (side: Receiver) => side.received.some((received) => JSON.stringify(received).includes(SECRET))

describe('T9: a stored secret of a request', () => {
  test('is sent to the host of its request, regardless of who executes it', async () => {
    const { body } = await execute(await saved())
    expect(body.data.state).toBe('succeeded')
    expect(home.received.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`)
  })

  test('is not sent through a proxy that another user names, also without TLS verification', async () => {
    const before = proxies.map(({ connections }) => connections)
    const id = await saved({ options: { verifyTls: false } })
    for (const { origin } of [...proxies, { origin: `https://127.0.0.1:${proxies[0]?.port}` }]) {
      const environmentId = await create(bob, 'environments', { proxy: origin })
      const refusal = [422, 'environmentId: has a proxy that secrets of this request are not sent to']
      expect(messageOf(await execute(id, { environmentId }))).toEqual(refusal)
      const request = { url: at('api.example.com'), auth: { type: 'bearer', token: null } }
      expect(
        messageOf(
          await bob.post('/api/web/api-requests/send', { engagementId, requestId: id, request, environmentId }),
        ),
      ).toEqual(refusal)
      const typed = { ...request, auth: { type: 'bearer', token: 'typed by Bob' } }
      expect([201, 'failed', 'succeeded']).toContain(
        (await bob.post('/api/web/api-requests/send', { engagementId, requestId: id, request: typed, environmentId }))
          .status,
      )
    }
    expect(
      proxies.map(({ connections }) => connections).every((count, index) => count > (before[index] as number)),
    ).toBe(true)
    expect(wasTold(other)).toBe(false)
  })

  test('is not sent with a different Host, whether a header or a variable sets it', async () => {
    const refusal = [422, 'headers: Host must be api.example.com, since secrets of this request are sent only there']
    const id = await saved()
    const header = (value: string) => [{ name: 'Host', value, enabled: true }]
    const send = (value: string, more: object = {}) =>
      bob.post('/api/web/api-requests/send', {
        engagementId,
        requestId: id,
        request: { url: at('api.example.com'), auth: { type: 'bearer', token: null }, headers: header(value) },
        ...more,
      })
    for (const host of [
      'evil.example',
      'evil.example:80',
      'api.example.com@evil.example',
      'api.example.com/evil.example',
      ' evil.example',
      'api.example.com.evil.example',
    ]) {
      expect(messageOf(await send(host)), host).toEqual(refusal)
    }
    expect(messageOf(await send('{{host}}', { variables: { host: 'evil.example' } }))).toEqual(refusal)
    expect((await send('API.example.com:8080')).body.data.state).toBe('succeeded')
  })

  test('of an environment is not sent with a Host outside of its hosts', async () => {
    const variables = [{ name: 'token', value: SECRET, secret: true }]
    const environmentId = await create(ada, 'environments', { variables, hosts: ['api.example.com'] })
    const headers = [
      { name: 'X-Token', value: '{{token}}', enabled: true },
      { name: 'Host', value: 'evil.example', enabled: true },
    ]
    const response = await bob.post('/api/web/api-requests/send', {
      engagementId,
      environmentId,
      request: { url: at('api.example.com'), headers },
    })
    expect(messageOf(response)).toEqual([
      422,
      'headers: Host must be api.example.com, since secrets of the environment Staging are sent only there',
    ])
  })

  test('follows no redirect to another host', async () => {
    const id = await saved({
      url: at('api.example.com', `/to/302/${encodeURIComponent(at('evil.example', '/', other))}`),
    })
    const before = other.connections
    expect((await execute(id)).body.data).toMatchObject({
      state: 'refused',
      reason: 'secrets of this request are sent only to api.example.com, not to evil.example',
    })
    expect(other.connections).toBe(before)
  })
})

describe('T16: values that used a secret are dropped at a redirect to another origin', () => {
  const environment = (fields: object = {}) =>
    create(ada, 'environments', { variables: [{ name: 'key', value: SECRET, secret: true }], ...fields })
  const to = (status: number) => `${home.origin}/to/${status}/${encodeURIComponent(`${other.origin}/there`)}`
  const send = async (request: object, more: object) =>
    (await bob.post('/api/web/api-requests/send', { engagementId, request: { options: OPTIONS, ...request }, ...more }))
      .body.data

  test('a header, by any name, and the query', async () => {
    const headers = [
      { name: 'X-Api-Key', value: 'key={{key}}', enabled: true },
      { name: 'X-{{key}}', value: 'in the name', enabled: true },
      { name: 'X-Plain', value: 'stays', enabled: true },
    ]
    const query = [{ name: 'key', value: '{{key}}', enabled: true }]
    const run = await send({ url: to(302), headers, query }, { environmentId: await environment() })
    expect(run).toMatchObject({ state: 'succeeded', hops: [{ status: 302 }, { status: 200 }] })
    expect(other.received.at(-1)?.headers).toMatchObject({ 'x-plain': 'stays' })
    expect(wasTold(other)).toBe(false)
    expect(wasTold(home)).toBe(true)
  })

  test.each([
    ['json', { mode: 'json', text: '{"key": "{{key}}"}' }],
    ['raw', { mode: 'raw', text: 'key={{key}}' }],
    ['form', { mode: 'form', fields: [{ name: 'key', value: '{{key}}', enabled: true }] }],
    ['multipart', { mode: 'multipart', parts: [{ name: 'key', value: '{{key}}', enabled: true }] }],
  ])('a body: a 307 with it is not followed (%s)', async (_mode, body) => {
    const before = other.connections
    const run = await send({ method: 'POST', url: to(307), body }, { environmentId: await environment() })
    expect(run).toMatchObject({
      state: 'refused',
      reason: `a redirect leads to ${other.origin}, and the body holds a secret, which is sent to no other origin`,
      hops: [{ status: 307 }, { url: `${other.origin}/there`, address: null }],
    })
    expect(other.connections).toBe(before)
  })

  test('a body without a secret is sent on, and one with a secret if the redirect drops it or stays at its origin', async () => {
    const environmentId = await environment()
    const body = { mode: 'json', text: '{"key": "{{key}}"}' }
    await send({ method: 'POST', url: to(307), body: { mode: 'json', text: '{"a":1}' } }, { environmentId })
    expect(other.received.at(-1)).toMatchObject({ method: 'POST', body: '{"a":1}' })
    expect(await send({ method: 'POST', url: to(302), body }, { environmentId })).toMatchObject({ state: 'succeeded' })
    expect(other.received.at(-1)).toMatchObject({ method: 'GET', body: '' })
    await send({ method: 'POST', url: `${home.origin}/to/307/%2Fhere`, body }, { environmentId })
    expect(home.received.at(-1)).toMatchObject({ url: '/here', body: `{"key": "${SECRET}"}` })
    expect(wasTold(other)).toBe(false)
  })

  test('a value that an earlier request of a sequence captured', async () => {
    const folderId = await create(ada, 'request-folders', {})
    const captures = [{ variable: 'session', from: 'json', path: '$.session' }]
    await create(ada, 'api-requests', { folderId, url: `${home.origin}/login`, captures })
    await create(ada, 'api-requests', {
      folderId,
      url: to(302),
      options: OPTIONS,
      headers: [{ name: 'X-Session', value: '{{session}}', enabled: true }],
    })
    expect((await bob.post(`/api/web/request-folders/${folderId}/execute`, {})).body.data.state).toBe('succeeded')
    expect(home.received.at(-1)?.headers['x-session']).toBe('a-captured-session')
    expect(other.received.at(-1)?.headers).not.toHaveProperty('x-session')
  })
})

describe('T21: one parser determines the destination of a request', () => {
  const HOSTLESS = 'url: must name a host right after http:// or https://'
  const ODD = [
    'http:///api.example.com/',
    'http:////api.example.com/',
    'http:\\\\api.example.com/',
    'http:/\\api.example.com/',
    'http:api.example.com/',
    'https:/api.example.com/',
    'HTTP:///api.example.com',
    'http:// api.example.com/',
  ]

  test.each(ODD)('%s is not saved and not sent', async (url) => {
    const auth = { type: 'bearer', token: SECRET }
    expect(messageOf(await ada.post('/api/web/api-requests', { engagementId, name: 'Odd', url, auth }))).toEqual([
      422,
      HOSTLESS,
    ])
    const id = await saved()
    expect(messageOf(await bob.patch(`/api/web/api-requests/${id}`, { url }))).toEqual([422, HOSTLESS])
    expect(messageOf(await bob.post('/api/web/api-requests/send', { engagementId, request: { url } }))).toEqual([
      422,
      HOSTLESS,
    ])
    expect(
      messageOf(
        await bob.post('/api/web/api-requests/send', { engagementId, request: { url: '{{url}}' }, variables: { url } }),
      )[0],
    ).toBe(422)
  })

  test('an import leaves such an address out, and reports it', async () => {
    const { status, body, text } = await ada.request(
      'POST',
      `/api/web/api-requests/import?engagementId=${engagementId}`,
      {
        rawBody: JSON.stringify({
          info: { name: 'Odd', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
          item: [{ name: 'Odd', request: { method: 'GET', url: 'http:///api.example.com/' } }],
        }),
      },
    )
    expect(status, text).toBe(201)
    expect(body.data.requests).toEqual([])
    expect(body.data.problems).toEqual([expect.objectContaining({ reason: HOSTLESS })])
  })

  test.each([
    'http://evil.example/',
    'https://api.example.com/',
    'http://api.example.com:81/',
    'http://api.example.com@evil.example/',
    'http://u{{name}}@api.example.com/',
    'http://api.example.com{{name}}/',
    'http://api.example.com:{{name}}/',
    '{{name}}://api.example.com/',
    'http://{{name}}',
  ])('the secret stays with its host and port: not for %s', async (url) => {
    const id = await saved({ url: 'http://api.example.com/' })
    expect((await bob.patch(`/api/web/api-requests/${id}`, { url })).status).toBe(422)
    const request = { url, auth: { type: 'bearer', token: null } }
    const sending = await bob.post('/api/web/api-requests/send', {
      engagementId,
      requestId: id,
      request,
      variables: { name: 'http' },
    })
    expect(sending.status, sending.text).toBe(422)
  })

  test('and is sent to other paths, queries and spellings of the same host', async () => {
    const id = await saved({ url: at('api.example.com') })
    for (const url of [
      at('API.example.com', '/other'),
      `${at('api.example.com', '/{{path}}')}?q={{path}}`,
      at('api.example.com', '?{{path}}'),
    ]) {
      const { status, text } = await bob.patch(`/api/web/api-requests/${id}`, { url })
      expect(status, text).toBe(200)
      expect((await execute(id, { variables: { path: 'a/b' } })).body.data.state).toBe('succeeded')
      expect(home.received.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`)
    }
  })
})
