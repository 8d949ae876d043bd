import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const RUNS = '/api/v1/request-runs'
let app: TestApp
let key: TestClient
let owner: TestClient & { user: { id: string; name: string } }
let engagementId: string
let web: Receiver

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    if (url.startsWith('/bytes/')) response.end(Buffer.alloc(Number(url.slice(7)), 'a'))
    else if (url === '/headers')
      response
        .writeHead(
          200,
          [
            ['X-B', '1'],
            ['x-a', '2'],
            ['X-B', '3'],
          ].flat(),
        )
        .end('')
    else if (url === '/one')
      response.writeHead(200, { 'x-same': 's', 'x-changed': '1', 'x-gone': 'g' }).end('first\nsame\nlast')
    else if (url === '/two')
      response.writeHead(404, { 'x-same': 's', 'x-changed': '2', 'x-new': 'n' }).end('FIRST\nsame\nlast')
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'))
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

const run = async (url: string, client: TestClient = key, path = '/api/v1') => {
  const response = await client.post(`${path}/api-requests/send`, { engagementId, request: { url } })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

test('headers of a response keep their order and spelling, repeated ones are repeated', async () => {
  const { response } = await run(`${web.origin}/headers`)
  expect(response.headers.filter(({ name }: { name: string }) => /^x-/i.test(name))).toEqual([
    { name: 'X-B', value: '1' },
    { name: 'x-a', value: '2' },
    { name: 'X-B', value: '3' },
  ])
})

test('size, hash and body of a response are those after content decoding', async () => {
  const made = await run(`${web.origin}/packed`)
  expect(made.response).toMatchObject({
    size: 8,
    truncated: false,
    bodySha256: createHash('sha256').update('unpacked').digest('hex'),
  })
  expect((await key.get(`${RUNS}/${made.id}/body`)).text).toBe('unpacked')
})

test('1 MiB of a body is kept by default, and the rest is counted', async () => {
  for (const [bytes, truncated] of [
    [1_048_576, false],
    [1_048_577, true],
  ] as const) {
    const made = await run(`${web.origin}/bytes/${bytes}`)
    expect(made.response).toMatchObject({ size: bytes, truncated })
    expect((await key.get(`${RUNS}/${made.id}/body`)).text).toHaveLength(1_048_576)
  }
})

test('a run names who started it, and runs are found by that, by state and by request', async () => {
  const saved = (await owner.post('/api/web/api-requests', { engagementId, name: 'Saved', url: `${web.origin}/one` }))
    .body.data
  const mine = (await owner.post(`/api/web/api-requests/${saved.id}/execute`, {})).body.data
  expect(mine.startedBy).toEqual({ id: owner.user.id, name: owner.user.name })
  expect(await run(`${web.origin}/one`)).toMatchObject({ startedBy: null, requestId: null })
  await run('http://10.0.0.1/')
  const found = async (filter: string) =>
    (await key.get(`${RUNS}?engagementId=${engagementId}&${filter}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await found(`startedById=${owner.user.id}`)).toEqual([mine.id])
  expect(await found(`requestId=${saved.id}`)).toEqual([mine.id])
  expect(await found('state=refused')).toHaveLength(1)
  expect((await key.get(`/api/v1/api-requests/${saved.id}`)).body.data.lastRun).toMatchObject({ id: mine.id })
})

test('two responses are compared by status, by headers in any order, and as text line by line', async () => {
  const [a, b] = [await run(`${web.origin}/one`), await run(`${web.origin}/two`)]
  const { data } = (await key.get(`${RUNS}/diff?a=${a.id}&b=${b.id}`)).body
  expect(data.status).toEqual({ a: 200, b: 404, equal: false })
  const about = JSON.stringify(data.headers)
  for (const name of ['x-changed', 'x-gone', 'x-new']) expect(about).toContain(name)
  expect(about).not.toContain('x-same')
  expect(data.body).toMatchObject({ mode: 'text', equal: false })
  expect(JSON.stringify(data.body.changes)).toContain('FIRST')
  expect(JSON.stringify(data.body.changes)).not.toContain('last')
  const same = (await key.get(`${RUNS}/diff?a=${a.id}&b=${a.id}`)).body.data
  expect([same.status.equal, same.body.equal]).toEqual([true, true])
})

test('a run becomes a file of a result, with request and response, which stays when the run is deleted', async () => {
  const made = await run(`${web.origin}/two`)
  const result = (
    await key.post('/api/v1/results', { engagementId, title: 'Found by hand', severity: 'low', asset: '127.0.0.1' })
  ).body.data
  const attached = await key.post(`${RUNS}/${made.id}/attach`, { resultId: result.id })
  expect(attached.status, attached.text).toBe(201)
  await key.delete(`${RUNS}/${made.id}`)
  const files = (await key.get(`/api/v1/results/${result.id}/files`)).body.data
  expect(files).toMatchObject([{ fileName: `${made.id}.http`, runId: made.id }])
  const { text } = await key.get(`/api/v1/results/${result.id}/files/${files[0].id}`)
  expect(text).toContain(`GET ${web.origin}/two`)
  expect(text).toContain('HTTP/1.1 404')
  expect(text).toContain('FIRST')
})
