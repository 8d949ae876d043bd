import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_ADMIN_EMAIL } from '../../../src/platform/config/auth.ts'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { startSortie } from '../../support/app/operator.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const stage = createStage()
const SECRET = 'canary-secret-7291'
let web: Receiver
let env: Record<string, string>
let settings: Awaited<ReturnType<typeof copyTemplate>>
let server: ServerProcess
let owner: TestClient
let key: TestClient
let engagementId: string
let hanging: (() => void)[] = []
/** Shared by all tests, until it is killed. */
let worker: ReturnType<typeof startWorker> | undefined

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    if (url.startsWith('/hang')) hanging.push(() => void response.end('late'))
    else if (url.startsWith('/login')) response.end(JSON.stringify({ token: 'from-login' }))
    else response.end('fine')
  })
  stage.add(() => web.close())
  settings = await copyTemplate()
  env = {
    DATABASE_URL: databaseUrl(settings),
    STORAGE_PATH: stage.directory(),
    EGRESS_ALLOW: `127.0.0.1:${web.port}`,
    REQUESTS_BY: 'workers',
  }
  // Runs every other kind of job itself.
  server = await stage.server({ env })
  await server.ready()
  owner = await signInAsOwner(server.origin)
  key = await withNewKey(owner, ['api-requests:read', 'api-requests:write', 'targets:read', 'targets:write'])
  engagementId = (await owner.post('/api/web/engagements', { name: 'Handed over' })).body.data.id
})
afterAll(() => stage.close())

const startWorker = () => {
  const { child, finished } = startSortie(['worker', '--only', 'requests'], stage.directory(), {
    ...env,
    PORT: String(server.port),
  })
  stage.add(() => void child.kill('SIGKILL'))
  return { child, finished }
}
/** Returns the worker once it sends requests. */
const workerThatSends = async () => {
  worker ??= startWorker()
  await eventually(
    async () => expect((await send({ url: `${web.origin}/up` })).body.data.state).toBe('succeeded'),
    60_000,
  )
  return worker
}
const send = (request: object, rest: object = {}) =>
  key.post('/api/v1/api-requests/send', { engagementId, request, ...rest })
const create = async (path: string, fields: object) => {
  const response = await key.post(path, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

test('a worker sends requests as the server would: secrets, files and captures included, which are never stored in the clear', async () => {
  await workerThatSends()
  const environment = await create('/api/v1/environments', {
    variables: [{ name: 'token', value: SECRET, secret: true }],
  })
  const folder = await create('/api/v1/request-folders', {})
  const inFolder = (path: string, fields: object = {}) =>
    create('/api/v1/api-requests', { folderId: folder.id, url: `${web.origin}${path}`, ...fields })
  await inFolder('/login', {
    captures: [{ variable: 'session', from: 'json', path: '$.token' }],
    auth: { type: 'bearer', token: '{{token}}' },
  })
  const upload = await inFolder('/upload/{{session}}', { method: 'POST' })
  const file = (
    await key.request('POST', `/api/v1/api-requests/${upload.id}/files?fileName=a.bin`, { rawBody: 'bytes of a file' })
  ).body.data
  await key.patch(`/api/v1/api-requests/${upload.id}`, {
    body: { mode: 'file', fileId: file.id, mediaType: 'text/plain' },
  })

  const { body, status } = await key.post(`/api/v1/request-folders/${folder.id}/execute`, {
    environmentId: environment.id,
    variables: { typed: SECRET },
  })
  expect([status, body.data?.state, body.data?.reason]).toEqual([201, 'succeeded', null])
  const [login, uploaded] = web.received.slice(-2)
  expect(login?.headers.authorization).toBe(`Bearer ${SECRET}`)
  expect(uploaded).toMatchObject({ url: '/upload/from-login', body: 'bytes of a file' })
  const run = (await key.get(`/api/v1/request-runs/${body.data.runs[0].id}`)).body.data
  expect(JSON.stringify(run)).not.toContain(SECRET)
  expect(run.request.headers).toContainEqual({ name: 'authorization', value: expect.stringContaining('••••') })
  const operations = (await key.get(`/api/v1/operations?engagementId=${engagementId}`)).body.data
  expect(operations.filter(({ runId }: { runId: string }) => runId === run.id)).toHaveLength(1)
  for (const table of ['request_handoffs', 'pgboss.job'])
    expect(JSON.stringify(await asSuperuserRows(settings, `select * from ${table}`))).not.toContain(SECRET)
  expect(await asSuperuserRows(settings, 'select run_id from request_handoffs')).toEqual([])

  const refused = (await send({ url: 'http://10.0.0.1/' })).body.data
  expect(refused).toMatchObject({ state: 'refused', reason: expect.stringContaining('egress policy') })
})

test('a cancelled sequence stops the request that its worker waits for', async () => {
  await workerThatSends()
  hanging = []
  const folder = await create('/api/v1/request-folders', {})
  await create('/api/v1/api-requests', { folderId: folder.id, url: `${web.origin}/hang/cancelled` })
  const executing = key.post(`/api/v1/request-folders/${folder.id}/execute`, {})
  await eventually(() => expect(hanging).toHaveLength(1), 60_000)
  const [{ id }] = (await key.get(`/api/v1/request-sequences?folderId=${folder.id}`)).body.data
  expect((await key.post(`/api/v1/request-sequences/${id}/cancel`, {})).status).toBe(200)
  const { body } = await executing
  expect(body.data.state).toBe('cancelled')
  expect(body.data.runs).toMatchObject([{ state: 'cancelled' }])
})

test('X13: an organization at its limit leaves slots of a worker to others', async () => {
  const organization = { name: 'Elsewhere', ownerEmail: DEFAULT_ADMIN_EMAIL }
  const made = await owner.post('/api/web/instance/organizations', organization)
  expect(made.status, made.text).toBe(201)
  const elsewhere = await withNewKey(
    owner.with({ ...owner.headers, 'x-organization': made.body.data.organization.id }),
    ['api-requests:read', 'api-requests:write', 'organizations:write'],
  )
  const theirs: string = (await elsewhere.post('/api/v1/engagements', { name: 'Theirs' })).body.data.id
  await workerThatSends()
  hanging = []
  const all = Array.from({ length: 8 }, () => send({ url: `${web.origin}/hang/many`, options: { timeoutMs: 60_000 } }))
  await eventually(() => expect(hanging).toHaveLength(8), 60_000)
  expect((await send({ url: `${web.origin}/one-more` })).status).toBe(429)
  const { body } = await elsewhere.post('/api/v1/api-requests/send', {
    engagementId: theirs,
    request: { url: `${web.origin}/elsewhere` },
  })
  expect(body.data).toMatchObject({ state: 'succeeded', reason: null })
  for (const answer of hanging) answer()
  expect((await Promise.all(all)).map(({ body: { data } }) => data.state)).toEqual(
    Array.from({ length: 8 }, () => 'succeeded'),
  )
})

test('A11: a user who lost the right before the worker picked up the request sends nothing', async () => {
  const { child } = await workerThatSends()
  const revoked = await withNewKey(owner, ['api-requests:read', 'api-requests:write'])
  const before = web.received.length
  // The only worker is paused and picks up nothing.
  child.kill('SIGSTOP')
  const sending = revoked.post('/api/v1/api-requests/send', { engagementId, request: { url: `${web.origin}/revoked` } })
  await eventually(async () =>
    expect(await asSuperuserRows(settings, 'select run_id from request_handoffs')).toHaveLength(1),
  )
  expect((await owner.delete(`/api/web/api-keys/${revoked.keyId}`)).status).toBe(200)
  child.kill('SIGCONT')
  await sending
  const runs = await asSuperuserRows(settings, `select state, reason from request_runs where url like '%/revoked'`)
  expect(runs).toEqual([{ state: 'failed', reason: 'The user who started it no longer has permission.' }])
  expect(web.received).toHaveLength(before)
})

/** Simulates silence of the worker; request-kills tests that real silence is detected within a minute. */
const letSilencePass = () =>
  asSuperuser(
    settings,
    "update request_runs set alive_until = alive_until - interval '1 minute' where state = 'running'",
  )

test('kill -9 of the worker during a run: it fails within a minute of silence, and nothing is sent again', async () => {
  const { child, finished: killed } = await workerThatSends()
  hanging = []
  const sending = send({ url: `${web.origin}/hang/killed` })
  await eventually(() => expect(hanging).toHaveLength(1), 60_000)
  child.kill('SIGKILL')
  worker = undefined
  const killedAt = performance.now()
  await killed
  if (!isNightly) await letSilencePass()
  const { body } = await sending
  expect(performance.now() - killedAt).toBeLessThan(hereMs(60_000))
  expect(body.data).toMatchObject({
    state: 'failed',
    reason: 'The process that sent this ended unexpectedly: whether it arrived is unknown.',
  })
  const { length } = web.received
  const { child: another, finished } = startWorker()
  await eventually(
    async () => expect((await send({ url: `${web.origin}/after` })).body.data.state).toBe('succeeded'),
    60_000,
  )
  expect(web.received.slice(length).map(({ url }) => url)).toEqual(['/after'])
  another.kill('SIGTERM')
  expect((await finished).code).toBe(0)
})
