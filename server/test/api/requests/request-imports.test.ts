import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

/** Collections as users have them: a request sends what the file contains, and never more. */

let app: TestApp
let key: TestClient
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: '127.0.0.1/32' } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id

/** Everything stored from a file. */
const taken = async (file: string | object, options: Record<string, string> = {}) => {
  const engagementId = options['engagementId'] ?? (await engagement())
  const query = new URLSearchParams({ engagementId, ...options })
  const { status, body, text } = await key.request('POST', `/api/v1/api-requests/import?${query.toString()}`, {
    rawBody: typeof file === 'string' ? file : JSON.stringify(file),
  })
  expect(status, text).toBe(201)
  const whole = async ({ id }: { id: string }) => (await key.get(`/api/v1/api-requests/${id}`)).body.data
  return { ...body.data, engagementId, whole: await Promise.all(body.data.requests.map(whole)) }
}

const collection = (item: object[], more: object = {}) => ({ info: { name: 'C' }, item, ...more })
const openapi = (more: object) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  servers: [{ url: 'https://a.example' }],
  ...more,
})

describe('unknown authentication becomes none, and is reported: that of the folder is not sent instead', () => {
  const ofFolder = { auth: { type: 'bearer', bearer: [{ key: 'token', value: 'of-the-collection' }] } }
  const asks = (auth: object) => ({ name: 'R', request: { method: 'GET', url: 'https://b.example/', auth } })

  test.each([
    ['awsv4', { type: 'awsv4', awsv4: [{ key: 'accessKey', value: 'A' }] }],
    ['digest', { type: 'digest', digest: [{ key: 'username', value: 'u' }] }],
    ['hawk', { type: 'hawk' }],
    ['one that does not exist yet', { type: 'tomorrow' }],
    ['one without a type', { bearer: [] }],
    ['oauth2 without a token', { type: 'oauth2', oauth2: [{ key: 'grant_type', value: 'client_credentials' }] }],
  ])('Postman: %s', async (_what, auth) => {
    const { whole, problems } = await taken(collection([asks(auth)], ofFolder))
    expect(whole[0].auth).toMatchObject({ type: 'none' })
    expect(problems).toEqual([{ position: 'item 1', reason: expect.stringContaining('requests are sent without it') }])
    const { folders } = await taken(collection([{ name: 'F', auth, item: [asks(auth)] }], ofFolder))
    expect(folders[1].auth).toMatchObject({ type: 'none' })
  })

  test('Postman: the access token of OAuth 2 is stored as a bearer token, and no auth inherits', async () => {
    const oauth = { type: 'oauth2', oauth2: [{ key: 'accessToken', value: '{{at}}' }] }
    const { whole } = await taken(
      collection([asks(oauth), { name: 'R', request: { url: 'https://a.example/' } }], ofFolder),
    )
    expect(whole.map(({ auth }: { auth: object }) => auth)).toMatchObject([
      { type: 'bearer', token: '{{at}}' },
      { type: 'inherit' },
    ])
  })

  test('OpenAPI: unknown schemes', async () => {
    const securitySchemes = {
      mtls: { type: 'mutualTLS' },
      hmac: { type: 'http', scheme: 'hmac' },
      token: { type: 'http', scheme: 'bearer' },
    }
    const of = (...security: string[]) => ({ get: { security: security.map((name) => ({ [name]: [] })) } })
    const { whole, folders } = await taken(
      openapi({
        security: [{ token: [] }],
        components: { securitySchemes },
        paths: { '/1': of('mtls'), '/2': of('hmac'), '/3': of('mtls', 'token') },
      }),
    )
    expect(whole.map(({ auth }: { auth: object }) => auth)).toMatchObject([
      { type: 'none' },
      { type: 'none' },
      { type: 'bearer' },
    ])
    expect(folders[0].auth).toMatchObject({ type: 'bearer' })
    expect(
      (
        await taken(
          openapi({ security: [{ mtls: [] }], components: { securitySchemes }, paths: { '/1': { get: {} } } }),
        )
      ).folders[0].auth,
    ).toMatchObject({
      type: 'none',
    })
  })

  test('requests imported into a folder do not inherit its auth', async () => {
    const engagementId = await engagement()
    const folder = await key.post('/api/v1/request-folders', {
      engagementId,
      name: 'Secret',
      auth: { type: 'bearer', token: 'of-the-folder' },
    })
    const into = { engagementId, folderId: folder.body.data.id }
    const none = { type: 'none' }
    expect((await taken('curl https://b.example/', into)).whole[0].auth).toMatchObject(none)
    expect(
      (await taken({ log: { entries: [{ request: { method: 'GET', url: 'https://b.example/' } }] } }, into)).whole[0]
        .auth,
    ).toMatchObject(none)
    expect(
      (await taken(collection([{ name: 'R', request: { url: 'https://b.example/' } }]), into)).folders[0].auth,
    ).toMatchObject(none)
    expect((await taken(openapi({ paths: { '/1': { get: {} } } }), into)).folders[0].auth).toMatchObject(none)
  })

  test('cURL: a password for digest is not sent unchanged', async () => {
    const { whole, problems } = await taken('curl --digest -u u:p https://b.example/')
    expect(whole[0].auth).toMatchObject({ type: 'none' })
    expect(problems).toEqual([{ position: 'command 1', reason: expect.stringContaining('digest') }])
  })
})

describe('nothing is altered by the import', () => {
  test('braces without a variable stay unchanged; names in braces are text in HAR and variables in cURL', async () => {
    const curl = await taken("curl 'https://a.example/?q={{7*7}}' -H 'X: {{7*7}}' -d 'x={{7*7}}&y={{name}}'")
    expect(curl.whole[0]).toMatchObject({
      url: 'https://a.example/?q={{7*7}}',
      headers: [{ name: 'X', value: '{{7*7}}' }],
      body: { text: 'x={{7*7}}&y={{name}}' },
    })
    expect(curl.problems).toEqual([
      { position: 'command 1', reason: '{{name}} is a variable here; write \\{{name}} to send it as text' },
    ])
    const postData = { mimeType: 'application/json', text: '{"a":"{{7*7}}","b":"{{ name }}"}' }
    const har = await taken({
      log: { entries: [{ request: { method: 'POST', url: 'https://a.example/{{7*7}}', postData } }] },
    })
    expect(har.whole[0]).toMatchObject({
      url: 'https://a.example/{{7*7}}',
      body: { text: '{"a":"{{7*7}}","b":"\\{{ name }}"}' },
    })
  })

  test('a command continues after a backslash or caret with blanks, and quotes in comments are ignored', async () => {
    const body = { method: 'POST', headers: [{ name: 'X-A', value: '1' }], body: { text: 'b' } }
    expect(
      (await taken("# don't\ncurl -X POST https://a.example/ \\ \t\n -H 'X-A: 1' \\\n -d 'b'")).whole[0],
    ).toMatchObject(body)
    expect(
      (await taken('curl -X POST ^"https://a.example/^" ^ \r\n -H ^"X-A: 1^" ^\r\n -d ^"b^"')).whole[0],
    ).toMatchObject(body)
  })

  test('Postman: an address without a scheme is HTTP, a disabled variable is left out, and parts keep their type', async () => {
    const body = {
      mode: 'formdata',
      formdata: [{ key: 'meta', value: '{}', type: 'text', contentType: 'application/json' }],
    }
    const { whole, environments, problems } = await taken(
      collection([{ name: 'R', request: { method: 'POST', url: 'a.example/dav', body } }], {
        variable: [
          { key: 'on', value: '1' },
          { key: 'off', value: '2', disabled: true },
        ],
      }),
    )
    expect(whole[0]).toMatchObject({
      url: 'http://a.example/dav',
      body: { parts: [{ name: 'meta', mediaType: 'application/json' }] },
    })
    expect(environments[0].variables.map(({ name }: { name: string }) => name)).toEqual(['on'])
    expect(problems).toEqual([{ position: 'variable 2', reason: 'off is switched off, and left out' }])
  })

  test('OpenAPI: parameters are written in their style', async () => {
    const query = (name: string, more: object) => ({ name, in: 'query', required: true, ...more })
    const parameters = [
      query('ids', { example: [1, 2] }),
      query('csv', { explode: false, example: ['a', 'b'] }),
      query('pipes', { style: 'pipeDelimited', explode: false, example: ['a', 'b'] }),
      query('filter', { style: 'deepObject', example: { name: 'x', range: { from: 1 } } }),
      query('point', { example: { x: 1, y: 2 } }),
      query('json', { content: { 'application/json': { example: { a: 1 } } } }),
      { name: 'X-Ids', in: 'header', required: true, example: [1, 2] },
      { name: 'id', in: 'path', required: true, example: 42 },
      { name: 'part id', in: 'path', required: true, schema: { type: 'string', examples: ['p 1'] } },
      { name: 'kinds', in: 'path', required: true, style: 'matrix', explode: true, example: ['a', 'b'] },
      { name: 'open', in: 'path', required: true, schema: { type: 'string' } },
    ]
    const { whole, environments } = await taken(
      openapi({ paths: { '/items/{id}/{part id}{kinds}/{open}': { get: { parameters } } } }),
    )
    expect(whole[0].query.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`)).toEqual([
      'ids=1',
      'ids=2',
      'csv=a,b',
      'pipes=a|b',
      'filter[name]=x',
      'filter[range][from]=1',
      'x=1',
      'y=2',
      'json={"a":1}',
    ])
    expect(whole[0].headers).toMatchObject([{ name: 'X-Ids', value: '1,2' }])
    expect(whole[0].url).toBe('{{baseUrl}}/items/{{id}}/p%201;kinds=a;kinds=b/{{open}}')
    expect(
      Object.fromEntries(
        environments[0].variables.map(({ name, value }: { name: string; value: string }) => [name, value]),
      ),
    ).toEqual({
      baseUrl: 'https://a.example',
      id: '42',
    })
  })

  test('OpenAPI: forms are written by their encoding, and a server without a host is reported', async () => {
    const content = (type: string, example: object, encoding: object) => ({
      post: { requestBody: { content: { [type]: { example, encoding } } } },
    })
    const { whole, problems } = await taken(
      openapi({
        servers: [{ url: '/v1' }],
        paths: {
          '/form': content(
            'application/x-www-form-urlencoded',
            { expand: ['a', 'b'], tags: ['x', 'y'], where: { a: 1 } },
            { expand: { style: 'deepObject' } },
          ),
          '/parts': content(
            'multipart/form-data',
            { meta: { a: 1 }, text: 'x', csv: 'a,b' },
            { csv: { contentType: 'text/csv' } },
          ),
        },
      }),
    )
    expect(whole[0].body.fields.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`)).toEqual([
      'expand[0]=a',
      'expand[1]=b',
      'tags=x',
      'tags=y',
      'where={"a":1}',
    ])
    expect(whole[1].body.parts).toMatchObject([
      { name: 'meta', value: '{"a":1}', mediaType: 'application/json' },
      { name: 'text' },
      { name: 'csv', mediaType: 'text/csv' },
    ])
    expect(problems).toEqual([{ position: 'server 1', reason: '/v1 has no host: complete baseUrl in its environment' }])
  })

  test('parts are sent with the boundary of the body, wherever they came from', async () => {
    const seen: { type: string; body: string }[] = []
    const server = createServer((request: IncomingMessage, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        seen.push({ type: request.headers['content-type'] ?? '', body })
        response.end('ok')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const named = { key: 'Content-Type', value: 'multipart/form-data; boundary=X' }
    const files = [
      collection([
        {
          name: 'R',
          request: {
            method: 'POST',
            url: origin,
            header: [named],
            body: { mode: 'formdata', formdata: [{ key: 'a', value: '1' }] },
          },
        },
      ]),
      `curl ${origin}/ -H 'Content-Type: multipart/form-data' -F a=1`,
      {
        log: {
          entries: [
            {
              request: {
                method: 'POST',
                url: `${origin}/`,
                headers: [{ name: 'Content-Type', value: 'multipart/form-data; boundary=X' }],
                postData: { mimeType: 'multipart/form-data; boundary=X', params: [{ name: 'a', value: '1' }] },
              },
            },
          ],
        },
      },
    ]
    for (const file of files) {
      const { whole } = await taken(file)
      expect((await key.post(`/api/v1/api-requests/${whole[0].id}/execute`, {})).body.data.state).toBe('succeeded')
    }
    const engagementId = await engagement()
    const body = { mode: 'multipart', parts: [{ name: 'a', value: '1', enabled: true }] }
    const byHand = (value: string) =>
      key.post('/api/v1/api-requests/send', {
        engagementId,
        request: { method: 'POST', url: origin, headers: [{ name: 'Content-Type', value, enabled: true }], body },
      })
    await byHand('multipart/form-data')
    for (const { type, body: sent } of seen) expect(sent).toContain(`--${type.split('boundary=')[1]}--`)
    expect(seen).toHaveLength(4)
    await byHand('multipart/form-data; boundary=wrong')
    expect(seen[4]?.type, 'as it is written').toBe('multipart/form-data; boundary=wrong')
    server.close()
  })
})
