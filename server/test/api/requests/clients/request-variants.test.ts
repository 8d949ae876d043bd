import { afterAll, beforeAll, expect, test } from 'vitest'
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

const taken = async (file: string | object, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ engagementId, ...more }).toString()
  const { status, body, text } = await key.request('POST', `/api/v1/api-requests/import?${query}`, {
    rawBody: typeof file === 'string' ? file : JSON.stringify(file),
  })
  expect(status, text).toBe(201)
  const { requests, folders, problems } = body.data
  const whole = await Promise.all(
    requests.map(async ({ id }: { id: string }) => (await key.get(`/api/v1/api-requests/${id}`)).body.data),
  )
  return { whole, folders, reasons: problems.map(({ reason }: { reason: string }) => reason) }
}

test.each([
  ['the line ends of HTTP', '\r\n'],
  ['other line ends', '\n'],
])('a multipart request with %s is sent with those of HTTP', async (_what, end) => {
  const body = ['--b', 'Content-Disposition: form-data; name="a"', '', '1', '--b--', ''].join(end)
  const head = ['POST /upload HTTP/1.1', 'Host: a.example', 'Content-Type: multipart/form-data; boundary=b']
  const { whole } = await taken([...head, '', body].join(end))
  expect(whole).toMatchObject([
    {
      url: 'https://a.example/upload',
      body: { mode: 'raw', text: body.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') },
    },
  ])
})

test('in a request that was sent, a heading of Markdown in the body is text', async () => {
  const { whole } = await taken(
    'POST /notes HTTP/1.1\r\nHost: a.example\r\nContent-Type: text/markdown\r\n\r\n# A\r\n### B\r\ntext',
  )
  expect(whole).toMatchObject([{ body: { text: '# A\r\n### B\r\ntext' } }])
  expect(
    (await taken('GET /1 HTTP/1.1\nHost: a.example\n\n### second\nGET /2 HTTP/1.1\nHost: a.example\n')).whole.map(
      ({ url }: { url: string }) => url,
    ),
  ).toEqual(['https://a.example/1', 'https://a.example/2'])
})

test('Postman: a path variable replaces its own part only', async () => {
  const variable = [
    { key: 'user', value: 'u1' },
    { key: 'userId', value: '7' },
  ]
  const url = { raw: 'https://a.example/:user/:userId/:userIds?at=/:user', variable }
  const { whole } = await taken({ info: { name: 'C' }, item: [{ name: 'R', request: { method: 'GET', url } }] })
  expect(whole).toMatchObject([{ url: 'https://a.example/u1/7/:userIds?at=/:user' }])
})

test('Postman version 1, also in an export of all data', async () => {
  const collection = {
    id: 'c',
    name: 'Old',
    order: ['r1'],
    folders_order: ['f1'],
    folders: [{ id: 'f1', name: 'Admin', order: ['r2'] }],
    requests: [
      {
        id: 'r1',
        name: 'List',
        method: 'GET',
        url: 'https://a.example/items/:id',
        pathVariables: { id: '7' },
        headers: 'X-A: 1\n//X-B: 2\n',
        currentHelper: 'digestAuth',
        helperAttributes: { username: 'u' },
      },
      {
        id: 'r2',
        name: 'Create',
        method: 'POST',
        url: 'https://a.example/items',
        dataMode: 'raw',
        rawModeData: '{"a":1}',
        dataOptions: { raw: { language: 'json' } },
        tests: 'pm.test()',
      },
    ],
  }
  for (const file of [collection, { version: 1, collections: [collection], environments: [] }]) {
    const { whole, folders, reasons } = await taken(file)
    expect(folders.map(({ name }: { name: string }) => name)).toEqual(['Old', 'Admin'])
    expect(Object.fromEntries(whole.map((each: { name: string }) => [each.name, each]))).toMatchObject({
      List: {
        url: 'https://a.example/items/7',
        headers: [
          { name: 'X-A', value: '1', enabled: true },
          { name: 'X-B', value: '2', enabled: false },
        ],
        auth: { type: 'none' },
      },
      Create: { method: 'POST', body: { mode: 'json', text: '{"a":1}' } },
    })
    expect(reasons.join()).toMatch(/authentication by digestAuth is not imported/)
  }
})

test('Bruno: a single request does not get the credentials of the folder it is imported into', async () => {
  const folder = await key.post('/api/v1/request-folders', {
    engagementId,
    name: 'Theirs',
    auth: { type: 'bearer', token: 'secret' },
  })
  expect(folder.status, folder.text).toBe(201)
  const { whole, reasons } = await taken(
    'meta {\n  name: R\n}\n\nget {\n  url: https://other.example/\n  auth: inherit\n}\n',
    { folderId: folder.body.data.id },
  )
  expect(whole).toMatchObject([{ auth: { type: 'none' } }])
  expect(reasons).toEqual([
    'its collection, whose authentication it inherits, is not in the file: it is sent without it',
  ])
})
