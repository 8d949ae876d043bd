import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver, startRawReceiver } from '../../support/races/receiver.ts'
import { unknownId } from '../../support/walks/walk.ts'

const SEND = '/api/v1/api-requests/send'
const RUNS = '/api/v1/request-runs'
let app: TestApp
let key: TestClient
let owner: TestClient
let engagementId: string
let web: Receiver
let other: Receiver
let raw: Receiver
let secret: Receiver

beforeAll(async () => {
  web = await startReceiver(({ method, url, body, headers }, response) => {
    const [, status, ...rest] = url.split('?')[0]?.split('/') ?? []
    if (status === 'to')
      return response.writeHead(Number(rest[0]), { location: decodeURIComponent(rest.slice(1).join('/')) }).end('moved')
    if (status === 'gzip') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'))
    if (status === 'double')
      return response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('unpacked')))
    if (status === 'triple') return response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip' }).end('x')
    if (status === 'inherited') return response.writeHead(200, { 'content-encoding': 'constructor' }).end('as it came')
    if (status === 'bomb')
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(101 * 1024 * 1024)))
    if (status === 'long') return response.end(Buffer.alloc(5_000, 'a'))
    if (status === 'echo')
      return response
        .writeHead(200, { 'x-echo': headers['x-token'] ?? '', 'content-type': 'application/json' })
        .end(JSON.stringify({ method, url, body, headers }))
    if (status === 'json')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(decodeURIComponent(rest.join('/')))
    response
      .writeHead(Number(status) || 200, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] })
      .end('hello')
  })
  other = await startReceiver((_request, response) => response.end('other'))
  secret = await startReceiver((_request, response) => response.end('internal'))
  raw = await startRawReceiver((socket, data) => {
    if (data.includes('/garbage')) socket.end('this is not HTTP\r\n\r\n')
    else if (data.includes('/reset')) socket.resetAndDestroy()
    else if (data.includes('/half')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this')
    else if (data.includes('/huge')) socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`)
    else if (data.includes('/drip')) {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const timer = setInterval(() => socket.write('1\r\na\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
    }
  })
  const allowed = [web, other, raw].map(({ port }) => `127.0.0.1:${port}`).join(',')
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: allowed, RUN_BODY_LIMIT_BYTES: '1000' } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await Promise.all([web, other, raw, secret].map((side) => side.close()))
})

const sending = (request: object, more: object = {}) => key.post(SEND, { engagementId, request, ...more })
const run = async (request: object, more: object = {}) => {
  const response = await sending(request, more)
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const lastReceived = () => web.received.at(-1)
const bodyOf = async (id: string): Promise<string> => (await key.get(`${RUNS}/${id}/body`)).text

describe('a run', () => {
  test('X8: shows what was sent and received, whatever the status; its body is an attachment that executes nowhere', async () => {
    const made = await run({
      url: `${web.origin}/404?a=1`,
      headers: [
        { name: 'X-One', value: '1', enabled: true },
        { name: 'x-off', value: '1', enabled: false },
      ],
    })
    expect(made).toMatchObject({
      state: 'succeeded',
      reason: null,
      status: 404,
      requestId: null,
      engagementId,
      method: 'GET',
      captured: null,
    })
    expect(made.response).toMatchObject({
      status: 404,
      statusText: 'Not Found',
      httpVersion: '1.1',
      size: 5,
      truncated: false,
      mediaType: 'text/plain',
      tls: null,
    })
    expect(made.response.remoteAddress).toBe('127.0.0.1')
    expect(
      made.response.headers.filter(({ name }: { name: string }) => name.toLowerCase() === 'set-cookie'),
    ).toHaveLength(2)
    expect(made.hops).toEqual([{ url: `${web.origin}/404?a=1`, address: '127.0.0.1', status: 404 }])
    expect(Object.values(made.timing).filter((part) => part === null)).toHaveLength(1)
    expect(lastReceived()?.rawHeaders).toContain('X-One')
    expect(lastReceived()?.headers).not.toHaveProperty('x-off')
    expect((await key.get(`${RUNS}/${made.id}`)).body.data).toEqual(made)
    const file = await key.get(`${RUNS}/${made.id}/body`)
    expect(file.text).toBe('hello')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(file.headers.get('content-security-policy')).toBe('sandbox')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is listed, pinned, compared and deleted', async () => {
    const [a, b] = [
      await run({ url: `${web.origin}/json/${encodeURIComponent('{"a":1,"b":[1]}')}` }),
      await run({ url: `${web.origin}/json/${encodeURIComponent('{"b":[2],"a":1}')}` }),
    ]
    const listed = (await key.get(`${RUNS}?engagementId=${engagementId}&state=succeeded&perPage=2`)).body.data
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([b.id, a.id])
    const diff = (await key.get(`${RUNS}/diff?a=${a.id}&b=${b.id}`)).body.data
    expect(diff.status).toEqual({ a: 200, b: 200, equal: true })
    expect(diff.body).toEqual({
      mode: 'json',
      equal: false,
      tooLarge: false,
      changes: [{ kind: 'changed', path: '/b/0', a: '1', b: '2' }],
    })
    expect((await key.patch(`${RUNS}/${a.id}`, { pinned: true })).body.data.pinned).toBe(true)
    expect((await key.delete(`${RUNS}/${a.id}`)).status).toBe(200)
    expect((await key.get(`${RUNS}/${a.id}`)).status).toBe(404)
  })

  test('sends bodies of each kind, with variables encoded for their place', async () => {
    const variables = { v: 'a"b\\c&d=é/ü\n' }
    const sent = async (body: object) => {
      await run({ method: 'POST', url: `${web.origin}/x`, body }, { variables })
      return lastReceived()
    }
    expect(JSON.parse((await sent({ mode: 'json', text: '{"k": "x {{v}}", "n": 1}' }))?.body ?? '')).toEqual({
      k: `x ${variables.v}`,
      n: 1,
    })
    expect(
      new URLSearchParams((await sent({ mode: 'form', fields: [{ name: 'f', value: '{{v}}', enabled: true }] }))?.body),
    ).toEqual(new URLSearchParams({ f: variables.v }))
    expect((await sent({ mode: 'raw', text: 'is {{ v }}, \\{{v}} and {{7*7}}', mediaType: 'text/x' }))?.body).toBe(
      `is ${variables.v}, {{v}} and {{7*7}}`,
    )
    expect(lastReceived()?.headers['content-type']).toBe('text/x')
    const multipart = await sent({ mode: 'multipart', parts: [{ name: 'p"\r\n', value: '{{v}}', enabled: true }] })
    expect(multipart?.body).toContain('name="p%22%0D%0A"')
    expect(multipart?.body).toContain(variables.v)
    await run(
      { url: `${web.origin}/{{v}}?q={{v}}`, query: [{ name: 'l', value: '{{v}}', enabled: true }] },
      { variables },
    )
    const encoded = encodeURIComponent(variables.v)
    expect(lastReceived()?.url).toBe(`/${encoded}?q=${encoded}&l=${encoded}`)
    await run({ url: '{{base}}/from-base' }, { variables: { base: web.origin } })
    expect(lastReceived()?.url).toBe('/from-base')
  })

  test('sends Host and duplicate headers as they are written', async () => {
    const header = (name: string, value: string) => ({ name, value, enabled: true })
    await run({
      url: `${web.origin}/`,
      headers: [header('Host', 'vhost.example'), header('X-A', '1'), header('X-A', '2')],
    })
    expect(lastReceived()?.headers.host).toBe('vhost.example')
    expect(lastReceived()?.rawHeaders.filter((name) => name === 'X-A')).toHaveLength(2)
  })

  test('keeps a body up to its limit, and counts and hashes the whole', async () => {
    const made = await run({ url: `${web.origin}/long` })
    expect(made.response).toMatchObject({ size: 5_000, truncated: true })
    expect(await bodyOf(made.id)).toHaveLength(1_000)
  })
})

describe('X6: a value that could inject another request', () => {
  test.each([
    [{ headers: [{ name: 'X-A', value: '{{v}}', enabled: true }] }, 'headers.0.value'],
    [{ headers: [{ name: 'X-A\r\nX-B', value: '', enabled: true }] }, 'headers.0.name'],
    [{ headers: [{ name: 'Content-Length', value: '5', enabled: true }] }, 'Content-Length'],
    [{ headers: [{ name: 'Transfer-Encoding', value: 'chunked', enabled: true }] }, 'Transfer-Encoding'],
    [{ headers: [{ name: 'Connection', value: 'x', enabled: true }] }, 'Connection'],
    [{ auth: { type: 'bearer', token: '{{v}}' } }, 'auth'],
    [{ auth: { type: 'header', name: 'X: y\n', value: '1' } }, 'auth'],
    [{ method: 'POST', body: { mode: 'raw', text: '', mediaType: 'text/plain\r\nX: y' } }, 'body.mediaType'],
    [{ headers: [{ name: 'X', value: '{{missing}}', enabled: true }] }, 'there is no variable {{missing}}'],
    [{ url: 'ftp://example.com/' }, 'url: must begin with'],
    [{ url: 'http://user:pass@example.com/' }, 'url: must not contain credentials'],
    [{ url: 'http://' }, 'url: must be an absolute URL'],
  ])('%j is 422, and nothing is sent', async (fields, message) => {
    const before = web.connections
    const response = await sending({ url: `${web.origin}/`, ...fields }, { variables: { v: 'a\r\nX-Injected: 1' } })
    expect(response.status, response.text).toBe(422)
    expect(response.body.error.message).toContain(message)
    expect(web.connections).toBe(before)
  })
})

describe('redirects', () => {
  const to = (status: number, target: string) => `${web.origin}/to/${status}/${encodeURIComponent(target)}`

  test('are returned like any other response unless they are to be followed', async () => {
    const made = await run({ url: to(302, `${other.origin}/`) })
    expect(made).toMatchObject({ state: 'succeeded', status: 302 })
    expect(made.hops).toHaveLength(1)
  })

  test('X3: to another origin lose credentials and the custom Host, and POST becomes GET', async () => {
    const headers = ['Authorization', 'Cookie', 'Host', 'X-Kept'].map((name) => ({ name, value: 'v', enabled: true }))
    const auth = { type: 'header', name: 'X-Api-Key', value: 'k' }
    const options = { followRedirects: 'yes' }
    const made = await run({
      method: 'POST',
      url: to(302, `${other.origin}/`),
      headers,
      auth,
      options,
      body: { mode: 'raw', text: 'x' },
    })
    expect(made.hops.map(({ status }: { status: number }) => status)).toEqual([302, 200])
    const received = other.received.at(-1)
    expect(received).toMatchObject({ method: 'GET', body: '' })
    expect(received?.headers).toMatchObject({ host: `127.0.0.1:${other.port}`, 'x-kept': 'v' })
    for (const name of ['authorization', 'cookie', 'x-api-key', 'content-type'])
      expect(received?.headers).not.toHaveProperty(name)
  })

  test('to the same origin keep them, and 307 keeps method and body', async () => {
    await run({
      method: 'POST',
      url: to(307, '/200'),
      headers: [{ name: 'Cookie', value: 'c', enabled: true }],
      options: { followRedirects: 'same-host' },
      body: { mode: 'raw', text: 'x' },
    })
    expect(lastReceived()).toMatchObject({ method: 'POST', url: '/200', body: 'x' })
    expect(lastReceived()?.headers.cookie).toBe('c')
  })

  test('too many fail, another scheme is refused, a refused address is refused with its hop', async () => {
    const options = { followRedirects: 'yes', maxRedirects: 1 }
    expect(await run({ url: to(302, to(302, to(302, '/'))), options })).toMatchObject({
      state: 'failed',
      reason: 'more than 1 redirects',
      response: null,
    })
    expect(await run({ url: to(302, 'file:///etc/passwd'), options })).toMatchObject({
      state: 'refused',
      response: null,
    })
    const made = await run({ url: to(302, `${secret.origin}/`), options })
    expect(made).toMatchObject({ state: 'refused', response: null })
    expect(made.reason).toContain('not public (loopback) and not in EGRESS_ALLOW')
    expect(made.hops.at(-1)).toEqual({ url: `${secret.origin}/`, address: null, status: null })
    expect(secret.connections).toBe(0)
  })
})

describe('X7: a malicious server', () => {
  test.each([
    ['/garbage', 'the response is not valid HTTP'],
    ['/reset', 'the'],
    ['/half', 'the'],
    ['/huge', 'the headers of the response are too large'],
  ])('%s makes a failed run', async (path, reason) => {
    const made = await run({ url: `${raw.origin}${path}`, options: { timeoutMs: 5_000 } })
    expect(made.state).toBe('failed')
    expect(made.reason).toContain(reason)
    expect(made.reason).not.toContain('went wrong on the server')
  })

  test('an endless response is cut off in time', async () => {
    const made = await run({ url: `${raw.origin}/drip`, options: { timeoutMs: 300 } })
    expect(made).toMatchObject({ state: 'failed', reason: 'it took longer than 300 ms', response: null })
    expect(made.hops[0].status).toBe(200)
  })

  test('two codings are decoded, three are too many, and a bomb fails', async () => {
    expect(await bodyOf((await run({ url: `${web.origin}/gzip` })).id)).toBe('unpacked')
    expect(await bodyOf((await run({ url: `${web.origin}/double` })).id)).toBe('unpacked')
    expect(await bodyOf((await run({ url: `${web.origin}/inherited` })).id)).toBe('as it came')
    expect(await run({ url: `${web.origin}/triple` })).toMatchObject({
      state: 'failed',
      reason: 'the body has more than 2 content codings',
    })
    expect(await run({ url: `${web.origin}/bomb` })).toMatchObject({
      state: 'failed',
      reason: 'the body has more than 104857600 bytes',
    })
  })

  test('a port without a listener makes a failed run', async () => {
    const gone = await startReceiver(() => undefined)
    await gone.close()
    const made = await run({ url: `${gone.origin}/` })
    expect(['failed', 'refused']).toContain(made.state)
  })
})

describe('captures and assertions', () => {
  const json = `{"user":{"id":7,"name":"ada"},"list":[1,2]}`

  test('examine status, headers, JSON and text', async () => {
    const made = await run({
      url: `${web.origin}/json/${encodeURIComponent(json)}`,
      captures: [
        { variable: 'id', from: 'json', path: '$.user.id' },
        { variable: 'type', from: 'header', path: 'Content-Type' },
        { variable: 'code', from: 'status' },
        { variable: 'name', from: 'regex', path: '"name":"(\\w+)"' },
        { variable: 'nothing', from: 'json', path: '$.nothing' },
      ],
      assertions: [
        { subject: 'status', operator: 'equals', value: 200 },
        { subject: 'json', path: '$.user.name', operator: 'matches', value: '^a' },
        { subject: 'json', path: '$.list', operator: 'contains', value: 2 },
        { subject: 'header', path: 'x-none', operator: 'exists', value: false },
        { subject: 'time', operator: 'less_than', value: 60_000 },
        { subject: 'body', operator: 'contains', value: 'eve' },
      ],
    })
    expect(made.captured).toEqual({ id: '7', type: 'application/json', code: '200', name: 'ada' })
    expect(made.assertions.map(({ passed }: { passed: boolean }) => passed)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
    expect(made.assertions[1]).toEqual({
      subject: 'json',
      path: '$.user.name',
      operator: 'matches',
      value: '^a',
      passed: true,
      actual: 'ada',
    })
    expect(made.state).toBe('succeeded')
  })

  test('I10: an endless expression is terminated, and others are served during it', async () => {
    const slow = run({
      url: `${web.origin}/json/${'a'.repeat(900)}`,
      assertions: [{ subject: 'body', operator: 'matches', value: '^(a+)+$b' }],
    })
    const started = performance.now()
    expect((await app.anonymous.get('/api/health')).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(hereMs(5_000))
    expect((await slow).assertions).toMatchObject([{ passed: false, actual: null }])
  })
})

describe('X9: a secret', () => {
  const CANARY = 'c4nary s3cret/ü+"7f3a'
  const spellings = () => [
    CANARY,
    encodeURIComponent(CANARY),
    new URLSearchParams({ a: CANARY }).toString().slice(2),
    JSON.stringify(CANARY).slice(1, -1),
    Buffer.from(CANARY).toString('base64'),
    Buffer.from(`user:${CANARY}`).toString('base64').slice(8, -4),
  ]

  test("is sent, and appears in no answer except the server's body, in no row and in no log", async () => {
    const variables = [{ name: 'token', value: CANARY, secret: true }]
    const environment = (await key.post('/api/v1/environments', { engagementId, name: 'With a secret', variables }))
      .body.data
    const made = await run(
      {
        method: 'POST',
        url: `${web.origin}/echo/{{token}}?q={{token}}`,
        headers: [{ name: 'X-Token', value: '{{token}}', enabled: true }],
        auth: { type: 'basic', username: 'user', password: '{{token}}' },
        body: { mode: 'json', text: '{"t":"{{token}}"}' },
        captures: [{ variable: 'back', from: 'json', path: '$.body' }],
        assertions: [{ subject: 'header', path: 'x-echo', operator: 'equals', value: 'x' }],
      },
      { environmentId: environment.id },
    )
    expect(lastReceived()?.headers.authorization).toBe(`Basic ${Buffer.from(`user:${CANARY}`).toString('base64')}`)
    const rows = await app.db.selectFrom('request_runs').selectAll().where('id', '=', made.id).execute()
    const audit = await app.db.selectFrom('audit_entries').selectAll().execute()
    const everything =
      JSON.stringify([
        made,
        rows.map(({ body: _, ...row }) => row),
        audit,
        (await key.get(`${RUNS}?engagementId=${engagementId}`)).body,
      ]) + app.logLines.join('')
    for (const spelling of spellings()) expect(everything).not.toContain(spelling)
    for (const spelling of spellings()) expect(everything).not.toContain(JSON.stringify(spelling).slice(1, -1))
    expect(made.assertions[0].actual).toContain('••••')
  })

  test('is also hidden in the name of a host, which is written in lower case', async () => {
    const variables = [{ name: 'tenant', value: 'CanaryTenant', secret: true }]
    const environment = (await key.post('/api/v1/environments', { engagementId, name: 'A tenant', variables })).body
      .data
    const made = await run({ url: 'http://{{tenant}}.invalid/' }, { environmentId: environment.id })
    expect(made.state).not.toBe('succeeded')
    const operations = await app.db.selectFrom('operation_log_entries').selectAll().execute()
    expect(JSON.stringify([made, operations]) + app.logLines.join('')).not.toMatch(/canarytenant/i)
  })
})

describe('permission to execute', () => {
  test('nothing is sent from an engagement that is not active, or outside its hours', async () => {
    const id = (
      await owner.post('/api/web/engagements', {
        name: 'Over',
        details: { startsOn: '2020-01-01', endsOn: '2020-01-02' },
      })
    ).body.data.id
    const before = web.connections
    const late = await sending({ url: `${web.origin}/` }, { engagementId: id })
    expect([late.status, late.body.error.message]).toEqual([
      409,
      expect.stringMatching(
        /^It is outside the testing hours(?: \(.+\))?: (?:the next window begins on .+ at .+|there is no further window)\.$/,
      ),
    ])
    await owner.patch(`/api/web/engagements/${id}/details`, { endsOn: null })
    expect((await sending({ url: `${web.origin}/` }, { engagementId: id })).status).toBe(201)
    await owner.patch(`/api/web/engagements/${id}`, { status: 'completed' })
    expect((await sending({ url: `${web.origin}/` }, { engagementId: id })).body.error.message).toBe(
      'This engagement is not active: nothing is sent from it.',
    )
    expect(web.connections).toBe(before + 1)
    expect((await sending({ url: `${web.origin}/` }, { engagementId: unknownId('eng') })).status).toBe(422)
  })

  test('a run whose process died has failed, and its key answers that the outcome is unknown', async () => {
    const made = await run({ url: `${web.origin}/` })
    await app.db
      .updateTable('request_runs')
      .set({ state: 'running', response: null, alive_until: new Date(0).toISOString() })
      .where('id', '=', made.id)
      .execute()
    expect((await key.get(`${RUNS}/${made.id}`)).body.data).toMatchObject({ state: 'failed', response: null })
    expect((await key.get(`${RUNS}?state=failed&perPage=100`)).body.data.map(({ id }: { id: string }) => id)).toContain(
      made.id,
    )
    const headers = { 'idempotency-key': 'once' }
    const body = { engagementId, request: { url: `${web.origin}/once` } }
    const first = await key.post(SEND, body, { headers })
    const again = await key.post(SEND, body, { headers })
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect(again.text).toBe(first.text)
    expect(web.received.filter(({ url }) => url === '/once')).toHaveLength(1)
    await app.db.updateTable('idempotency_keys').set({ status: null, answer: null }).where('key', '=', 'once').execute()
    const unknown = await key.post(SEND, body, { headers })
    expect([unknown.status, unknown.body.error.message]).toEqual([
      409,
      expect.stringContaining('its outcome is unknown'),
    ])
    expect(web.received.filter(({ url }) => url === '/once')).toHaveLength(1)
  })
})
