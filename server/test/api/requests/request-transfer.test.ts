import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify as dumpYaml } from 'yaml'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const CANARY = 'canary-secret-91c2'
let app: TestApp
let key: TestClient
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
const importInto = (engagementId: string, text: string, format = 'auto') =>
  key.request('POST', `/api/v1/api-requests/import?engagementId=${engagementId}&format=${format}`, { rawBody: text })
const taken = async (text: string, format?: string) => {
  const engagementId = await engagement()
  const response = await importInto(engagementId, text, format)
  expect(response.status, response.text).toBe(201)
  const whole = async ({ id }: { id: string }) => (await key.get(`/api/v1/api-requests/${id}`)).body.data
  return { ...response.body.data, engagementId, whole: await Promise.all(response.body.data.requests.map(whole)) }
}

describe('cURL commands', () => {
  test('become requests, several commands become several', async () => {
    const { whole, problems } =
      await taken(`curl 'https://a.example/x?y=1' -X PUT -H 'Accept: text/html' -H "X-Q: a\\"b" \\
      --data-raw $'{"k":"it\\'s \\u00e9"}' -H 'content-type: application/json' -k -L --max-time 5
      curl -u ada:${CANARY} https://b.example/ -F 'a=b' -F 'file=@/etc/passwd'; curl -d @/etc/passwd https://c.example/`)
    expect(whole).toHaveLength(3)
    expect(whole[0]).toMatchObject({
      method: 'PUT',
      url: 'https://a.example/x?y=1',
      body: {
        mode: 'json',
        text: '{"k":"it\'s é"}',
      },
      options: {
        verifyTls: false,
        followRedirects: 'yes',
        timeoutMs: 5e3,
      },
    })
    expect(whole[0].headers.map(({ name, value }: { name: string; value: string }) => `${name}: ${value}`)).toEqual([
      'Accept: text/html',
      'X-Q: a"b',
      'content-type: application/json',
    ])
    expect(whole[1]).toMatchObject({
      method: 'POST',
      auth: { type: 'basic', username: 'ada', password: null, isSet: true },
      body: { mode: 'multipart' },
    })
    expect(problems.map(({ position }: { position: string }) => position)).toEqual(['command 2', 'command 3'])
    expect(JSON.stringify(await app.db.selectFrom('api_requests').selectAll().execute())).not.toContain(CANARY)
  })

  const headersOf = ({ headers }: { headers: { name: string; value: string }[] }) =>
    headers.map(({ name, value }) => `${name}: ${value}`)

  test('as browsers copy them for Windows are the same requests', async () => {
    const { whole, problems } = await taken(
      [
        'curl ^"https://a.example/search?q=a^%^20b^&page=2^" ^',
        '  -X ^"POST^" ^',
        '  -H ^"accept: */*^" ^',
        '  -H ^"sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"140^\\^"^" ^',
        '  -H ^"content-type: text/plain^" ^',
        '  --data-raw ^"one ^& ^\\^"two^\\^"^',
        '',
        '50^% off^" &',
        'curl "https://b.example/plain" -H "X-Quote: say ""hi""" --compressed',
      ].join('\r\n'),
    )
    expect(problems).toEqual([])
    expect(whole).toHaveLength(2)
    expect(whole[0]).toMatchObject({ method: 'POST', url: 'https://a.example/search?q=a%20b&page=2' })
    expect(headersOf(whole[0])).toEqual(['accept: */*', 'sec-ch-ua: "Chromium";v="140"', 'content-type: text/plain'])
    expect(whole[0].body).toMatchObject({ mode: 'raw', text: 'one & "two"\n50% off' })
    expect(headersOf(whole[1])).toEqual(['X-Quote: say "hi"', 'Accept-Encoding: gzip, deflate, br'])
  })

  test('of Firefox and Burp leave out headers that each connection writes itself, and report it', async () => {
    const { whole, problems } = await taken(
      [
        `$ curl 'https://a.example/' --compressed -H 'Accept-Encoding: gzip' -H 'Connection: keep-alive' -H 'TE: trailers'`,
        String.raw`curl -i -s -k -X $'POST' -H $'Host: a.example' -H $'Content-Length: 5' -b $'sid=1' --data-binary $'a=\xc3\xa9\303\251' $'https://a.example/login'`,
      ].join('\n'),
    )
    expect(whole.map(headersOf)).toEqual([['Accept-Encoding: gzip'], ['Host: a.example', 'Cookie: sid=1']])
    expect(whole[1].body).toMatchObject({ text: 'a=éé' })
    expect(problems.map(({ reason }: { reason: string }) => reason)).toEqual(
      ['Connection', 'TE', 'Content-Length'].map(
        (name) => `the header ${name} belongs to the connection, which writes it`,
      ),
    )
  })

  test('that remove a header, or send it empty, are distinguished', async () => {
    const { whole } = await taken(`curl https://a.example/ -H 'Accept:' -H 'X-Empty;' -H 'X-Full: 1'`)
    expect(headersOf(whole[0])).toEqual(['X-Empty: ', 'X-Full: 1'])
  })

  test('find the address, whatever options precede it', async () => {
    const { whole, problems } = await taken(`curl -x http://127.0.0.1:8080 https://a.example/1
      curl --resolve a.example:443:192.0.2.1 --proxy http://proxy.example https://a.example/2
      curl -sXPOST https://a.example/3
      curl -skLX PATCH --max-redirs 3 https://a.example/4
      curl -H @headers.txt -b jar.txt --data-urlencode name@file https://a.example/5`)
    expect(whole.map(({ method, url }: { method: string; url: string }) => `${method} ${url}`)).toEqual([
      'GET https://a.example/1',
      'GET https://a.example/2',
      'POST https://a.example/3',
      'PATCH https://a.example/4',
      'GET https://a.example/5',
    ])
    expect(whole[3].options).toMatchObject({ verifyTls: false, followRedirects: 'yes', maxRedirects: 3 })
    expect(
      problems.map(({ position, reason }: { position: string; reason: string }) => `${position}, ${reason}`),
    ).toEqual([
      'command 1, -x: is not imported',
      'command 2, --resolve: is not imported',
      'command 2, --proxy: is not imported',
      'command 5, --header @file: files are not read',
      'command 5, --cookie with the name of a file: files are not read',
      'command 5, --data-urlencode @file: files are not read',
    ])
  })

  test('are exported safe for a shell: the pasted text is one command, word for word', async () => {
    const hostile = `$(touch /tmp/x) \`id\` '; echo pwned "\\\n&& |`
    const fields = {
      name: 'x',
      url: `https://a.example/{{v}}?q=${hostile}`,
      headers: [
        { name: 'X-A', value: hostile, enabled: true },
        { name: '@/etc/passwd', value: '', enabled: true },
      ],
    }
    const made = await key.post('/api/v1/api-requests', {
      ...fields,
      method: 'POST',
      body: { mode: 'raw', text: `@${hostile}` },
      auth: { type: 'bearer', token: CANARY },
    })
    const { curl } = (await key.get(`/api/v1/api-requests/${made.body.data.id}/curl`)).body.data
    const words = execFileSync('sh', ['-c', `curl() { for word; do printf '%s\\0' "$word"; done; }; ${curl}`])
      .toString()
      .split('\0')
      .slice(0, -1)
    expect(words).toEqual([
      '--globoff',
      '--request',
      'POST',
      '--url',
      // Encoded, and without its line break, as it is sent.
      'https://a.example/{{v}}?q=$(touch%20/tmp/x)%20`id`%20%27;%20echo%20pwned%20%22\\&&%20|',
      '--header',
      `X-A: ${hostile.replace('\n', ' ')}`,
      '--header',
      'Authorization: Bearer {{token}}',
      '--header',
      'Content-Type: text/plain; charset=utf-8',
      '--data-raw',
      `@${hostile}`,
    ])
  })
})

test('a HAR file becomes requests, and braces in it are text', async () => {
  const request = {
    method: 'POST',
    url: 'https://a.example/{{x}}',
    headers: [
      { name: ':authority', value: 'a' },
      { name: 'X', value: '1' },
    ],
    postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b' }] },
  }
  const { whole, problems } = await taken(
    JSON.stringify({ log: { entries: [{ request }, { request: { method: 'GET', url: 'ws://a' } }] } }),
  )
  expect(whole).toMatchObject([
    {
      method: 'POST',
      url: 'https://a.example/\\{{x}}',
      headers: [{ name: 'X', value: '1', enabled: true }],
      body: { mode: 'form' },
    },
  ])
  expect(problems).toEqual([{ position: 'entry 2', reason: 'it must have an http or https address' }])
})

test('OpenAPI: security becomes auth, cookies a header and each server an environment; omissions are reported', async () => {
  const document = {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1' },
    servers: [
      { url: 'https://a.example/' },
      { url: 'https://{stage}.example', description: 'Staging', variables: { stage: { default: 'test' } } },
    ],
    security: [{ token: [] }, { certificate: [] }],
    paths: {
      '/a': {
        servers: [{ url: 'https://own.example' }],
        get: {
          parameters: [
            { name: 'session', in: 'cookie', required: true, example: 'x1' },
            { name: 'lang', in: 'cookie', example: 'en' },
          ],
        },
        put: { security: [] },
        post: { security: [{ key: [] }] },
        delete: { security: [{ certificate: [] }] },
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'Bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        certificate: { type: 'mutualTLS' },
      },
    },
  }
  const { whole, folders, environments, problems } = await taken(JSON.stringify(document))
  expect(folders[0].auth).toMatchObject({ type: 'bearer', token: '{{token}}' })
  const authOf = (method: string) => whole.find((made: { method: string }) => made.method === method)
  expect(authOf('GET')).toMatchObject({
    auth: { type: 'inherit' },
    headers: [{ name: 'Cookie', value: 'session=x1; lang=en', enabled: true }],
  })
  expect(authOf('PUT').auth).toMatchObject({ type: 'none' })
  expect(authOf('POST').auth).toMatchObject({ type: 'header', name: 'X-Key', value: '{{apiKey}}' })
  expect(
    environments
      .map(({ name, variables }: { name: string; variables: { value: string }[] }) => [name, variables[0]?.value])
      .toSorted(),
  ).toEqual([
    ['Shop', 'https://a.example'],
    ['Shop: Staging', 'https://test.example'],
  ])
  expect(problems).toEqual([
    { position: 'security', reason: 'authentication by certificate is not imported' },
    { position: '/a', reason: 'servers of its own are not imported' },
    { position: 'DELETE /a', reason: 'authentication by certificate is not imported' },
  ])
})

test('OpenAPI in YAML becomes a request for each operation; external references are not fetched', async () => {
  const { whole, environments, problems } = await taken(`openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: 'https://a.example/v1'}]
paths:
  /users/{userId}:
    parameters: [{name: userId, in: path, required: true}]
    post:
      summary: Change
      parameters: [{name: q, in: query, example: 7}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
    get: {summary: Read, parameters: [{$ref: 'https://evil.example/x.yaml#/p'}]}
components: {schemas: {User: {type: object, properties: {name: {type: string, example: ada}, friend: {$ref: '#/components/schemas/User'}}}}}
`)
  expect(environments[0].variables).toMatchObject([{ name: 'baseUrl', value: 'https://a.example/v1' }])
  expect(whole.map(({ method, url }: { method: string; url: string }) => `${method} ${url}`).toSorted()).toEqual([
    'GET {{baseUrl}}/users/{{userId}}',
    'POST {{baseUrl}}/users/{{userId}}',
  ])
  expect(JSON.parse(whole.find(({ method }: { method: string }) => method === 'POST').body.text).name).toBe('ada')
  expect(problems[0].reason).toContain('are not fetched')
})

test('files that cURL would read are not read, whatever option names them', async () => {
  const files = [
    '-K /etc/passwd',
    '--config=/etc/passwd',
    '-T /etc/passwd',
    '-F a=<file',
    '-F a=@file',
    '-d @file',
    '--data-binary @file',
    '--json @file',
  ]
  const { whole, problems } = await taken(
    [...files, '-H @file', '-b jar.txt', '--cert file'].map((option) => `curl ${option} https://a.example/`).join('\n'),
  )
  expect(whole).toHaveLength(11)
  expect(problems).toHaveLength(11)
  for (const { reason } of problems) expect(reason).toContain('files are not read')
  expect(JSON.stringify(whole)).not.toMatch(/root:|passwd/)
})

const OPENAPI = {
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://a.example' }],
  paths: {
    '/a': {
      get: {
        summary: 'Read',
        parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string', default: 'x' } }],
      },
    },
  },
}

test.each([
  ['3.0.0', JSON.stringify],
  ['3.0.3', dumpYaml],
  ['3.1.0', JSON.stringify],
  ['3.1.1', dumpYaml],
])('OpenAPI %s is accepted, in JSON and in YAML', async (openapi, write) => {
  const { whole, problems } = await taken(write({ openapi, ...OPENAPI }))
  expect(problems).toEqual([])
  expect(whole).toMatchObject([
    { name: 'Read', method: 'GET', url: '{{baseUrl}}/a', query: [{ name: 'q', value: 'x', enabled: true }] },
  ])
})

test.each([
  ['nothing of it', 'it must be cURL commands'],
  [JSON.stringify({ openapi: '2.0', info: {}, paths: {} }), 'it must be OpenAPI 3.0 or 3.1'],
  ['{"log": {}}', 'there are no log.entries'],
  [
    `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a,*a,*a,*a,*a,*a,*a]`).join('\n')}`,
    'cannot be read',
  ],
])('%j is rejected', async (text, message) => {
  const response = await importInto(await engagement(), text)
  expect(response.status).toBe(400)
  expect(response.body.error.message).toContain(message)
})

test('items that cannot be stored are reported, and the rest is imported', async () => {
  const entries = [
    { request: { method: 'GET', url: 'https://a.example/' } },
    { request: { method: 'GET X', url: 'https://a.example/' } },
    { request: { method: 'GET', url: 'https://a.example/\u0000' } },
  ]
  const { whole, problems } = await taken(JSON.stringify({ log: { entries } }))
  expect(whole).toHaveLength(1)
  expect(problems).toHaveLength(2)
})

test.each(['har', 'postman', 'openapi'])(
  'an export as %s has names instead of secrets, and can be imported again',
  async (format) => {
    const engagementId = await engagement()
    const folder = (
      await key.post('/api/v1/request-folders', {
        engagementId,
        name: 'Folder',
        auth: { type: 'bearer', token: CANARY },
      })
    ).body.data
    const body = { mode: 'json', text: '{"a":1}' }
    for (const method of ['POST', 'PUT'])
      await key.post('/api/v1/api-requests', {
        engagementId,
        folderId: folder.id,
        name: method,
        method,
        url: 'https://a.example/x',
        body,
        auth: { type: 'header', name: 'X-Key', value: CANARY },
      })
    const file = await key.get(`/api/v1/api-requests/export?engagementId=${engagementId}&format=${format}`)
    expect(file.status).toBe(200)
    expect(file.text).not.toContain(CANARY)
    const back = await taken(file.text, format)
    expect(back.whole.map(({ method }: { method: string }) => method).toSorted()).toEqual(['POST', 'PUT'])
    if (format === 'postman')
      expect(back.whole[0].auth).toMatchObject({ type: 'header', name: 'X-Key', value: '{{secret}}' })
  },
)

test('a request is exported as cURL and HAR as it is sent: with the auth of its folder, and escaped braces as text', async () => {
  const engagementId = await engagement()
  const outer = (
    await key.post('/api/v1/request-folders', {
      engagementId,
      name: 'Outer',
      auth: { type: 'basic', username: 'ada', password: CANARY },
    })
  ).body.data
  const folder = (
    await key.post('/api/v1/request-folders', {
      engagementId,
      parentId: outer.id,
      name: 'Inner',
      auth: { type: 'inherit' },
    })
  ).body.data
  const made = await key.post('/api/v1/api-requests', {
    engagementId,
    folderId: folder.id,
    name: 'x',
    method: 'POST',
    url: 'https://a.example/x',
    query: [{ name: 'q', value: '\\{{text}} {{v}}', enabled: true }],
    headers: [{ name: 'X-A', value: '\\{{text}} {{v}}', enabled: true }],
    body: { mode: 'raw', text: '\\{{text}} {{v}}' },
    auth: { type: 'inherit' },
  })
  const url = 'https://a.example/x?q=%7B%7Btext%7D%7D%20{{v}}'
  const { curl } = (await key.get(`/api/v1/api-requests/${made.body.data.id}/curl`)).body.data
  expect(curl).toBe(
    `curl --globoff --request 'POST' --url '${url}' --header 'X-A: {{text}} {{v}}' --user 'ada:{{password}}' --header 'Content-Type: text/plain; charset=utf-8' --data-raw '{{text}} {{v}}'`,
  )
  const { body } = await key.get(`/api/v1/api-requests/export?engagementId=${engagementId}&format=har`)
  expect(body.log.entries[0].request).toMatchObject({
    url,
    headers: [
      { name: 'X-A', value: '{{text}} {{v}}' },
      { name: 'Authorization', value: 'Basic {{credentials}}', comment: 'Base64 of ada:{{password}}' },
    ],
    queryString: [{ name: 'q', value: '{{text}} {{v}}' }],
    postData: { text: '{{text}} {{v}}' },
  })
  expect(JSON.stringify(body)).not.toContain(CANARY)
})
