import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'
import { unknownId } from '../../../support/walks/walk.ts'

const SEND = '/api/v1/api-requests/send'
const REQUESTS = '/api/v1/api-requests'
let app: TestApp
let key: TestClient
let owner: TestClient
let web: Receiver
let engagementId: string

beforeAll(async () => {
  web = await startReceiver(({ url }, response) =>
    response.end(url.startsWith('/many/') ? `[${'0,'.repeat(200_000)}${url.slice(6)}]` : 'fine'),
  )
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  owner = await app.signedIn('owner')
  engagementId = await engagement()
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
const create = async (path: string, fields: object) => {
  const response = await key.post(`/api/v1/${path}`, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const upload = async (requestId: string, fileName: string, rawBody: string): Promise<string> => {
  const response = await key.request(
    'POST',
    `${REQUESTS}/${requestId}/files?fileName=${encodeURIComponent(fileName)}`,
    { rawBody },
  )
  expect(response.status, response.text).toBe(201)
  return response.body.data.id
}
const execute = async (id: string, body: object = {}) => {
  const response = await key.post(`${REQUESTS}/${id}/execute`, body)
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const send = async (request: object, more: object = {}) => {
  const response = await key.post(SEND, { engagementId, request, ...more })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const lastReceived = () => web.received.at(-1)

describe('a body', () => {
  test('of parts is sent with their files, names and types', async () => {
    const { id } = await create('api-requests', { method: 'POST', url: `${web.origin}/upload` })
    const [first, second] = [
      await upload(id, 'photo.jpg', 'bytes of a photo'),
      await upload(id, 'naïve "name".txt', 'text\r\nof two lines'),
    ]
    const parts = [
      { name: 'title', value: 'a {{what}}', enabled: true },
      { name: 'plain', fileId: first, enabled: true },
      { name: 'renamed', fileId: first, fileName: '../{{what}}.php', mediaType: 'application/x-php', enabled: true },
      { name: 'typed', value: '{}', fileName: 'data.json', mediaType: 'application/json', enabled: true },
      { name: 'quoted', fileId: second, enabled: true },
      { name: 'off', value: 'not sent', enabled: false },
    ]
    expect((await key.patch(`${REQUESTS}/${id}`, { body: { mode: 'multipart', parts } })).status).toBe(200)
    const made = await execute(id, { variables: { what: 'shell' } })
    expect(made).toMatchObject({ state: 'succeeded', reason: null })
    const { headers, body = '' } = lastReceived() ?? {}
    const boundary = headers?.['content-type']?.replace('multipart/form-data; boundary=', '') ?? ''
    expect(headers?.['content-length']).toBe(String(Buffer.byteLength(body)))
    const form = await new Response(body, {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }).formData()
    expect([...form.keys()]).toEqual(['title', 'plain', 'renamed', 'typed', 'quoted'])
    expect(form.get('title')).toBe('a shell')
    const files = await Promise.all(
      ['plain', 'renamed', 'typed', 'quoted'].map(async (name) => {
        const file = form.get(name) as File
        return [file.name, file.type, await file.text()]
      }),
    )
    expect(files).toEqual([
      ['photo.jpg', 'application/octet-stream', 'bytes of a photo'],
      ['../shell.php', 'application/x-php', 'bytes of a photo'],
      ['data.json', 'application/json', '{}'],
      ['naïve "name".txt', 'application/octet-stream', 'text\r\nof two lines'],
    ])
    // The run shows what was sent, but not the content of files.
    expect(made.request.body).toContain('<photo.jpg, 16 bytes>')
    expect(made.request.body).not.toContain('bytes of a photo')
  })

  test('that is a file is sent unchanged, and one of another request is 422', async () => {
    const [one, other] = [
      await create('api-requests', { method: 'PUT', url: `${web.origin}/file` }),
      await create('api-requests', { url: `${web.origin}/` }),
    ]
    const fileId = await upload(one.id, 'a.bin', 'exactly this')
    await key.patch(`${REQUESTS}/${one.id}`, { body: { mode: 'file', fileId, mediaType: 'image/png' } })
    await execute(one.id)
    expect(lastReceived()).toMatchObject({
      method: 'PUT',
      body: 'exactly this',
      headers: { 'content-type': 'image/png', 'content-length': '12' },
    })
    const connections = web.connections
    for (const body of [
      { mode: 'file', fileId },
      { mode: 'multipart', parts: [{ name: 'a', fileId, enabled: true }] },
    ]) {
      await key.patch(`${REQUESTS}/${other.id}`, { body })
      const refused = await key.post(`${REQUESTS}/${other.id}/execute`, {})
      expect([refused.status, refused.body.error.message]).toEqual([
        422,
        expect.stringContaining('there is no such file of this request'),
      ])
    }
    expect(web.connections).toBe(connections)
  })
})

describe('a saved request that is sent with unsaved changes', () => {
  test('stays as it is saved, and has the run in its history', async () => {
    const saved = await create('api-requests', {
      url: `${web.origin}/saved`,
      headers: [{ name: 'X-Saved', value: '1', enabled: true }],
    })
    const made = await send(
      { method: 'POST', url: `${web.origin}/written`, body: { mode: 'raw', text: 'new' } },
      { requestId: saved.id },
    )
    expect(made).toMatchObject({ state: 'succeeded', requestId: saved.id, engagementId })
    expect(lastReceived()).toMatchObject({ method: 'POST', url: '/written', body: 'new' })
    expect(lastReceived()?.headers).not.toHaveProperty('x-saved')
    const now = (await key.get(`${REQUESTS}/${saved.id}`)).body.data
    expect(now).toEqual({ ...saved, lastRun: expect.objectContaining({ id: made.id }) })
    expect((await key.get(`/api/v1/request-runs?requestId=${saved.id}`)).body.data).toMatchObject([{ id: made.id }])
  })

  test('keeps its stored secret if none is entered, inherited values, and its files', async () => {
    const folder = await create('request-folders', { auth: { type: 'bearer', token: 'of-the-folder' } })
    const saved = await create('api-requests', {
      folderId: folder.id,
      url: `${web.origin}/`,
      auth: { type: 'basic', username: 'ada', password: 'stored-secret' },
    })
    const url = `${web.origin}/x`
    const basic = await send({ url, auth: { type: 'basic', username: 'eve', password: null } }, { requestId: saved.id })
    expect(lastReceived()?.headers.authorization).toBe(`Basic ${btoa('eve:stored-secret')}`)
    expect(JSON.stringify(basic)).not.toContain(btoa('eve:stored-secret'))
    await send({ url, auth: { type: 'inherit' } }, { requestId: saved.id })
    expect(lastReceived()?.headers.authorization).toBe('Bearer of-the-folder')
    await send({ url, auth: { type: 'bearer', token: null } }, { requestId: saved.id })
    expect(lastReceived()?.headers.authorization).toBe('Bearer')
    const fileId = await upload(saved.id, 'a.bin', 'exactly this')
    await send({ method: 'POST', url, body: { mode: 'file', fileId } }, { requestId: saved.id })
    expect(lastReceived()?.body).toBe('exactly this')
    expect((await key.post(SEND, { engagementId, request: { url, body: { mode: 'file', fileId } } })).status).toBe(422)
  })

  test('must exist, and belong to the named engagement', async () => {
    const saved = await create('api-requests', { url: `${web.origin}/` })
    const request = { url: `${web.origin}/` }
    const refused = async (body: object) => (await key.post(SEND, { request, ...body })).body.error.message
    expect(await refused({ engagementId, requestId: unknownId('req') })).toBe('requestId: there is no such request')
    expect(await refused({ engagementId: await engagement(), requestId: saved.id })).toBe(
      'engagementId: the request belongs to another engagement',
    )
    const stranger = await app.withKey(['api-requests:write'], await app.createOrganization())
    expect((await stranger.post(SEND, { request, requestId: saved.id })).body.error.message).toBe(
      'requestId: there is no such request',
    )
  })
})

test('a request of the library is executed by the rules and with the environments of the named engagement', async () => {
  const saved = await create('api-requests', { engagementId: null, url: `${web.origin}/{{where}}` })
  const environment = await create('environments', {
    variables: [{ name: 'where', value: 'from-the-environment', secret: false }],
  })
  expect((await key.post(`${REQUESTS}/${saved.id}/execute`, { environmentId: environment.id })).status).toBe(422)
  const made = await execute(saved.id, { engagementId, environmentId: environment.id })
  expect(made).toMatchObject({
    state: 'succeeded',
    requestId: saved.id,
    engagementId,
    hops: [{ url: `${web.origin}/from-the-environment` }],
  })
  const closed = await engagement()
  await owner.post('/api/web/scope-rules', { engagementId: closed, effect: 'deny', pattern: '127.0.0.1' })
  expect(await execute(saved.id, { engagementId: closed, variables: { where: 'x' } })).toMatchObject({
    state: 'refused',
    engagementId: closed,
  })
  await owner.patch(`/api/web/engagements/${closed}`, { status: 'completed' })
  expect(
    (await key.post(`${REQUESTS}/${saved.id}/execute`, { engagementId: closed, variables: { where: 'x' } })).status,
  ).toBe(409)
})

describe('dot segments of a path', () => {
  const send = async (within: string, path: string, fields: object = {}) =>
    (await key.post(SEND, { engagementId: within, request: { url: `${web.origin}${path}`, ...fields } })).body.data
  const ruled = async (...rules: [effect: string, path: string][]): Promise<string> => {
    const within = await engagement()
    for (const [effect, path] of rules)
      expect(
        (await owner.post('/api/web/scope-rules', { engagementId: within, effect, pattern: `${web.origin}${path}` }))
          .status,
      ).toBe(201)
    return within
  }

  test.each(['/a/../b', '/./a/b/..', '/a/%2e%2e/b', '/.%2E/', '/a//../b', '/..?x=/../'])(
    'are sent and shown as they are written: %s',
    async (path) => {
      const sent = await send(engagementId, path)
      expect([sent.state, web.received.at(-1)?.url, sent.hops[0].url]).toEqual([
        'succeeded',
        path,
        `${web.origin}${path}`,
      ])
    },
  )

  const REFUSED: [title: string, rules: [string, string][], path: string][] = [
    ['resolved it is denied', [['deny', '/b']], '/a/../b'],
    ['resolved it is denied, encoded', [['deny', '/b']], '/a/%2e%2e/b'],
    ['as it is sent it is denied', [['deny', '/a']], '/a/../b'],
    ['only as it is sent it is allowed', [['allow', '/a']], '/a/../b'],
    ['only resolved it is allowed', [['allow', '/b']], '/a/../b'],
    ['only as it is sent it is allowed, encoded', [['allow', '/a']], '/a/%2E%2e/b'],
    ['a variable holds the dots', [['allow', '/a']], '/a/{{up}}/b'],
  ]
  test.each(REFUSED)('are refused where %s', async (_, rules, path) => {
    const before = web.received.length
    const within = await ruled(...rules)
    const { body } = await key.post(SEND, {
      engagementId: within,
      request: { url: `${web.origin}${path}` },
      variables: { up: '..' },
    })
    expect([body.data?.state, web.received.length]).toEqual(['refused', before])
  })

  test('are sent where both readings are allowed', async () => {
    const within = await ruled(['allow', '/a'])
    expect((await send(within, '/a/x/../y')).state).toBe('succeeded')
    expect(web.received.at(-1)?.url).toBe('/a/x/../y')
  })
})

test.each([
  ['api-requests', { url: 'https://example.com/' }],
  ['request-folders', {}],
  ['environments', {}],
])('a change of %s that was made from an older state is 409, and changes nothing', async (path, fields) => {
  const made = await create(path, fields)
  const change = (body: object) => key.patch(`/api/v1/${path}/${made.id}`, body)
  const first = await change({ name: 'First', ifUpdatedAt: made.updatedAt })
  expect(first.status, first.text).toBe(200)
  expect(first.body.data.updatedAt > made.updatedAt).toBe(true)
  const stale = await change({ name: 'Second', ifUpdatedAt: made.updatedAt })
  expect([stale.status, stale.body.error.code]).toEqual([409, 'CONFLICT'])
  expect((await key.get(`/api/v1/${path}/${made.id}`)).body.data.name).toBe('First')
  const [one, other] = await Promise.all(
    ['a', 'b'].map((name) => change({ name, ifUpdatedAt: first.body.data.updatedAt })),
  )
  expect([one?.status, other?.status].toSorted()).toEqual([200, 409])
})

test('a preview of an import answers like the import, and stores nothing', async () => {
  const within = await engagement()
  const collection = {
    info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'host', value: 'example.com' }],
    item: [{ name: 'Users', item: [{ name: 'List', request: { method: 'GET', url: 'https://{{host}}/users' } }] }],
  }
  const importAs = (mode: string, rawBody: string) =>
    key.request('POST', `${REQUESTS}/import?engagementId=${within}&mode=${mode}`, { rawBody })
  const shape = ({ requests, folders, environments, problems }: Record<string, { name: string }[]>) => [
    ...[requests, folders, environments].map((all) => all?.map(({ name }) => name)),
    problems,
  ]
  const everything = async () =>
    Promise.all(
      ['api-requests', 'request-folders', 'environments'].map(
        async (path) => (await key.get(`/api/v1/${path}?engagementId=${within}`)).body.meta.total,
      ),
    )
  const entries = async () => (await app.db.selectFrom('audit_entries').select('id').execute()).length
  const before = await entries()
  const preview = await importAs('preview', JSON.stringify(collection))
  expect([preview.status, await everything(), await entries()]).toEqual([201, [0, 0, 0], before])
  expect(preview.body.data.requests[0]).toMatchObject({ name: 'List', method: 'GET', engagementId: within })
  expect((await key.get(`${REQUESTS}/${preview.body.data.requests[0].id}`)).status).toBe(404)
  const applied = await importAs('apply', JSON.stringify(collection))
  expect(shape(applied.body.data)).toEqual(shape(preview.body.data))
  expect(await everything()).toEqual([1, 2, 1])
  const partly = await importAs('preview', 'curl https://example.com/ --data @secret.txt')
  expect(partly.body.data.problems).toEqual([
    { position: 'command 1', reason: expect.stringContaining('files are not read') },
  ])
  expect((await importAs('preview', 'what is this')).status).toBe(400)
  for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${within}`, { status })
  expect((await importAs('preview', JSON.stringify(collection))).status).toBe(409)
})

test('X10: a stored secret is sent only to its host, saved or sent without saving, until it is entered again', async () => {
  const auth = { type: 'bearer', token: 'typed once' }
  const { id } = await create('api-requests', { url: `${web.origin}/own`, auth })
  const elsewhere = { url: `http://localhost:${web.port}/other`, auth: { type: 'bearer', token: null } }
  const refusal = [422, 'auth: its secret was stored for another host. Enter it again, or take it from a variable.']
  const before = web.received.length
  for (const { status, body } of [
    await key.patch(`${REQUESTS}/${id}`, { url: elsewhere.url }),
    await key.patch(`${REQUESTS}/${id}`, elsewhere),
    await key.post(SEND, { engagementId, requestId: id, request: elsewhere }),
  ]) {
    expect([status, body.error.message]).toEqual(refusal)
  }
  expect(web.received.length).toBe(before)
  expect(
    (await key.patch(`${REQUESTS}/${id}`, { url: `${web.origin}/other?path=1`, auth: elsewhere.auth })).status,
  ).toBe(200)
  expect((await execute(id)).response.status).toBe(200)
  expect(lastReceived()?.headers['authorization']).toBe('Bearer typed once')
  expect(
    (await key.patch(`${REQUESTS}/${id}`, { ...elsewhere, auth: { type: 'bearer', token: 'typed again' } })).status,
  ).toBe(200)
})

test('X10: a stored secret is sent to no host that a variable names: not saved so, and not sent if it was imported so', async () => {
  const url = 'http://{{host}}/own'
  const auth = { type: 'bearer', token: 'typed once' }
  const refusal = [
    422,
    expect.stringContaining('auth: a stored secret belongs to one host, and here a variable names the host.'),
  ]
  const before = web.received.length
  const fixed = (await create('api-requests', { url: `${web.origin}/own`, auth })).id
  const imported = await key.request('POST', `${REQUESTS}/import?engagementId=${engagementId}`, {
    rawBody: JSON.stringify({
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [
        {
          name: 'Own',
          request: { method: 'GET', url, auth: { type: 'bearer', bearer: [{ key: 'token', value: 'typed once' }] } },
        },
      ],
    }),
  })
  expect(imported.status, imported.text).toBe(201)
  const variables = { host: `127.0.0.1:${web.port}` }
  for (const { status, body } of [
    await key.post(REQUESTS, { engagementId, name: 'Own', url, auth }),
    await key.patch(`${REQUESTS}/${fixed}`, { url, auth }),
    await key.post(`${REQUESTS}/${imported.body.data.requests[0].id}/execute`, { variables }),
  ]) {
    expect([status, body.error.message]).toEqual(refusal)
  }
  expect(web.received.length).toBe(before)
  const known = await key.post(SEND, { engagementId, request: { url, auth }, variables })
  expect([known.status, lastReceived()?.headers['authorization']]).toEqual([201, 'Bearer typed once'])
  const byVariable = await create('api-requests', { url, auth: { type: 'bearer', token: '{{token}}' } })
  expect(
    (await key.post(`${REQUESTS}/${byVariable.id}/execute`, { variables: { ...variables, token: 'of a variable' } }))
      .status,
  ).toBe(201)
  expect(lastReceived()?.headers['authorization']).toBe('Bearer of a variable')
})

test('secrets that cannot be decrypted are 409 when they are needed; their objects are read, exported, and given new ones', async () => {
  const auth = { type: 'bearer', token: 'sealed' }
  const folder = await create('request-folders', { auth })
  const environment = await create('environments', { variables: [{ name: 'token', value: 'sealed', secret: true }] })
  const own = await create('api-requests', { url: `${web.origin}/own`, auth })
  const inheriting = await create('api-requests', {
    url: `${web.origin}/own`,
    folderId: folder.id,
    auth: { type: 'inherit' },
  })
  const plain = await create('api-requests', { url: `${web.origin}/own` })
  const spoilt = (table: string, column: string, { id }: { id: string }) =>
    app.asSuperuser(
      `update ${table} set ${column} = set_byte(${column}, 20, get_byte(${column}, 20) # 1) where id = '${id}'`,
    )
  await spoilt('request_folders', 'auth_secret', folder)
  await spoilt('request_environments', 'secrets', environment)
  await spoilt('api_requests', 'auth_secret', own)
  const refusal = [409, 'A stored secret can no longer be read: the operator changed SESSION_SECRET. Enter it again.']
  const sent = async () => {
    const ask = ({ id }: { id: string }, body = {}) => key.post(`${REQUESTS}/${id}/execute`, body)
    const answers = [await ask(own), await ask(inheriting), await ask(plain, { environmentId: environment.id })]
    return answers.map(({ status, body }) => [status, body.error?.message])
  }
  expect(await sent()).toEqual([refusal, refusal, refusal])
  for (const path of [
    REQUESTS,
    `${REQUESTS}/${own.id}`,
    `${REQUESTS}/${own.id}/curl`,
    `${REQUESTS}/export?engagementId=${engagementId}&format=har`,
  ])
    expect((await key.get(path)).status, path).toBe(200)
  expect((await key.patch(`${REQUESTS}/${own.id}`, { name: 'Renamed' })).status).toBe(200)
  for (const [path, body] of [
    [`${REQUESTS}/${own.id}`, { auth }],
    [`/api/v1/request-folders/${folder.id}`, { auth }],
    [`/api/v1/environments/${environment.id}`, { variables: [{ name: 'token', value: 'again', secret: true }] }],
  ] as const)
    expect((await key.patch(path, body)).status, path).toBe(200)
  expect((await sent()).map(([status]) => status)).toEqual([201, 201, 201])
})

test('responses with too many JSON values to compare are reported as such, and equal only if every byte is', async () => {
  const [one, other, same] = [
    await send({ url: `${web.origin}/many/1` }),
    await send({ url: `${web.origin}/many/2` }),
    await send({ url: `${web.origin}/many/1` }),
  ]
  const bodyOf = async (a: string, b: string) =>
    (await key.get(`/api/v1/request-runs/diff?a=${a}&b=${b}`)).body.data.body
  expect(await bodyOf(one.id, other.id)).toEqual({ mode: 'json', equal: false, tooLarge: true, changes: [] })
  expect(await bodyOf(one.id, same.id)).toEqual({ mode: 'json', equal: true, tooLarge: false, changes: [] })
})
