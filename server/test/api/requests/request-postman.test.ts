import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const CANARY = 'canary-secret-91c2'
let app: TestApp
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(() => app.close())

const taken = async (text: string) => {
  const response = await key.request('POST', `/api/v1/api-requests/import?engagementId=${engagementId}&format=auto`, { rawBody: text })
  expect(response.status, response.text).toBe(201)
  const whole = async ({ id }: { id: string }) => (await key.get(`/api/v1/api-requests/${id}`)).body.data
  return { ...response.body.data, whole: await Promise.all(response.body.data.requests.map(whole)) }
}

test('a Postman collection becomes folders, requests and an environment; scripts are text', async () => {
  const item = [
    {
      name: 'Inner',
      item: [
        {
          name: 'Get',
          event: [{ listen: 'test', script: { exec: ['pm.test()'] } }],
          request: { method: 'GET', url: { raw: '{{base}}/x' }, header: [{ key: 'A', value: '1', disabled: true }] },
        },
      ],
    },
  ]
  const collection = {
    info: { name: 'Shop' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: CANARY }] },
    item,
    variable: [{ key: 'base', value: 'https://a.example' }],
  }
  const { whole, folders, environments, problems } = await taken(JSON.stringify(collection))
  expect(folders.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Inner'])
  expect(folders[0].auth).toEqual({ type: 'bearer', token: null, isSet: true })
  expect(whole[0]).toMatchObject({ name: 'Get', folderId: folders[1].id, url: '{{base}}/x', headers: [{ name: 'A', value: '1', enabled: false }] })
  expect(whole[0].description).toContain('pm.test()')
  expect(environments[0].variables[0]).toMatchObject({ name: 'base', value: 'https://a.example' })
  expect(problems).toHaveLength(1)
})

test("in a Postman collection disabled parameters are kept as such, parts make an address, GraphQL is JSON, and Postman's dynamic variables are reported", async () => {
  const off = { key: 'debug', value: '1', disabled: true }
  const graphql = { query: 'query Q($id: ID) { user(id: $id) }', variables: '{"id": {{id}}}' }
  const item = [
    { name: 'Off', request: { url: { raw: 'https://a.example/?a=1', query: [{ key: 'a', value: '1' }, off] } } },
    {
      name: 'Parts',
      request: { url: { protocol: 'https', host: ['api', 'example'], port: '8443', path: ['v1', 'users'], query: [{ key: 'a', value: '1' }, off] } },
    },
    { name: 'Base', request: { url: { host: ['{{base}}'], path: ['x'] } } },
    { name: 'Graph', request: { method: 'POST', url: 'https://a.example/', body: { mode: 'graphql', graphql } } },
    { name: 'Made up', request: { url: 'https://a.example/{{$guid}}', header: [{ key: 'X', value: '{{$guid}} {{$randomEmail}}' }] } },
    { name: 'No body', request: { method: 'POST', url: 'https://a.example/', body: { mode: 'raw', raw: 'x', disabled: true } } },
  ]
  const { whole, problems } = await taken(JSON.stringify({ info: { name: 'Shop' }, item }))
  expect(whole.map(({ url }: { url: string }) => url)).toEqual([
    'https://a.example/?a=1',
    'https://api.example:8443/v1/users?a=1',
    '{{base}}/x',
    'https://a.example/',
    'https://a.example/{{$guid}}',
    'https://a.example/',
  ])
  for (const request of whole.slice(0, 2)) expect(request.query).toEqual([{ name: 'debug', value: '1', enabled: false }])
  expect(JSON.parse(whole[3].body.text.replace('{{id}}', '7'))).toEqual({ query: graphql.query, variables: { id: 7 } })
  expect(whole[5].body).toEqual({ mode: 'none' })
  expect(problems).toEqual(['{{$guid}}', '{{$randomEmail}}'].map((name) => ({ position: 'item 5', reason: `${name} is made up by Postman, and text here` })))
})

test('scripts of a Postman collection and of its folders are not imported, and are reported', async () => {
  const event = [{ listen: 'prerequest', script: { exec: ['pm.sign()'] } }]
  const item = [{ name: 'Inner', event, item: [{ name: 'Get', request: 'https://a.example/' }] }]
  const { problems } = await taken(JSON.stringify({ info: { name: 'Shop' }, event, item }))
  const reason = 'its scripts, which run for all requests in it, are not taken over'
  expect(problems).toEqual([
    { position: 'collection', reason },
    { position: 'item 1', reason },
  ])
})
