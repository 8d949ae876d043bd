import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

const REQUESTS = '/api/v1/api-requests'
const FOLDERS = '/api/v1/request-folders'
const ENVIRONMENTS = '/api/v1/environments'
let app: TestApp
let key: TestClient
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  owner = await app.signedIn('owner')
  engagementId = await engagement()
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
const create = async (path: string, fields: object) => {
  const response = await key.post(path, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const request = (fields: object = {}) => create(REQUESTS, { url: 'https://example.com/', ...fields })
const rowsOf = async (table: 'api_requests' | 'request_environments' | 'audit_entries' | 'request_folders') =>
  JSON.stringify(await app.db.selectFrom(table).selectAll().execute())

describe('saved requests', () => {
  test('have defaults for omitted fields and keep the given ones', async () => {
    const made = await request({ name: 'List users' })
    expect(made).toMatchObject({
      engagementId,
      folderId: null,
      name: 'List users',
      description: '',
      method: 'GET',
      url: 'https://example.com/',
      query: [],
      headers: [],
      body: { mode: 'none' },
      auth: { type: 'inherit' },
      captures: [],
      assertions: [],
      lastRun: null,
      createdBy: null,
      options: {
        timeoutMs: 3e4,
        followRedirects: 'no',
        maxRedirects: 10,
        verifyTls: true,
        httpVersion: 'auto',
      },
    })
    const changed = await key.patch(`${REQUESTS}/${made.id}`, {
      options: { timeoutMs: 5 },
      body: { mode: 'json', text: '{"a": {{b}}}' },
    })
    expect(changed.body.data.options).toEqual({ ...made.options, timeoutMs: 5 })
    expect(changed.body.data.body).toEqual({ mode: 'json', text: '{"a": {{b}}}' })
    expect(changed.body.data.updatedAt > made.updatedAt).toBe(true)
    expect((await key.get(`${REQUESTS}/${made.id}`)).body).toEqual(changed.body)
    const stale = await key.patch(`${REQUESTS}/${made.id}`, { name: 'Other', ifUpdatedAt: made.updatedAt })
    expect(stale.status).toBe(409)
    expect((await key.delete(`${REQUESTS}/${made.id}`)).body).toEqual({ data: { deleted: true, id: made.id } })
    expect((await key.get(`${REQUESTS}/${made.id}`)).status).toBe(404)
  })

  test.each([
    [{ method: 'CONNECT' }, 'method: CONNECT is not sent'],
    [{ method: 'GET /' }, 'method'],
    [{ body: { mode: 'json', fields: [] } }, 'body.fields: does not belong to the mode json'],
    [{ body: { mode: 'raw' } }, 'body.text: is needed for the mode raw'],
    [{ captures: [{ variable: 'a', from: 'json', path: '$[' }] }, 'captures.0.path: must be a JSONPath'],
    [{ captures: [{ variable: 'a', from: 'regex', path: '(' }] }, 'captures.0.path: must be a regular expression'],
    [{ captures: [{ variable: '1a', from: 'status' }] }, 'captures.0.variable'],
    [{ assertions: [{ subject: 'body', operator: 'matches', value: '(' }] }, 'assertions.0.value'],
    [{ assertions: [{ subject: 'status', operator: 'equals' }] }, 'assertions.0.value: is needed for equals'],
    [{ folderId: unknownId('fld') }, 'folderId: there is no such folder here'],
    [{ engagementId: unknownId('eng') }, 'engagementId: there is no such engagement'],
  ])('are rejected with %j', async (fields, message) => {
    const response = await key.post(REQUESTS, { engagementId, name: 'Wrong', url: 'https://example.com/', ...fields })
    expect(response.status, response.text).toBe(422)
    expect(response.body.error.message).toContain(message)
  })

  test('are listed by place, method and part of a text, in their order, without large fields', async () => {
    const place = await engagement()
    const folder = await create(FOLDERS, { engagementId: place, name: 'Inner' })
    const [a, b] = [
      await request({ engagementId: place, name: 'a', method: 'POST' }),
      await request({ engagementId: place, name: 'b', folderId: folder.id }),
    ]
    const names = async (query: string) =>
      (await key.get(`${REQUESTS}?engagementId=${place}&${query}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['a', 'b'])
    expect(await names('method=POST')).toEqual(['a'])
    expect(await names(`folderId=${folder.id}`)).toEqual(['b'])
    expect(await names('folderId=none')).toEqual(['a'])
    expect(await names('q=B')).toEqual(['b'])
    expect((await key.get(`${REQUESTS}?engagementId=${place}`)).body.data[0]).not.toHaveProperty('body')
    await key.post(`${REQUESTS}/${b.id}/move`, { beforeId: a.id })
    expect(await names('')).toEqual(['b', 'a'])
    expect((await key.get(`${REQUESTS}/${b.id}`)).body.data.folderId).toBeNull()
    expect((await key.post(`${REQUESTS}/${b.id}/move`, { beforeId: b.id })).status).toBe(422)
    expect((await key.post(`${REQUESTS}/${b.id}/move`, {})).status).toBe(422)
    expect((await key.post(`${REQUESTS}/${b.id}/move`, { afterId: (await request()).id })).status).toBe(422)
  })

  test('of an archived engagement cannot be changed', async () => {
    const place = await engagement()
    const made = await request({ engagementId: place })
    for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${place}`, { status })
    for (const response of [
      key.patch(`${REQUESTS}/${made.id}`, { name: 'x' }),
      key.delete(`${REQUESTS}/${made.id}`),
      key.post(`${REQUESTS}/${made.id}/copy`),
    ]) {
      expect((await response).status).toBe(409)
    }
  })
})

describe('folders', () => {
  test('nest, move, and delete their contents with them', async () => {
    const outer = await create(FOLDERS, { name: 'Outer' })
    const inner = await create(FOLDERS, { name: 'Inner', parentId: outer.id })
    const within = await request({ folderId: inner.id })
    expect((await key.patch(`${FOLDERS}/${outer.id}`, { parentId: inner.id })).body.error.message).toContain(
      'parentId: must not be inside the folder itself',
    )
    expect((await key.patch(`${FOLDERS}/${outer.id}`, { parentId: outer.id })).status).toBe(422)
    expect((await key.delete(`${FOLDERS}/${outer.id}`)).status).toBe(200)
    expect((await key.get(`${FOLDERS}/${inner.id}`)).status).toBe(404)
    expect((await key.get(`${REQUESTS}/${within.id}`)).status).toBe(404)
  })

  test('nest no deeper than 20', async () => {
    let parentId = null
    for (let depth = 1; depth <= 20; depth++) parentId = (await create(FOLDERS, { parentId })).id
    expect((await key.post(FOLDERS, { engagementId, name: 'Too deep', parentId })).status).toBe(422)
  })
})

const CANARY = 'canary-secret-7f3a'

describe('X9: secrets', () => {
  test('of auth are encrypted, never returned, and kept by null while the type stays', async () => {
    const made = await request({ auth: { type: 'basic', username: 'ada', password: CANARY } })
    expect(made.auth).toEqual({ type: 'basic', username: 'ada', password: null, isSet: true })
    const kept = await key.patch(`${REQUESTS}/${made.id}`, { auth: { type: 'basic', username: 'eve', password: null } })
    expect(kept.body.data.auth).toEqual({ type: 'basic', username: 'eve', password: null, isSet: true })
    const gone = await key.patch(`${REQUESTS}/${made.id}`, { auth: { type: 'bearer', token: null } })
    expect(gone.body.data.auth).toEqual({ type: 'bearer', token: null, isSet: false })
    expect((await request({ auth: { type: 'bearer', token: '{{token}}' } })).auth).toEqual({
      type: 'bearer',
      token: '{{token}}',
      isSet: true,
    })
    await create(FOLDERS, { auth: { type: 'header', name: 'X-Key', value: CANARY } })
    for (const table of ['api_requests', 'request_folders', 'audit_entries'] as const)
      expect(await rowsOf(table)).not.toContain(CANARY)
    expect(app.logLines.join('\n')).not.toContain(CANARY)
  })

  test('of an environment are encrypted, never returned, kept by null, and cannot be unmarked without a value', async () => {
    const variables = [
      { name: 'host', value: 'example.com', secret: false },
      { name: 'token', value: CANARY, secret: true },
    ]
    const made = await create(ENVIRONMENTS, { variables })
    expect(made.variables).toEqual([
      { name: 'host', value: 'example.com', secret: false, isSet: true },
      { name: 'token', value: null, secret: true, isSet: true },
    ])
    const path = `${ENVIRONMENTS}/${made.id}`
    const change = (value: object[]) => key.patch(path, { variables: value })
    expect((await change([{ name: 'token', value: null, secret: true }])).body.data.variables[0].isSet).toBe(true)
    expect((await change([{ name: 'token', value: null, secret: false }])).status).toBe(422)
    expect((await change([variables[0] as object, variables[0] as object])).status).toBe(422)
    expect(await rowsOf('request_environments')).not.toContain(CANARY)
    expect((await change([])).body.data.variables).toEqual([])
    expect((await key.delete(path)).status).toBe(200)
  })

  test.each(['ftp://a', 'http://user:pass@proxy.example', 'http://proxy.example/path', 'nothing'])(
    'the proxy %s is refused',
    async (proxy) => {
      expect((await key.post(ENVIRONMENTS, { engagementId, name: 'x', proxy })).status).toBe(422)
    },
  )

  test('are copied within the same place only', async () => {
    const made = await request({ auth: { type: 'bearer', token: CANARY } })
    expect((await key.post(`${REQUESTS}/${made.id}/copy`, {})).body.data.auth.isSet).toBe(true)
    const elsewhere = await key.post(`${REQUESTS}/${made.id}/copy`, { engagementId: null })
    expect(elsewhere.body.data).toMatchObject({
      engagementId: null,
      folderId: null,
      auth: { type: 'bearer', token: null, isSet: false },
    })
  })
})
