import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const SEND = '/api/v1/api-requests/send'
let app: TestApp
let key: TestClient
let owner: TestClient
let web: Receiver
let engagementId: string
let hang: (() => void) | undefined

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    if (url.startsWith('/hang')) hang = () => void response.end('late')
    else if (url.startsWith('/login')) response.end(JSON.stringify({ token: 'from-login' }))
    else if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
    else response.end('fine')
  })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'targets:read', 'targets:write'])
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const create = async (path: string, fields: object) => {
  const response = await key.post(path, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const folder = (fields: object = {}) => create('/api/v1/request-folders', fields)
const request = (folderId: string, path: string, fields: object = {}) =>
  create('/api/v1/api-requests', { folderId, url: `${web.origin}${path}`, ...fields })
const execute = (id: string, body: object = {}) => key.post(`/api/v1/request-folders/${id}/execute`, body)
const aliveUntil = async (folderId: string): Promise<string> => {
  const row = await app.db
    .selectFrom('request_sequences')
    .select('alive_until')
    .where('folder_id', '=', folderId)
    .executeTakeFirstOrThrow()
  return row.alive_until
}
const paths = () => web.received.map(({ url }) => url)

describe('a sequence', () => {
  test('runs a folder in order, and a value captured by one is a variable of the next', async () => {
    const { id } = await folder()
    await request(id, '/login', { captures: [{ variable: 'token', from: 'json', path: '$.token' }] })
    const inner = await folder({ parentId: id, auth: { type: 'bearer', token: '{{token}}' } })
    await request(inner.id, '/last/{{token}}')
    await request(id, '/second')
    const { status, body } = await execute(id)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toMatchObject({
      state: 'succeeded',
      reason: null,
      progress: { done: 3, total: 3 },
      folderId: id,
      engagementId,
    })
    expect(body.data.runs.map(({ state }: { state: string }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    expect(paths().slice(-3)).toEqual(['/login', '/second', '/last/from-login'])
    expect(web.received.at(-1)?.headers.authorization).toBe('Bearer from-login')
    const listed = (await key.get(`/api/v1/request-sequences?folderId=${id}`)).body.data
    expect(listed).toMatchObject([{ id: body.data.id, progress: { done: 3, total: 3 } }])
    expect((await key.get(`/api/v1/request-runs?sequenceId=${body.data.id}`)).body.meta.total).toBe(3)
  })

  test('stops at the first failed assertion unless configured otherwise', async () => {
    const { id } = await folder()
    await request(id, '/a', { assertions: [{ subject: 'status', operator: 'equals', value: 500 }] })
    await request(id, '/b')
    expect((await execute(id)).body.data).toMatchObject({ state: 'failed', progress: { done: 1, total: 2 } })
    const on = (await execute(id, { continueOnFailure: true })).body.data
    expect(on).toMatchObject({ state: 'failed', progress: { done: 2, total: 2 } })
    expect(on.runs).toHaveLength(2)
  })

  test('fails if a request cannot be sent, with the reason', async () => {
    const { id } = await folder()
    await request(id, '/{{missing}}')
    const { data } = (await execute(id)).body
    expect(data.state).toBe('failed')
    expect(data.reason).toContain('there is no variable {{missing}}')
  })

  test('in an engagement that is not active, or outside its hours, is 409, and leaves nothing in the history', async () => {
    const within = (
      await owner.post('/api/web/engagements', {
        name: 'Over',
        details: { startsOn: '2020-01-01', endsOn: '2020-01-02' },
      })
    ).body.data.id
    const { id } = (await key.post('/api/v1/request-folders', { engagementId: within, name: 'Late' })).body.data
    await key.post('/api/v1/api-requests', {
      engagementId: within,
      folderId: id,
      name: 'One',
      url: `${web.origin}/late`,
    })
    expect((await execute(id)).status).toBe(409)
    await owner.patch(`/api/web/engagements/${within}/details`, { endsOn: null })
    await owner.patch(`/api/web/engagements/${within}`, { status: 'completed' })
    expect((await execute(id)).status).toBe(409)
    expect((await key.get(`/api/v1/request-sequences?folderId=${id}`)).body.data).toEqual([])
    expect(web.received.some(({ url }) => url === '/late')).toBe(false)
  })

  test('can be cancelled while it runs', async () => {
    const { id } = await folder()
    await request(id, '/hang')
    await request(id, '/never')
    const running = execute(id)
    await eventually(() => expect(hang).toBeDefined())
    const [sequence] = (await key.get(`/api/v1/request-sequences?folderId=${id}&state=running`)).body.data
    expect((await key.post(`/api/v1/request-sequences/${sequence.id}/cancel`)).status).toBe(200)
    const { data } = (await running).body
    expect(data).toMatchObject({ state: 'cancelled', reason: 'It was cancelled.' })
    expect(data.runs.map(({ state }: { state: string }) => state)).toEqual(['cancelled'])
    expect(paths()).not.toContain('/never')
  })

  test('that has not finished after ten minutes has failed, the running request included, and the rest is not sent', async () => {
    const { id } = await folder()
    const hanging = await request(id, '/hang', { options: { timeoutMs: 120_000 } })
    await request(id, '/never-sent')
    const sent = paths().length
    const running = execute(id)
    await eventually(() => expect(paths().slice(sent)).toEqual(['/hang']))
    app.clock.advance(9 * 60_000)
    const signsOfLife = new Set<string>()
    await eventually(async () => {
      signsOfLife.add(await aliveUntil(id))
      expect(signsOfLife.size).toBeGreaterThan(2)
    })
    expect((await key.get(`/api/v1/request-sequences?folderId=${id}`)).body.data).toMatchObject([{ state: 'running' }])
    app.clock.advance(60_000)
    const { data } = (await running).body
    expect(data).toMatchObject({
      state: 'failed',
      reason: 'The sequence took longer than 10 minutes.',
      progress: { done: 0, total: 2 },
    })
    expect((await key.get(`/api/v1/request-runs?requestId=${hanging.id}`)).body.data).toMatchObject([
      { state: 'failed', reason: 'The sequence took longer than 10 minutes.' },
    ])
    expect(paths().slice(sent)).toEqual(['/hang'])
    hang?.()
  })

  test('whose process died has failed', async () => {
    const { id } = await folder()
    const { data } = (await execute(id)).body
    await app.db
      .updateTable('request_sequences')
      .set({ state: 'running', ended_at: null, alive_until: new Date(0).toISOString() })
      .where('id', '=', data.id)
      .execute()
    expect((await key.get(`/api/v1/request-sequences/${data.id}`)).body.data).toMatchObject({ state: 'failed' })
    const other = (await execute(id)).body.data
    expect(other.state).toBe('succeeded')
  })
})

describe('scope rules', () => {
  const rule = (within: string, effect: string, pattern: string) =>
    owner.post('/api/web/scope-rules', { engagementId: within, effect, pattern })
  const engagement = async (): Promise<string> =>
    (await owner.post('/api/web/engagements', { name: 'With rules' })).body.data.id
  const send = (within: string, url: string, options: object = {}) =>
    key.post(SEND, { engagementId: within, request: { url, options } })

  test('refuse an address or path that is out, and nothing is sent', async () => {
    const within = await engagement()
    expect((await rule(within, 'allow', `${web.origin}/api`)).status).toBe(201)
    const before = web.connections
    const { data } = (await send(within, `${web.origin}/admin`)).body
    expect(data).toMatchObject({
      state: 'refused',
      response: null,
      hops: [{ url: `${web.origin}/admin`, address: null, status: null }],
    })
    expect(data.reason).toContain('the scope rules refuse it')
    expect(web.connections).toBe(before)
    expect((await send(within, `${web.origin}/api/x`)).body.data.state).toBe('succeeded')
  })

  test('evaluate each hop of a redirect again', async () => {
    const within = await engagement()
    await rule(within, 'deny', `${web.origin}/secret`)
    const { data } = (
      await send(within, `${web.origin}/to/${encodeURIComponent('/secret')}`, { followRedirects: 'yes' })
    ).body
    expect(data).toMatchObject({ state: 'refused', response: null })
    expect(data.hops.map(({ status }: { status: number | null }) => status)).toEqual([302, null])
    expect(paths()).not.toContain('/secret')
  })

  test('allow unknown addresses and those marked caution', async () => {
    const within = await engagement()
    expect((await send(within, `${web.origin}/x`)).body.data.state).toBe('succeeded')
    await rule(within, 'caution', '127.0.0.1')
    expect((await send(within, `${web.origin}/x`)).body.data.state).toBe('succeeded')
  })

  test('a target provides its values, and one of another engagement is 422', async () => {
    const within = await engagement()
    const target = (await key.post('/api/v1/targets', { engagementId: within, value: `${web.origin}/app` })).body.data
    const wanted = {
      request: { url: '{{target.url}}/users', headers: [{ name: 'X-Host', value: '{{target.host}}', enabled: true }] },
      targetId: target.id,
    }
    expect((await key.post(SEND, { engagementId: within, ...wanted })).status).toBe(201)
    expect(web.received.at(-1)).toMatchObject({ url: '/app/users' })
    expect(web.received.at(-1)?.headers['x-host']).toBe('127.0.0.1')
    expect((await key.post(SEND, { engagementId, ...wanted })).status).toBe(422)
  })
})

test('a clone copies folders, requests and environments, and no secrets', async () => {
  const from = (await owner.post('/api/web/engagements', { name: 'First test' })).body.data.id
  const outer = await folder({ engagementId: from, auth: { type: 'bearer', token: 'a secret' } })
  await create('/api/v1/api-requests', {
    engagementId: from,
    folderId: outer.id,
    url: 'https://example.com/',
    auth: { type: 'basic', username: 'u', password: 'p' },
  })
  await create('/api/v1/environments', {
    engagementId: from,
    variables: [{ name: 'token', value: 'a secret', secret: true }],
  })
  const clone = await owner.post(`/api/web/engagements/${from}/clone`, { name: 'Retest', include: ['requests'] })
  expect(clone.status, clone.text).toBe(201)
  const of = async (path: string) => (await key.get(`/api/v1/${path}?engagementId=${clone.body.data.id}`)).body.data
  const [request] = await of('api-requests')
  const [copied] = await of('request-folders')
  expect(request.folderId).toBe(copied.id)
  expect(copied.auth.isSet).toBe(false)
  expect((await key.get(`/api/v1/api-requests/${request.id}`)).body.data.auth).toEqual({
    type: 'basic',
    username: 'u',
    password: null,
    isSet: false,
  })
  expect((await of('environments'))[0].variables).toEqual([{ name: 'token', value: null, secret: true, isSet: false }])
})

test('a run becomes a file of a task or page, which outlives it, or a new vulnerability; elsewhere it is 422', async () => {
  const all = await app.withKey([
    'api-requests:write',
    'api-requests:read',
    'tasks:read',
    'tasks:write',
    'targets:read',
    'targets:write',
    'wiki:read',
    'wiki:write',
  ])
  const run = (await all.post(SEND, { engagementId, request: { url: `${web.origin}/evidence` } })).body.data
  const attach = (body: object, client: TestClient = all) => client.post(`/api/v1/request-runs/${run.id}/attach`, body)
  const task = (await all.post('/api/v1/tasks', { engagementId, title: 'Look' })).body.data
  const file = (await attach({ taskId: task.id })).body.data
  expect(file).toMatchObject({ fileName: `${run.id}.http`, runId: run.id })
  const result = (await attach({ newResult: { title: 'Found', severity: 'high' } })).body.data
  expect((await all.get(`/api/v1/results/${result.resultId}`)).body.data.data.response).toContain('fine')
  expect((await attach({ taskId: task.id, newResult: { title: 'x', severity: 'low' } })).status).toBe(422)
  const page = (await all.post('/api/v1/wiki-pages', { engagementId, title: 'Notes' })).body.data
  const hung = (await attach({ pageId: page.id })).body.data
  expect((await all.get(`/api/v1/wiki-pages/${page.id}/files`)).body.data).toMatchObject([
    { id: hung.id, runId: run.id },
  ])
  const library = (await all.post('/api/v1/wiki-pages', { title: 'Handbook' })).body.data
  expect((await attach({ pageId: library.id })).status).toBe(422)
  const elsewhere = (await owner.post('/api/web/engagements', { name: 'Elsewhere' })).body.data.id
  const other = (await all.post('/api/v1/tasks', { engagementId: elsewhere, title: 'Other' })).body.data
  expect((await attach({ taskId: other.id })).status).toBe(422)
  expect((await attach({ taskId: task.id }, await app.withKey(['api-requests:write']))).status).toBe(403)
  await all.delete(`/api/v1/request-runs/${run.id}`)
  expect((await all.get(`/api/v1/tasks/${task.id}/files/${file.id}`)).text).toContain('/evidence')
})
