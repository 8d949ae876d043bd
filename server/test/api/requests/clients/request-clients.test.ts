import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  const owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(() => app.close())

const send = (file: string | Buffer | object, more: Record<string, string> = {}) =>
  key.request('POST', `/api/v1/api-requests/import?${new URLSearchParams({ engagementId, ...more }).toString()}`, {
    rawBody: typeof file === 'string' || Buffer.isBuffer(file) ? file : JSON.stringify(file),
  })
const taken = async (file: string | object, more: Record<string, string> = {}) => {
  const { status, body, text } = await send(file, more)
  expect(status, text).toBe(201)
  const { requests, folders, environments, problems } = body.data
  const whole = await Promise.all(
    requests.map(async ({ id }: { id: string }) => (await key.get(`/api/v1/api-requests/${id}`)).body.data),
  )
  const reasons = problems.map(({ reason }: { reason: string }) => reason)
  return { whole, folders, environments, reasons }
}

test('Swagger 2.0: server, parameters, bodies and authentication are those of OpenAPI', async () => {
  const { whole, environments } = await taken(`swagger: '2.0'
info: {title: Old, version: '1'}
host: api.example.com
basePath: /v1
schemes: [https]
securityDefinitions: {basic: {type: basic}}
security: [{basic: []}]
parameters: {page: {name: page, in: query, type: integer, default: 2, required: true}}
paths:
  /pets:
    post:
      consumes: [application/json]
      parameters:
        - $ref: '#/parameters/page'
        - {name: tags, in: query, type: array, items: {type: string, default: a}, collectionFormat: csv, required: true}
        - {name: body, in: body, schema: {$ref: '#/definitions/Pet'}}
definitions: {Pet: {type: object, properties: {name: {type: string, example: Rex}}}}
`)
  expect(whole).toMatchObject([
    {
      method: 'POST',
      url: '{{baseUrl}}/pets',
      query: [
        { name: 'page', value: '2' },
        { name: 'tags', value: 'a' },
      ],
      body: { mode: 'json' },
    },
  ])
  expect(JSON.parse(whole[0].body.text)).toEqual({ name: 'Rex' })
  expect(environments).toMatchObject([{ variables: [{ name: 'baseUrl', value: 'https://api.example.com/v1' }] }])
})

test('Postman: an environment, and a collection as the API answers it', async () => {
  const found = await taken({
    name: 'Staging',
    values: [
      { key: 'base', value: 'https://a.example', enabled: true },
      { key: 'token', value: 's', type: 'secret' },
      { key: 'old', value: '1', enabled: false },
    ],
    _postman_variable_scope: 'environment',
  })
  expect(found.environments).toMatchObject([
    {
      name: 'Staging',
      variables: [
        { name: 'base', value: 'https://a.example' },
        { name: 'token', secret: true },
      ],
    },
  ])
  expect(found.reasons).toEqual(['it is switched off, and left out'])
  const wrapped = await taken({
    collection: { info: { name: 'C' }, item: [{ name: 'R', request: { method: 'GET', url: 'https://a.example/' } }] },
  })
  expect(wrapped.whole).toMatchObject([{ url: 'https://a.example/' }])
})

describe('collections of other clients', () => {
  test('Insomnia: folders, variables, parameters, forms; unknown authentication becomes none', async () => {
    const { whole, environments, reasons } = await taken({
      _type: 'export',
      __export_format: 4,
      resources: [
        { _id: 'wrk_1', _type: 'workspace', name: 'Shop' },
        { _id: 'fld_1', _type: 'request_group', parentId: 'wrk_1', name: 'Items' },
        {
          _id: 'req_1',
          _type: 'request',
          parentId: 'fld_1',
          name: 'List',
          method: 'POST',
          url: '{{ _.base }}/items',
          parameters: [{ name: 'q', value: '1', disabled: true }],
          headers: [{ name: 'X', value: '{{ _.token }}' }],
          body: { mimeType: 'application/json', text: '{"a":1}' },
          authentication: { type: 'hawk' },
        },
        {
          _id: 'env_1',
          _type: 'environment',
          parentId: 'wrk_1',
          name: 'Base',
          data: { base: 'https://a.example', nested: { key: 'v' } },
        },
      ],
    })
    expect(whole).toMatchObject([
      {
        url: '{{base}}/items',
        query: [{ name: 'q', enabled: false }],
        headers: [{ name: 'X', value: '{{token}}' }],
        body: { mode: 'json', text: '{"a":1}' },
        auth: { type: 'none' },
      },
    ])
    expect(environments[0].variables).toMatchObject([
      { name: 'base', value: 'https://a.example' },
      { name: 'nested.key', value: 'v' },
    ])
    expect(reasons).toEqual([expect.stringContaining('hawk is not imported')])
  })

  test('Insomnia 5 in YAML', async () => {
    const { whole } = await taken(
      'type: collection.insomnia.rest/5.0\nname: Shop\ncollection:\n  - name: Items\n    children:\n      - name: List\n        url: "{{ base }}/items"\n        method: GET\nenvironments: {name: Base, data: {base: "https://a.example"}}\n',
    )
    expect(whole).toMatchObject([{ name: 'List', url: '{{base}}/items' }])
  })

  test('Bruno: an exported collection, a file of a request, and one of variables', async () => {
    const request = {
      url: 'https://a.example/items/:id',
      method: 'POST',
      headers: [{ name: 'X', value: '1', enabled: false }],
      params: [{ name: 'id', value: '7', type: 'path' }],
      body: { mode: 'formUrlEncoded', formUrlEncoded: [{ name: 'a', value: 'b', enabled: true }] },
      auth: { mode: 'bearer', bearer: { token: '{{t}}' } },
    }
    const { whole } = await taken({
      name: 'Shop',
      version: '1',
      items: [{ type: 'folder', name: 'F', items: [{ type: 'http', name: 'R', request }] }],
      environments: [],
    })
    expect(whole).toMatchObject([
      {
        url: 'https://a.example/items/7',
        headers: [{ enabled: false }],
        body: { mode: 'form', fields: [{ name: 'a', value: 'b' }] },
        auth: { type: 'bearer', token: '{{t}}' },
      },
    ])
    const file = await taken(
      'meta {\n  name: Create\n  type: http\n}\n\npost {\n  url: https://a.example/items\n  body: json\n  auth: basic\n}\n\nheaders {\n  X: 1\n  ~Y: 2\n}\n\nauth:basic {\n  username: ada\n  password: pw\n}\n\nbody:json {\n  {\n    "a": 1\n  }\n}\n',
    )
    expect(file.whole).toMatchObject([
      {
        name: 'Create',
        method: 'POST',
        headers: [
          { name: 'X', enabled: true },
          { name: 'Y', enabled: false },
        ],
        auth: { type: 'basic', username: 'ada' },
        body: { mode: 'json' },
      },
    ])
    expect(JSON.parse(file.whole[0].body.text)).toEqual({ a: 1 })
    expect((await taken('vars {\n  base: https://a.example\n}\n')).environments).toMatchObject([
      { variables: [{ name: 'base' }] },
    ])
  })

  test('Hoppscotch: its variables become ours, braces stay text', async () => {
    const { whole } = await taken([
      {
        v: 11,
        name: 'Shop',
        folders: [],
        requests: [
          {
            name: 'R',
            method: 'GET',
            endpoint: '<<base>>/items',
            params: [{ key: 'q', value: '{{x}}', active: true }],
            headers: [],
            auth: { authType: 'basic', authActive: true, username: 'a', password: 'b' },
            body: { contentType: null, body: null },
          },
        ],
      },
    ])
    expect(whole).toMatchObject([
      { url: '{{base}}/items', query: [{ name: 'q', value: String.raw`\{{x}}` }], auth: { type: 'basic' } },
    ])
  })
})

describe('HTTP', () => {
  test('a request as it is sent: all of it is text, and its connection headers are left out', async () => {
    const { whole, reasons } = await taken(
      'POST /api?x={{a}} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}',
    )
    expect(whole).toMatchObject([
      {
        method: 'POST',
        url: String.raw`https://a.example/api?x=\{{a}}`,
        headers: [{ name: 'Content-Type' }],
        body: { mode: 'json', text: '{"name":"x"}' },
        auth: { type: 'none' },
      },
    ])
    expect(reasons).toEqual(['it states no scheme: https is used'])
  })

  test('a file of an editor has several requests and variables', async () => {
    const { whole, environments } = await taken(
      '@base = https://a.example\n\n# List\nGET {{base}}/items\nAccept: */*\n\n###\n\nPOST {{base}}/items\nContent-Type: application/json\n\n{"a":1}\n',
    )
    expect(whole.map(({ name, method, url }: Record<string, string>) => [name, method, url])).toEqual([
      ['List', 'GET', '{{base}}/items'],
      [expect.any(String), 'POST', '{{base}}/items'],
    ])
    expect(environments).toMatchObject([{ variables: [{ name: 'base', value: 'https://a.example' }] }])
  })

  test('saved items of Burp', async () => {
    const base64 = Buffer.from('PUT /cart HTTP/2\r\nHost: shop.example.com\r\n\r\n{{7*7}}{{name}}').toString('base64')
    const { whole } = await taken(
      `<?xml version="1.1"?><items burpVersion="1"><item><url>https://shop.example.com/cart</url><request base64="true">${base64}</request><comment>look</comment></item></items>`,
    )
    expect(whole).toMatchObject([
      {
        method: 'PUT',
        url: 'https://shop.example.com/cart',
        description: 'look',
        body: { mode: 'raw', text: String.raw`{{7*7}}\{{name}}` },
      },
    ])
  })
})

test('names in braces are variables of a cURL command, or text if asked', async () => {
  const command = "curl 'https://a.example/?q={{name}}'"
  expect((await taken(command)).whole).toMatchObject([{ url: 'https://a.example/?q={{name}}' }])
  expect((await taken(command, { variables: 'text' })).whole).toMatchObject([
    { url: String.raw`https://a.example/?q=\{{name}}` },
  ])
})

test.each<[string, string | Buffer, RegExp]>([
  ['PowerShell', '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession', /Copy as cURL \(bash\)/],
  ['fetch', 'fetch("https://a.example", {})', /Copy as cURL \(bash\)/],
  ['a WSDL', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>', /WSDL/],
  ['GraphQL', 'type Query { users: [String] }', /GraphQL/],
  ['a ZIP', Buffer.from('504b0304140000ff', 'hex'), /ZIP/],
  ['XML with entities', '<!DOCTYPE items [<!ENTITY a "b">]><items burpVersion="1"><item/></items>', /entities/],
  ['deep nesting that is not closed', `{"resources":${'['.repeat(100_000)}`, /nested deeper than 200 levels/],
  ['deep nesting in JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested deeper than 200 levels/],
  ['deep nesting in YAML', `openapi: 3.1.0\ninfo:\n  ${'- '.repeat(100_000)}`, /nested deeper than 200 levels/],
])('%s is refused with what to do', async (_what, file, reason) => {
  const { status, body } = await send(file)
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(reason)])
})
