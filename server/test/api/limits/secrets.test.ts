import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invitationToken } from '../../../src/features/organizations/invitations/invitations.service.ts'
import { freePort } from '../../support/app/server-process.ts'
import { type TestApp, testApp, tokenOf } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { dump } from '../../support/inputs/snapshot.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'
import { mountedRoutes, pathOf } from '../../support/walks/walk.ts'

let app: TestApp
/** Receives the requests. */
let side: Receiver
/** A port without a listener. */
let gone: number
/** Values that must not appear anywhere, by their description. */
const secrets = new Map<string, string>()
const answers: { where: string; text: string }[] = []
const ACCEPT = '/api/web/invitations/accept'
const CANARY_PASSWORD = 'canary password 7391 of a guest'

beforeAll(async () => {
  side = await startReceiver(({ url }, response) => {
    if (url.startsWith('/to/')) response.writeHead(302, { location: `ftp://example.com/${url.slice(4)}` })
    response.end('fine')
  })
  gone = await freePort()
  app = await testApp({ env: { EGRESS_ALLOW: `127.0.0.1:${side.port},127.0.0.1:${gone}` } })
  const owner = await app.signedIn('owner')
  const key = await app.withKey(SCOPE_NAMES)
  const deleted = await app.withKey(['wiki:read'])
  await owner.delete(`/api/web/api-keys/${deleted.keyId}`)
  secrets.set('the value of a key', key.value.slice(9, 52))
  secrets.set('the value of a deleted key', deleted.value.slice(9, 52))
  const sent = await Promise.all(
    ['accepted', 'revoked', 'pending'].map(async (what) => {
      const email = `${what}@example.com`
      const { data } = (await key.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })).body
      const token = tokenOf(await app.nextMail(email))
      secrets.set(`the token of the ${what} invitation`, token)
      return { id: data.id as string, token }
    }),
  )
  const [accepted, revoked, pending] = sent as [(typeof sent)[0], (typeof sent)[0], (typeof sent)[0]]
  const joined = await app.anonymous.post(ACCEPT, { token: accepted.token, name: 'A Guest', password: CANARY_PASSWORD })
  expect(joined.status).toBe(200)
  secrets.set(
    'the first session of a new account',
    /sid=([^.]+)/.exec(joined.headers.getSetCookie().join())?.[1] as string,
  )
  await owner.delete(`/api/web/invitations/${revoked.id}`)
  await owner.post(`/api/web/invitations/${pending.id}/resend`)
  secrets.set('the token of a resent invitation', invitationToken(app.platform.keys, pending.id, 2))
  secrets.set('a password', CANARY_PASSWORD)
  secrets.set('a session', /sid=([^.]+)/.exec(owner.headers.cookie as string)?.[1] as string)
  secrets.set('a refused password', 'canary refused password')
  secrets.set('a password in a request that cannot be read', 'canary unreadable password')
  secrets.set('SESSION_SECRET', app.platform.config.SESSION_SECRET)
  await app.anonymous.post('/api/auth/sign-in/email', {
    email: app.organization.owner.email,
    password: 'canary refused password',
  })
  await app.anonymous.request('POST', '/api/auth/sign-in/email', {
    rawBody: '{"password":"canary unreadable password"',
    headers: { 'content-type': 'application/json' },
  })
  await app.anonymous.post('/api/auth/sign-in/email', { email: 'x', password: 'x', 'canary unreadable password': 1 })
  for (const [name, value] of [
    ['authorization', `Bearer ${key.value}`],
    ['cookie', owner.headers.cookie as string],
  ] as const) {
    for (const route of mountedRoutes(app)) {
      const { text } = await app.anonymous
        .with({ [name]: value, 'x-organization': app.organization.id })
        .request(route.method, `${pathOf(route)}?unknown=1`)
      answers.push({ where: route.name, text })
    }
  }
  for (const route of mountedRoutes(app).filter(({ method }) => method === 'GET')) {
    answers.push({ where: route.name, text: (await (route.door === 'key' ? key : owner).get(pathOf(route))).text })
  }
  await keepRequestSecrets(key)
  await app.flush()
})
afterAll(async () => {
  await app.close()
  await side.close()
})

const AUTHS = [
  { type: 'basic', username: 'probe', password: 'canary-password-of-a-request' },
  { type: 'bearer', token: 'canary-token-of-a-request' },
  { type: 'header', name: 'x-probe', value: 'canary-header-of-a-request' },
  { type: 'query', name: 'probe', value: 'canary-query-of-a-request' },
]

/** Stores secrets in requests, folders and environments, and reads them in every way, after sending them. */
const keepRequestSecrets = async (key: TestClient): Promise<void> => {
  const engagementId = (await key.post('/api/v1/engagements', { name: 'Secrets of requests' })).body.data.id as string
  const create = async (path: string, fields: object): Promise<string> => {
    const { status, body, text } = await key.post(path, { engagementId, name: 'Holds secrets', ...fields })
    expect(status, text).toBe(201)
    return body.data.id
  }
  secrets.set('a secret of an environment', 'canary-variable-of-an-environment')
  secrets.set('the token of a folder', 'canary-token-of-a-folder')
  const environmentId = await create('/api/v1/environments', {
    variables: [{ name: 'token', value: 'canary-variable-of-an-environment', secret: true }],
  })
  const folderId = await create('/api/v1/request-folders', {
    auth: { type: 'bearer', token: 'canary-token-of-a-folder' },
  })
  const auths = [...AUTHS, { type: 'inherit' }, { type: 'bearer', token: '{{token}}' }]
  const read = ['/environments?', '/request-folders?', '/api-requests?', '/request-runs?', '/request-sequences?'].map(
    (path) => `${path}engagementId=${engagementId}`,
  )
  read.push(`/environments/${environmentId}`, `/request-folders/${folderId}`)
  for (const format of ['har', 'postman', 'openapi'])
    read.push(`/api-requests/export?engagementId=${engagementId}&format=${format}`)
  for (const auth of auths) {
    const typed = Object.values(auth).find((value) => value.startsWith('canary-'))
    if (typed !== undefined) secrets.set(`what a request of ${auth.type} is given`, typed)
    const id = await create('/api/v1/api-requests', { folderId, url: `${side.origin}/`, auth })
    const { status, body } = await key.post(`/api/v1/api-requests/${id}/execute`, { environmentId })
    expect([status, body.data.state]).toEqual([201, 'succeeded'])
    read.push(`/api-requests/${id}`, `/api-requests/${id}/curl`, `/request-runs/${body.data.id}`)
  }
  // Error messages can contain a secret as well: of a connection, a refusal, a redirect, a sequence.
  const ways: [state: string, request: object][] = [
    ['failed', { url: `http://127.0.0.1:${gone}/{{token}}` }],
    ['failed', { url: 'http://{{token}}.invalid/' }],
    ['refused', { url: 'http://10.0.0.1/?q={{token}}' }],
    ['refused', { url: `${side.origin}/to/{{token}}`, options: { followRedirects: 'yes' } }],
    [
      'succeeded',
      {
        url: `${side.origin}/{{token}}`,
        assertions: [{ subject: 'body', operator: 'equals', value: 'canary-variable-of-an-environment' }],
      },
    ],
  ]
  for (const [state, request] of ways) {
    const { body, text } = await key.post('/api/v1/api-requests/send', { engagementId, request, environmentId })
    expect(body.data?.state, text).toBe(state)
    answers.push({ where: `send: ${state}`, text })
    read.push(`/request-runs/${body.data.id}`)
  }
  const wrong = await key.post('/api/v1/api-requests/send', {
    engagementId,
    request: { url: '{{token}}' },
    environmentId,
  })
  expect(wrong.status).toBe(422)
  answers.push({ where: 'send: 422', text: wrong.text })
  const sequence = await key.post(`/api/v1/request-folders/${folderId}/execute`, {
    environmentId,
    continueOnFailure: true,
  })
  expect(sequence.status, sequence.text).toBe(201)
  read.push(
    `/request-sequences/${sequence.body.data.id}`,
    `/engagements/${engagementId}/activity`,
    `/search?q=canary&engagementId=${engagementId}`,
  )
  read.push(`/operations?engagementId=${engagementId}&perPage=100`, `/operations/export?engagementId=${engagementId}`)
  const sent = side.received.map(({ url, headers }) => [url, headers.authorization])
  expect(sent).toContainEqual([expect.stringContaining('canary-query-of-a-request'), undefined])
  expect(sent).toContainEqual(['/', 'Bearer canary-variable-of-an-environment'])
  for (const path of read) {
    const { status, text } = await key.get(`/api/v1${path}`)
    expect(status, path).toBe(200)
    answers.push({ where: path, text })
  }
}

describe('L19: no used secret', () => {
  test('K8, M6: is in any row of any table, those of the job queue included, as text or as bytes', async () => {
    const rows = await dump(app.db)
    expect(rows.length).toBeGreaterThan(5_000)
    expect(rows).toContain('public.invitations')
    expect(rows).toContain('pgboss.job')
    for (const [what, secret] of secrets) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(0, -3),
      ])
        expect(rows.includes(form), what).toBe(false)
    }
    expect(rows).not.toMatch(/svc_(?:live|test)_[0-9A-Za-z]{49}/)
  })

  test('P3: is in any log line, at the level trace, and each line is one JSON object', () => {
    expect(app.logLines.length).toBeGreaterThan(50)
    const log = app.logLines.join('\n')
    for (const [what, secret] of secrets) expect(log.includes(secret), what).toBe(false)
    for (const line of app.logLines) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('K4, M6: is in any answer except the one that made it', () => {
    expect(answers.length).toBeGreaterThan(60)
    for (const { where, text } of answers)
      for (const [what, secret] of secrets) expect(text.includes(secret), `${what} in ${where}`).toBe(false)
  })

  test('K8, P3: is in the log of a request that fails internally', async () => {
    const before = app.logLines.length
    await app.asSuperuser('alter table api_keys rename to api_keys_away')
    await app.anonymous
      .with({ authorization: `Bearer svc_live_${secrets.get('the value of a key')}000000` })
      .get('/api/v1/engagements')
    const owner = await app.signedIn('owner')
    await owner.post('/api/web/api-keys', { name: 'canary name of a key', environment: 'live', scopes: ['wiki:read'] })
    await app.asSuperuser('alter table api_keys_away rename to api_keys')
    const lines = app.logLines.slice(before).join('\n')
    expect(lines).toContain('"level":50')
    expect(lines).not.toMatch(/svc_live_|canary|\\\\x[0-9a-f]{64}/)
  })
})

test('P4: input of a client cannot start a line of the log', async () => {
  const before = app.logLines.length
  await app.anonymous
    .with({ 'user-agent': 'x\\n{"level":60}', 'x-organization': 'a","level":60,"b":"' })
    .get('/api/web/%0a%7b%22level%22%3a60%7d?x=%0d%0ay')
  for (const line of app.logLines.slice(before)) {
    expect(line.trimEnd()).not.toContain('\n')
    expect(JSON.parse(line).level).not.toBe(60)
  }
})
