import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const MEMBERS = '/api/web/organizations/current/members'
const ME = '/api/v1/me'
const MINUTE_MS = 60_000

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const form = (path: string, fields: Record<string, string>) =>
  app.anonymous.request('POST', `/api/oauth/${path}`, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const start = async (fields: Record<string, string> = {}) => {
  const { status, body } = await form('device', { client_id: 'sortie-cli', ...fields })
  expect(status).toBe(200)
  const code = body as { device_code: string; user_code: string }
  const poll = async (client = 'sortie-cli') => {
    app.clock.advance(6_000)
    return (await form('token', { grant_type: GRANT, device_code: code.device_code, client_id: client })).body
  }
  return { ...code, page: `/api/web/device-authorizations/${code.user_code}`, poll }
}

const wanted = (fields: object = {}) => ({
  name: 'laptop',
  scopes: ['tasks:read', 'wiki:read'],
  expiresAt: new Date(app.clock.now() + 30 * 24 * 60 * MINUTE_MS).toISOString(),
  ...fields,
})

const keyOf = (token: string) => app.anonymous.with({ authorization: `Bearer ${token}` })

/** A key of the kind `login` for this person. */
const login = async (person: TestClient, fields: object = {}) => {
  const code = await start()
  expect((await person.post(`${code.page}/approve`, wanted(fields))).status).toBe(200)
  const [waiting] = (await owner.get('/api/web/device-confirmations')).body.data
  if (waiting) await owner.post(`/api/web/device-confirmations/${waiting.id}/confirm`)
  const { access_token: token } = await code.poll()
  expect(token).toMatch(/^svc_live_/)
  return keyOf(token)
}

const engagement = async (name: string, details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name, details })).body.data.id

describe('the login of a terminal', () => {
  test('is described for clients by RFC 8414', async () => {
    const { body } = await app.anonymous.get('/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: new URL(app.platform.config.FRONTEND_URL).origin,
      grant_types_supported: expect.arrayContaining([GRANT]),
    })
    expect(new URL(body.token_endpoint).pathname).toBe('/api/oauth/token')
    expect(new URL(body.device_authorization_endpoint).pathname).toBe('/api/oauth/device')
  })

  test('approved by the owner, gives a key of the kind login, once', async () => {
    const { body } = await form('device', { client_id: 'sortie-cli', scope: 'tasks:read wiki:read' })
    expect(body).toMatchObject({ expires_in: 600, interval: 5 })
    expect(body.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(body.verification_uri_complete).toBe(`${body.verification_uri}?code=${body.user_code}`)
    const code = await start({ scope: 'tasks:read wiki:read' })
    expect(await code.poll()).toMatchObject({ error: 'authorization_pending' })
    const read = await owner.get(`/api/web/device-authorizations/${code.user_code.toLowerCase().replace('-', ' ')}`)
    expect(read.body.data).toMatchObject({
      client: 'sortie-cli',
      scopes: ['tasks:read', 'wiki:read'],
      state: 'pending',
    })
    expect((await owner.post(`${code.page}/approve`, wanted({ scopes: ['targets:read'] }))).status).toBe(422)
    const approved = await owner.post(`${code.page}/approve`, wanted({ scopes: ['tasks:read'] }))
    expect(approved.body.data.state).toBe('approved')
    expect((await owner.post(`${code.page}/approve`, wanted())).status).toBe(409)
    const token = await code.poll()
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'tasks:read' })
    expect(token.expires_in).toBeGreaterThan(29 * 24 * 3600)
    expect((await keyOf(token.access_token).get(ME)).body.data.key).toMatchObject({
      name: 'laptop',
      kind: 'login',
      scopes: ['tasks:read'],
    })
    const rows = JSON.stringify(await app.db.selectFrom('device_authorizations').selectAll().execute())
    for (const secret of [code.device_code, code.user_code.replace('-', ''), token.access_token])
      expect(rows).not.toContain(secret)
  })

  test('a code that is used twice ends its key', async () => {
    const code = await start()
    await owner.post(`${code.page}/approve`, wanted())
    const { access_token: token } = await code.poll()
    expect((await keyOf(token).get(ME)).status).toBe(200)
    expect(await code.poll()).toMatchObject({ error: 'invalid_grant' })
    expect((await keyOf(token).get(ME)).status).toBe(401)
  })

  test('approved by a member, waits until an owner or admin confirms it', async () => {
    const member = await app.signedIn('member')
    const code = await start()
    const approved = await member.post(`${code.page}/approve`, wanted())
    expect(approved.body.data.state).toBe('waiting')
    const pending = await code.poll()
    expect(pending).toMatchObject({ error: 'authorization_pending' })
    expect(pending.error_description).toContain('owner or admin')
    expect((await member.get('/api/web/device-confirmations')).status).toBe(403)
    expect((await member.post(`/api/web/device-confirmations/${approved.body.data.id}/confirm`)).status).toBe(403)
    const stranger = await app.signedIn('owner', await app.createOrganization())
    expect((await stranger.get('/api/web/device-confirmations')).body.data).toEqual([])
    expect((await stranger.post(`/api/web/device-confirmations/${approved.body.data.id}/confirm`)).status).toBe(404)
    const admin = await app.signedIn('admin')
    const { data } = (await admin.get('/api/web/device-confirmations')).body
    expect(data).toMatchObject([
      { id: approved.body.data.id, keyName: 'laptop', approvedBy: { id: member.user.id }, engagementIds: 'all' },
    ])
    expect((await admin.post(`/api/web/device-confirmations/${approved.body.data.id}/confirm`)).status).toBe(200)
    expect((await admin.post(`/api/web/device-confirmations/${approved.body.data.id}/confirm`)).status).toBe(404)
    expect(await code.poll()).toMatchObject({ token_type: 'Bearer' })
  })

  test('denied by the person, or refused by an admin, gives no key', async () => {
    const denied = await start()
    await owner.post(`${denied.page}/deny`)
    expect(await denied.poll()).toMatchObject({ error: 'access_denied' })
    const member = await app.signedIn('member')
    const refused = await start()
    const { id } = (await member.post(`${refused.page}/approve`, wanted())).body.data
    await owner.post(`/api/web/device-confirmations/${id}/refuse`)
    expect(await refused.poll()).toMatchObject({ error: 'access_denied' })
  })

  test('an approval by an admin who is demoted before the key is made waits for a confirmation', async () => {
    const admin = await app.signedIn('admin')
    const code = await start()
    await admin.post(`${code.page}/approve`, wanted())
    await owner.patch(`${MEMBERS}/${admin.user.id}`, { role: 'member' })
    expect(await code.poll()).toMatchObject({ error: 'authorization_pending' })
    await owner.delete(`${MEMBERS}/${admin.user.id}`)
    expect(await code.poll()).toMatchObject({ error: 'invalid_grant' })
  })

  test('ends after ten minutes, at both sides', async () => {
    const code = await start()
    const approved = await start()
    await owner.post(`${approved.page}/approve`, wanted())
    app.clock.advance(10 * MINUTE_MS)
    expect((await owner.get(code.page)).status).toBe(404)
    expect((await owner.post(`${code.page}/approve`, wanted())).status).toBe(404)
    expect(await code.poll()).toMatchObject({ error: 'expired_token' })
    expect(await approved.poll()).toMatchObject({ error: 'expired_token' })
  })

  test('a terminal that asks too often, with another name, or wrongly gets the error of the RFC', async () => {
    const code = await start()
    const ask = () => form('token', { grant_type: GRANT, device_code: code.device_code, client_id: 'sortie-cli' })
    expect((await ask()).body.error).toBe('authorization_pending')
    const early = await ask()
    expect([early.status, early.body.error]).toEqual([400, 'slow_down'])
    expect(await code.poll('another')).toMatchObject({ error: 'invalid_grant' })
    expect((await form('token', { grant_type: GRANT, device_code: 'x', client_id: 'y' })).body.error).toBe(
      'invalid_grant',
    )
    expect((await form('token', { grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
    expect((await form('device', {})).body.error).toBe('invalid_request')
    expect((await form('device', { client_id: 'x', scope: 'root' })).body.error).toBe('invalid_scope')
  })

  test('codes are limited per address, and guesses per person', async () => {
    app.clock.advance(20 * MINUTE_MS)
    const statuses = []
    for (let i = 0; i < 31; i++) statuses.push((await form('device', { client_id: 'x' })).status)
    expect(statuses.slice(-2)).toEqual([200, 429])
    const member = await app.signedIn('member')
    const guesses = []
    for (let i = 0; i < 31; i++) guesses.push((await member.get('/api/web/device-authorizations/BBBB-BBBB')).status)
    expect(guesses.slice(-2)).toEqual([404, 429])
    app.clock.advance(20 * MINUTE_MS)
  })
})

describe('a key of the kind login', () => {
  test('is never approved with more than the person has', async () => {
    const member = await app.signedIn('member')
    const hidden = await engagement('Hidden', { access: 'team' })
    const code = await start()
    for (const fields of [
      { scopes: ['organizations:write'] },
      { engagementIds: [hidden] },
      { expiresAt: new Date(app.clock.now() + 367 * 24 * 60 * MINUTE_MS).toISOString() },
      { expiresAt: new Date(app.clock.now() - 1).toISOString() },
    ])
      expect((await member.post(`${code.page}/approve`, wanted(fields))).status, JSON.stringify(fields)).toBe(422)
  })

  test('sees what its person sees at each request, and no more when the team shrinks', async () => {
    const member = await app.signedIn('member')
    const team = await engagement('Of the team', { access: 'team', team: [member.user.id] })
    const other = await engagement('Of no one here', { access: 'team' })
    const open = await engagement('Of all')
    const listed = await login(member, { engagementIds: [team, open] })
    const all = await login(member)
    const seen = async (key: TestClient) => {
      const statuses = [team, other, open].map(
        async (id) => (await key.get(`/api/v1/wiki-pages?engagementId=${id}`)).status,
      )
      return Promise.all(statuses)
    }
    expect(await seen(listed)).toEqual([200, 404, 200])
    expect(await seen(all)).toEqual([200, 404, 200])
    expect((await owner.patch(`/api/web/engagements/${team}/details`, { team: [] })).status).toBe(200)
    expect(await seen(listed)).toEqual([404, 404, 200])
    expect(await seen(all)).toEqual([404, 404, 200])
    expect((await listed.get(ME)).body.data.key.engagementIds).toEqual([open])
  })

  test('loses what its person loses with a role, and ends with the membership', async () => {
    const admin = await app.signedIn('admin')
    const hidden = await engagement('Only for admins', { access: 'team' })
    const key = await login(admin, { scopes: ['organizations:write', 'wiki:read'] })
    const create = () => key.post('/api/v1/engagements', { name: 'By a terminal' })
    const read = async () => (await key.get(`/api/v1/wiki-pages?engagementId=${hidden}`)).status
    expect((await create()).status).toBe(201)
    expect(await read()).toBe(200)
    await owner.patch(`${MEMBERS}/${admin.user.id}`, { role: 'member' })
    expect((await create()).status).toBe(403)
    expect(await read()).toBe(404)
    expect((await key.get(ME)).body.data.key.scopes).toEqual(['wiki:read'])
    await owner.delete(`${MEMBERS}/${admin.user.id}`)
    expect((await key.get(ME)).status).toBe(401)
    const ids = (await owner.get('/api/web/api-keys')).body.data.map(({ kind, createdBy }: Record<string, string>) => [
      kind,
      createdBy,
    ])
    expect(ids).not.toContainEqual(['login', admin.user.name])
  })

  test('is listed with its kind, and deleted by an admin or by itself', async () => {
    const key = await login(owner)
    const { id } = (await key.get(ME)).body.data.key
    const { data } = (await owner.get('/api/web/api-keys')).body
    expect(data.find((each: { id: string }) => each.id === id)).toMatchObject({ kind: 'login', name: 'laptop' })
    expect((await key.delete('/api/v1/me/key')).status).toBe(200)
    expect((await key.get(ME)).status).toBe(401)
  })
})
