import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type TlsSide, tlsSide } from '../../support/network/tls-side.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver
let h2: TlsSide

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => response.end(url === '/nul' ? '{"v":"a\\u0000b"}' : 'fine'))
  h2 = await tlsSide('self-signed', { h2: true })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port},127.0.0.1:${h2.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'targets:read', 'targets:write'])
  engagementId = await engagement('Perimeter')
})
afterAll(async () => {
  await app.close()
  await Promise.all([web, h2].map((side) => side.close()))
})

const engagement = async (name: string): Promise<string> =>
  (await (await app.signedIn('owner')).post('/api/web/engagements', { name })).body.data.id
const send = (request: object, more: object = {}) =>
  key.post('/api/v1/api-requests/send', { engagementId, request: { url: `${web.origin}/`, ...request }, ...more })
/** The received request. */
const arrived = async (request: object, more: object = {}) => {
  const response = await send(request, more)
  expect(response.status, response.text).toBe(201)
  expect(response.body.data).toMatchObject({ state: 'succeeded', reason: null })
  return web.received.at(-1) as (typeof web.received)[number]
}
const create = async (path: string, fields: object) => {
  const response = await key.post(`/api/v1/${path}`, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const header = (name: string, value: string, enabled = true) => ({ name, value, enabled })

describe('a variable', () => {
  test('is a name of up to 64 characters with blanks around it; anything else in braces is text', async () => {
    const longest = `a${'b'.repeat(63)}`
    const variables = { _a: '1', 'a.b-c': '2', [longest]: '3' }
    const text = `{{_a}} {{ a.b-c }} {{\t${longest}}} {{7*7}} {{1a}} {{${longest}c}} {{}} {{a b}} {_a} {{{_a}}} \\{{_a}} {{\n_a}}`
    const sent = await arrived({ method: 'POST', body: { mode: 'raw', text } }, { variables })
    expect(sent.body).toBe(`1 2 3 {{7*7}} {{1a}} {{${longest}c}} {{}} {{a b}} {_a} {1} {{_a}} {{\n_a}}`)
  })

  test('is inserted once: its value is not searched for variables', async () => {
    const variables = { a: '{{b}}', b: 'never', c: '{{' }
    const sent = await arrived(
      {
        method: 'POST',
        url: `${web.origin}/{{a}}`,
        headers: [header('X-A', '{{a}} {{c}}b}}')],
        body: { mode: 'raw', text: '{{a}} {{c}}b}}' },
      },
      { variables },
    )
    expect(sent).toMatchObject({ url: '/%7B%7Bb%7D%7D', body: '{{b}} {{b}}' })
    expect(sent.headers['x-a']).toBe('{{b}} {{b}}')
  })

  test('is encoded for its place: unchanged up to the path, percent-encoded after it, as content in JSON strings and unchanged outside of them', async () => {
    const value = `x/../?#&=%2F "\\é😀`
    const encoded = encodeURIComponent(value)
    const variables = { authority: `127.0.0.1:${web.port}`, value, n: '[1,2]' }
    const { url } = await arrived(
      { url: 'http://{{authority}}/a/{{value}}/b?q={{value}}#{{value}}', query: [header('{{value}}', '{{value}}')] },
      { variables },
    )
    expect(url).toBe(`/a/${encoded}/b?q=${encoded}&${encoded}=${encoded}`)
    const json = await arrived(
      { method: 'POST', body: { mode: 'json', text: '{"{{value}}": "a \\" {{value}}", "n": {{n}}}' } },
      { variables },
    )
    expect(JSON.parse(json.body)).toEqual({ [value]: `a " ${value}`, n: [1, 2] })
    const form = await arrived(
      { method: 'POST', body: { mode: 'form', fields: [header('{{value}}', '{{value}}'), header('off', '1', false)] } },
      { variables },
    )
    expect([...new URLSearchParams(form.body)]).toEqual([[value, value]])
    const raw = await arrived(
      { method: 'POST', headers: [header('X-A', '{{value}}')], body: { mode: 'raw', text: '{{value}}' } },
      { variables },
    )
    expect(raw.body).toBe(value)
    expect(Buffer.from(raw.headers['x-a'] as string, 'latin1').toString()).toBe(value)
  })

  test('of the execution overrides the environment, and that the target; values captured by a sequence override all', async () => {
    const variables = [
      { name: 'a', value: 'environment', secret: false },
      { name: 'b', value: 'environment', secret: true },
      { name: 'target.host', value: 'environment', secret: false },
    ]
    const environment = await create('environments', { variables })
    const target = await create('targets', { value: `${web.origin}/app`, name: undefined })
    const url = `${web.origin}/{{a}}/{{b}}?{{target.host}}&{{target.value}}&{{target.url}}`
    const wanted = { environmentId: environment.id, targetId: target.id }
    const app = encodeURIComponent(`${web.origin}/app`)
    expect((await arrived({ url }, { ...wanted, variables: { a: 'execution' } })).url).toBe(
      `/execution/environment?environment&${app}&${app}`,
    )
    const folder = await create('request-folders', {})
    const captures = [{ variable: 'a', from: 'regex', path: 'f(in)e' }]
    for (const path of ['/{{a}}/first', '/{{a}}/{{b}}/second'])
      await create('api-requests', {
        folderId: folder.id,
        url: `${web.origin}${path}`,
        captures: path.endsWith('first') ? captures : [],
      })
    const { body } = await key.post(`/api/v1/request-folders/${folder.id}/execute`, {
      environmentId: environment.id,
      variables: { a: 'execution' },
    })
    expect(body.data.state).toBe('succeeded')
    expect(web.received.slice(-2).map((sent) => sent.url)).toEqual(['/execution/first', '/in/environment/second'])
  })

  test('of a secret that is kept by a PATCH keeps its value', async () => {
    const environment = await create('environments', { variables: [{ name: 'token', value: 'kept-1', secret: true }] })
    const variables = [
      { name: 'more', value: '2', secret: false },
      { name: 'token', value: null, secret: true },
    ]
    expect((await key.patch(`/api/v1/environments/${environment.id}`, { variables })).status).toBe(200)
    expect((await arrived({ url: `${web.origin}/{{token}}/{{more}}` }, { environmentId: environment.id })).url).toBe(
      '/kept-1/2',
    )
  })

  test('comes only from an environment of the same engagement or of the organization', async () => {
    const elsewhere = await engagement('Elsewhere')
    const other = await create('environments', { engagementId: elsewhere })
    const refused = await send({}, { environmentId: other.id })
    expect(refused.status).toBe(422)
    expect(refused.body.error.message).toMatch(/^environmentId/)
    const shared = await create('environments', {
      engagementId: null,
      variables: [{ name: 'where', value: 'library', secret: false }],
    })
    expect((await arrived({ url: `${web.origin}/{{where}}` }, { environmentId: shared.id })).url).toBe('/library')
  })
})

test.each(['\r', '\n', '\r\n', 'a\u0001', 'a\u007f'])(
  'X6: %j reaches no header by a variable, in a name or a value, and nothing is sent',
  async (value) => {
    const before = web.connections
    const places = [
      { headers: [header('X-A', 'a{{v}}b')] },
      { headers: [header('X-{{v}}A', 'b')] },
      { auth: { type: 'bearer', token: 'a{{v}}b' } },
      { auth: { type: 'header', name: 'X-{{v}}', value: 'b' } },
      { auth: { type: 'header', name: 'X-Key', value: 'a{{v}}b' } },
      { method: 'POST', body: { mode: 'raw', text: '', mediaType: 'text/plain{{v}}b' } },
    ]
    for (const place of places)
      expect((await send(place, { variables: { v: value } })).status, JSON.stringify(place)).toBe(422)
    expect(web.connections).toBe(before)
  },
)

test('X6: NUL reaches no header: no body of the API contains it, and a captured one is not sent', async () => {
  const { status, body } = await send({ headers: [header('X-A', '{{v}}')] }, { variables: { v: 'a\0b' } })
  expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  const folder = await create('request-folders', {})
  const captures = [{ variable: 'v', from: 'json', path: '$.v' }]
  await create('api-requests', { folderId: folder.id, url: `${web.origin}/nul`, captures })
  await create('api-requests', { folderId: folder.id, url: `${web.origin}/never`, headers: [header('X-A', '{{v}}')] })
  const { data } = (await key.post(`/api/v1/request-folders/${folder.id}/execute`, {})).body
  expect(data).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('headers.0.value: must have no line breaks or other control characters'),
  })
  expect(web.received.at(-1)?.url).toBe('/nul')
})

describe('headers', () => {
  test('are sent in order and spelling, repeated if they are written twice, and left out if they are disabled', async () => {
    const sent = await arrived({
      headers: [header('X-Zeta', '1'), header('x-ALPHA', '2'), header('X-Zeta', '3'), header('X-Off', '4', false)],
    })
    const own = sent.rawHeaders.flatMap((name, index) =>
      index % 2 === 0 && /^x-/i.test(name) ? [`${name}: ${sent.rawHeaders[index + 1]}`] : [],
    )
    expect(own).toEqual(['X-Zeta: 1', 'x-ALPHA: 2', 'X-Zeta: 3'])
  })

  test('Content-Length is sent if it matches the body, and 422 if it differs or is repeated', async () => {
    const body = { mode: 'raw', text: 'five5' }
    const sent = await arrived({ method: 'POST', headers: [header('Content-Length', '5')], body })
    expect(sent.rawHeaders.filter((name) => /^content-length$/i.test(name))).toHaveLength(1)
    expect(sent).toMatchObject({ body: 'five5', headers: { 'content-length': '5' } })
    for (const wrong of ['4', '6', '+5', '05', '5, 5', ''])
      expect((await send({ method: 'POST', headers: [header('Content-Length', wrong)], body })).status).toBe(422)
    expect(
      (await send({ method: 'POST', headers: [header('Content-Length', '5'), header('content-length', '5')], body }))
        .status,
    ).toBe(422)
  })

  test('Host is sent as written in HTTP/2, too, and 422 if it is repeated', async () => {
    const request = {
      url: `${h2.origin}/`,
      headers: [header('Host', 'vhost.example'), header('X-A', '1'), header('X-A', '2')],
      options: { verifyTls: false },
    }
    const { body } = await send(request)
    expect(body.data).toMatchObject({ state: 'succeeded', response: { httpVersion: '2' } })
    expect(body.data.response.headers).toContainEqual({ name: 'x-asked', value: '2.0 vhost.example' })
    expect((await send({ headers: [header('Host', 'a.example'), header('host', 'b.example')] })).status).toBe(422)
  })
})

test.each([
  [
    { type: 'basic', username: 'ada', password: 'p:w' },
    { authorization: `Basic ${Buffer.from('ada:p:w').toString('base64')}` },
    '/',
  ],
  [{ type: 'bearer', token: 't-1' }, { authorization: 'Bearer t-1' }, '/'],
  [{ type: 'header', name: 'X-Key', value: 'k 1' }, { 'x-key': 'k 1' }, '/'],
  [{ type: 'query', name: 'api key', value: 'k&1' }, {}, '/?api%20key=k%261'],
  [{ type: 'none' }, {}, '/'],
])('auth %j is sent, and hidden in the run', async (auth, headers, url) => {
  const sent = await arrived({ auth })
  expect(sent.url).toBe(url)
  expect(sent.headers).toMatchObject(headers)
  if (auth.type === 'none') return expect(sent.headers).not.toHaveProperty('authorization')
  const [run] = (await key.get(`/api/v1/request-runs?engagementId=${engagementId}&perPage=1`)).body.data
  const { text } = await key.get(`/api/v1/request-runs/${run.id}`)
  expect(text).toContain('••••')
  for (const secret of ['p:w', Buffer.from('ada:p:w').toString('base64'), 't-1', 'k 1', 'k&1', 'k%261'])
    expect(text).not.toContain(secret)
})

describe('X9: a secret is hidden where it occurs', () => {
  test.each(['Pässword Größe/ü+"7f3a', "it's (a) *secret*!~", 'c4nary\u2028€&<>', '日本語の秘密', '😀-emoji-😀'])(
    '%s',
    async (secret) => {
      const environment = await create('environments', { variables: [{ name: 'secret', value: secret, secret: true }] })
      const sent = await send(
        {
          method: 'POST',
          url: `${web.origin}/{{secret}}/a{{secret}}b?q={{secret}}`,
          query: [header('{{secret}}', 'x{{secret}}')],
          headers: [header('X-A', 'a {{secret}} b')],
          auth: { type: 'basic', username: '{{secret}}', password: 'of {{secret}}' },
          body: { mode: 'form', fields: [header('{{secret}}', 'x{{secret}}y')] },
          assertions: [{ subject: 'body', operator: 'contains', value: secret }],
        },
        { environmentId: environment.id },
      )
      expect(sent.status, sent.text).toBe(201)
      expect(web.received.at(-1)?.body).toBe(new URLSearchParams({ [secret]: `x${secret}y` }).toString())
      const { id } = sent.body.data
      const row = await app.db.selectFrom('request_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const audit = await app.db.selectFrom('audit_entries').selectAll().execute()
      const everything = JSON.stringify([sent.body, { ...row, body: null }, audit]) + app.logLines.join('')
      const base64 = [0, 1, 2].map((offset) => {
        const text = Buffer.from('x'.repeat(offset) + secret).toString('base64')
        return text.slice(offset === 0 ? 0 : offset + 1, -4)
      })
      const percent = encodeURIComponent(secret)
      const spellings = [
        secret,
        percent,
        percent.toLowerCase(),
        new URLSearchParams({ a: secret }).toString().slice(2),
        ...base64,
      ]
      for (const spelling of spellings)
        for (const text of [spelling, JSON.stringify(spelling).slice(1, -1)]) expect(everything).not.toContain(text)
    },
  )

  test('in the name of a host, which is written in lower case and in Punycode, as a part or all of it', async () => {
    const environment = await create('environments', {
      variables: [{ name: 'secret', value: 'GEHÉIM-bücher', secret: true }],
    })
    for (const url of ['http://{{secret}}.invalid/', 'http://a{{secret}}b.invalid/']) {
      const { body } = await send({ url }, { environmentId: environment.id })
      expect(body.data).toMatchObject({ state: 'failed', url: expect.stringContaining('••••') })
    }
    const rows = await Promise.all(
      (['operation_log_entries', 'audit_entries', 'request_runs'] as const).map((table) =>
        app.db.selectFrom(table).selectAll().execute(),
      ),
    )
    const everything = JSON.stringify(rows) + app.logLines.join('')
    for (const name of ['gehéim-bücher', 'agehéim-bücherb'])
      expect(everything).not.toContain(new URL(`http://${name}`).hostname)
  })
})
