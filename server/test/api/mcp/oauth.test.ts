import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const AUTHORIZATIONS = '/api/web/oauth/authorizations'
const REDIRECT = 'http://127.0.0.1:33418/callback'
const MINUTE_MS = 60_000
const VERIFIER = 'v'.repeat(43)

let app: TestApp
let organization: TestOrganization
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let engagementId: string
let host: Receiver
/** Documents of clients by path; each test has its own paths, since documents are remembered. */
const documents = new Map<string, (id: string) => { body: string; type?: string; status?: number; location?: string }>()

beforeAll(async () => {
  host = await startReceiver(({ url }, response) => {
    const found = documents.get(url)?.(`${host.origin}${url}`)
    if (url === '/slow') return
    const { body, type = 'application/json', status = 200, location } = found ?? { body: '', status: 404 }
    response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(body)
  })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${host.port}` } })
})
afterAll(async () => {
  await app.close()
  await host.close()
})
beforeEach(async () => {
  app.clock.advance(20 * MINUTE_MS)
  organization = await app.createOrganization()
  owner = await app.signedIn('owner', organization)
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})

let made = 0
/** A client whose document has these fields in addition to the usual ones. @returns its id */
const clientWith = (fields: object = {}, answer: object = {}): string => {
  const path = `/client-${made++}.json`
  documents.set(path, (id) => ({
    body: JSON.stringify({ client_id: id, client_name: 'Example', redirect_uris: [REDIRECT], ...fields }),
    ...answer,
  }))
  return `${host.origin}${path}`
}

const resource = () => `${new URL(app.platform.config.FRONTEND_URL).origin}/api/mcp`

const requestOf = (clientId: string, fields: Record<string, string | undefined> = {}): string => {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    resource: resource(),
    scope: 'tasks:read wiki:read',
    state: '1e5',
    ...fields,
  }
  const defined = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Buffer.from(new URLSearchParams(defined).toString()).toString('base64url')
}

const approval = (request: string, fields: object = {}) => ({
  request,
  approve: true,
  scopes: ['tasks:read'],
  engagementIds: [engagementId],
  expiresAt: new Date(app.clock.now() + 30 * 24 * 60 * MINUTE_MS).toISOString(),
  ...fields,
})

const read = (request: string, person: TestClient = owner) => person.get(`${AUTHORIZATIONS}?request=${request}`)

/** The code of an approval by `person`, who may make agents. */
const codeFor = async (clientId: string, person: TestClient = owner): Promise<string> => {
  const { status, body, text } = await person.post(AUTHORIZATIONS, approval(requestOf(clientId)))
  expect(status, text).toBe(200)
  return new URL(body.data.redirectTo).searchParams.get('code') as string
}

const exchange = (clientId: string, code: string, fields: Record<string, string> = {}) =>
  app.anonymous.request('POST', '/api/oauth/token', {
    rawBody: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      resource: resource(),
      ...fields,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const keyOf = (token: string) => app.anonymous.with({ authorization: `Bearer ${token}` })
const me = async (token: string) => (await keyOf(token).get('/api/v1/me')).status

describe('a client that starts at /api/mcp', () => {
  test('finds the metadata of resource and server, and the page', async () => {
    const refused = await app.anonymous.post('/api/mcp', {})
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    const [, address = ''] = /^Bearer resource_metadata="(.+)"$/.exec(challenge) ?? []
    expect(new URL(address).pathname).toBe('/.well-known/oauth-protected-resource/api/mcp')
    const wrong = await keyOf('svc_live_x').post('/api/mcp', {})
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="/)
    const { body: metadata } = await app.anonymous.get(new URL(address).pathname)
    const issuer = new URL(app.platform.config.FRONTEND_URL).origin
    expect(metadata).toMatchObject({ resource: resource(), authorization_servers: [issuer] })
    expect((await app.anonymous.get('/.well-known/oauth-authorization-server')).body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/api/oauth/authorize`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
    const sent = await app.anonymous.get('/api/oauth/authorize?client_id=x&state=1e5')
    expect(sent.status).toBe(303)
    const page = new URL(sent.headers.get('location') ?? '')
    expect(`${page.origin}${page.pathname}`).toBe(`${issuer}/oauth/authorize`)
    expect(Buffer.from(page.searchParams.get('request') ?? '', 'base64url').toString()).toBe('client_id=x&state=1e5')
  })

  test('with the official client, signs in, lists tools and calls one; the key is that of an agent of the person', async () => {
    const clientId = clientWith({ redirect_uris: ['http://127.0.0.1/callback'] })
    const kept: Record<string, unknown> = {}
    let page: URL | undefined
    const authProvider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Example', redirect_uris: [REDIRECT] },
      state: () => 'of the client',
      // The client takes only https for clientMetadataUrl: it is what it makes of such an address.
      clientInformation: () => ({ client_id: clientId }),
      tokens: () => kept['tokens'] as never,
      saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
      codeVerifier: () => kept['verifier'] as string,
      saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
      discoveryState: () => kept['discovery'] as never,
      saveDiscoveryState: (state: unknown) => void (kept['discovery'] = state),
      redirectToAuthorization: (url: URL) => void (page = url),
    }
    const connect = async () => {
      const fetch = (url: string | URL, init?: RequestInit) => {
        const { pathname, search } = new URL(url)
        return globalThis.fetch(new URL(pathname + search, app.origin), init)
      }
      const transport = new StreamableHTTPClientTransport(new URL(resource()), { authProvider, fetch })
      const client = new Client({ name: 'test', version: '1.0.0' })
      return { transport, client, connected: client.connect(transport) }
    }
    const first = await connect()
    await expect(first.connected).rejects.toBeInstanceOf(UnauthorizedError)
    if (!page) throw new Error('the client opened no browser')
    const opened = await app.anonymous.get(`${page.pathname}${page.search}`)
    const request = new URL(opened.headers.get('location') ?? '').searchParams.get('request') ?? ''
    expect((await read(request)).body.data).toMatchObject({
      client: { id: clientId, name: 'Example', host: `127.0.0.1:${host.port}` },
      redirect: { host: '127.0.0.1:33418', isLocal: true },
      refusal: null,
    })
    const scopes = ['tasks:read', 'organizations:read']
    const approved = await owner.post(AUTHORIZATIONS, approval(request, { scopes, name: 'recon' }))
    const back = new URL(approved.body.data.redirectTo)
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
    expect(back.searchParams.get('state')).toBe('of the client')
    await first.transport.finishAuth(back.searchParams)
    const second = await connect()
    await second.connected
    expect((await second.client.listTools()).tools.map(({ name }) => name)).toContain('list_tasks')
    const listed = await second.client.callTool({ name: 'list_engagements', arguments: {} })
    expect(JSON.stringify(listed)).toContain(engagementId)
    await second.client.close()
    expect((await owner.get('/api/web/agents')).body.data).toMatchObject([
      { name: 'recon', owner: { id: owner.user.id }, engagementIds: [engagementId], scopes, state: 'active' },
    ])
    const actions = (await owner.get('/api/web/audit')).body.data.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['device-login.approved', 'agent.created', 'api-key.created']))
  })
})

describe('the request of a client', () => {
  test('is refused without a redirect while its document is not valid', async () => {
    documents.set('/moved', () => ({ body: '', status: 302, location: `${host.origin}/client-0.json` }))
    const hostile: [string, string, RegExp][] = [
      ['huge', clientWith({ padding: 'x'.repeat(40_000) }), /larger than 32768 bytes/],
      ['redirect', `${host.origin}/moved`, /answered 302, and redirects are not followed/],
      ['missing', `${host.origin}/nothing.json`, /answered 404/],
      ['of another type', clientWith({}, { type: 'text/html' }), /application\/json/],
      ['of another client', clientWith({ client_id: 'https://claude.ai/client.json' }), /its own address/],
      ['no JSON', clientWith({}, { body: '{"client_id": 1, "client_id": 2}' }), /JSON object/],
      ['without a name', clientWith({ client_name: undefined }), /client_name/],
      ['a name in the other direction', clientWith({ client_name: 'Claude\u202e' }), /client_name/],
      ['without redirect URIs', clientWith({ redirect_uris: [] }), /redirect_uris/],
      ['with a secret', clientWith({ token_endpoint_auth_method: 'client_secret_basic' }), /must be none/],
      ['without this grant', clientWith({ grant_types: ['implicit'] }), /grant_types/],
      ['at a closed port', 'http://127.0.0.1:9/client.json', /EGRESS_ALLOW/],
      ['at a private address', 'https://10.0.0.1/client.json', /egress policy refuses/],
      ['at the metadata of a cloud', 'https://169.254.169.254/latest', /egress policy refuses/],
      ['without TLS', 'http://example.com/client.json', /https/],
      ['a file', 'file:///etc/passwd', /https/],
      ['without a path', 'https://example.com/', /path/],
      ['with user info', 'https://me@example.com/client.json', /user name/],
      ['with a fragment', 'https://example.com/client.json#x', /fragment/],
      ['another spelling', 'https://EXAMPLE.com/client.json', /as it is spelled/],
      ['no address', 'claude', /address of a document/],
    ]
    const slow = read(requestOf(`${host.origin}/slow`))
    for (const [name, clientId, reason] of hostile) {
      const { status, body } = await read(requestOf(clientId))
      expect([status, name], name).toEqual([422, name])
      expect(body.error.message, name).toMatch(reason)
      expect(JSON.stringify(body), name).not.toContain('33418')
    }
    expect((await owner.post(AUTHORIZATIONS, approval(requestOf(clientWith({ redirect_uris: [] }))))).status).toBe(422)
    expect((await slow).body.error.message).toMatch(/no answer within 5 seconds/)
  })

  test('is refused without a redirect for a redirect URI that the document does not list, or that is none', async () => {
    const uris = [
      'https://app.example/cb',
      REDIRECT,
      'http://localhost/cb?a=1',
      'javascript:alert(1)//',
      'http://app.example/cb',
    ]
    const clientId = clientWith({ redirect_uris: [...uris, 'https://me@app.example/cb', 'https://app.example/cb#x'] })
    const status = async (redirectUri: string | undefined) =>
      (await read(requestOf(clientId, { redirect_uri: redirectUri }))).status
    for (const uri of [uris[0], REDIRECT, 'http://127.0.0.1:1/callback', 'http://localhost:9999/cb?a=1'])
      expect(await status(uri), uri).toBe(200)
    for (const uri of [
      undefined,
      'https://app.example/cb/',
      'https://app.example/cb?x',
      'https://app.example:8443/cb',
      'https://app.example.evil.example/cb',
      'http://127.0.0.1:33418/other',
      'http://127.0.0.1:33418@evil.example/callback',
      'http://127.0.0.1.evil.example:1/callback',
      'https://127.0.0.1:33418/callback',
      'http://localhost:1/callback',
      'javascript:alert(1)//',
      'http://app.example/cb',
      'https://me@app.example/cb',
      'https://app.example/cb#x',
    ])
      expect(await status(uri), uri).toBe(422)
    const twice = Buffer.from(`client_id=${clientId}&redirect_uri=https://evil.example/&redirect_uri=${REDIRECT}`)
    expect((await read(twice.toString('base64url'))).status).toBe(422)
  })

  test('without PKCE, with plain, for another resource or unknown scopes has the error for the client, and cannot be approved', async () => {
    const clientId = clientWith()
    for (const [fields, error] of [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: VERIFIER, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: undefined }, 'invalid_target'],
      [{ resource: 'https://other.example/api/mcp' }, 'invalid_target'],
      [{ scope: 'root' }, 'invalid_scope'],
    ] as const) {
      const request = requestOf(clientId, fields)
      const { refusal } = (await read(request)).body.data
      expect(refusal.error).toBe(error)
      const back = new URL(refusal.redirectTo)
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error,
        state: '1e5',
        iss: new URL(app.platform.config.FRONTEND_URL).origin,
      })
      expect((await owner.post(AUTHORIZATIONS, approval(request))).status).toBe(422)
    }
  })

  test('needs a session and its own origin, and is never approved for more than the person has or the client wants', async () => {
    const request = requestOf(clientWith(), { scope: 'tasks:read wiki:read organizations:write' })
    expect((await app.anonymous.get(`${AUTHORIZATIONS}?request=${request}`)).status).toBe(401)
    expect((await app.anonymous.post(AUTHORIZATIONS, approval(request))).status).toBe(401)
    const elsewhere = owner.with({ origin: 'https://evil.example' })
    expect((await elsewhere.post(AUTHORIZATIONS, approval(request))).status).toBe(403)
    const hidden = (await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team' } })).body.data
      .id
    const stranger = await app.signedIn('owner', await app.createOrganization())
    const member = await app.signedIn('member', organization)
    for (const [person, fields] of [
      [owner, { scopes: ['targets:read'] }],
      [member, { scopes: ['organizations:write'] }],
      [member, { engagementIds: [hidden] }],
      [stranger, {}],
      [owner, { scopes: undefined }],
      [owner, { engagementIds: undefined }],
      [owner, { expiresAt: undefined }],
      [owner, { expiresAt: new Date(app.clock.now() + 367 * 24 * 60 * MINUTE_MS).toISOString() }],
      [owner, { expiresAt: new Date(app.clock.now() - 1).toISOString() }],
    ] as const)
      expect((await person.post(AUTHORIZATIONS, approval(request, fields))).status, JSON.stringify(fields)).toBe(422)
  })

  test('that the person refuses sends the error to the client, and is in the audit log', async () => {
    const { body } = await owner.post(AUTHORIZATIONS, { request: requestOf(clientWith()), approve: false })
    expect(body.data).toMatchObject({ id: null, state: 'denied' })
    expect(Object.fromEntries(new URL(body.data.redirectTo).searchParams)).toMatchObject({
      error: 'access_denied',
      state: '1e5',
    })
    const [entry] = (await owner.get('/api/web/audit')).body.data
    expect(entry).toMatchObject({
      action: 'device-login.denied',
      before: { name: expect.stringContaining('Example (') },
    })
  })
})

describe('an authorization code', () => {
  test('is for its client, redirect URI, verifier and resource; a code that is used twice ends its key', async () => {
    const clientId = clientWith()
    const other = clientWith()
    const code = await codeFor(clientId)
    const row = JSON.stringify(await app.db.selectFrom('device_authorizations').selectAll().execute())
    expect(row).not.toContain(code)
    for (const [fields, error] of [
      [{ client_id: other }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:33419/callback' }, 'invalid_grant'],
      [{ code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: createHash('sha256').update(VERIFIER).digest('base64url') }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ resource: 'https://other.example/api/mcp' }, 'invalid_target'],
      [{ code: 'x' }, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
    ] as const) {
      const { status, body } = await exchange(clientId, code, fields)
      expect([status, body.error], JSON.stringify(fields)).toEqual([400, error])
    }
    const device = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code }
    expect((await exchange(clientId, code, device)).body.error).toBe('invalid_grant')
    const { status, body: token } = await exchange(clientId, code)
    expect(status).toBe(200)
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'tasks:read' })
    expect(token).not.toHaveProperty('refresh_token')
    expect(await me(token.access_token)).toBe(200)
    expect((await exchange(other, code)).body.error).toBe('invalid_grant')
    expect(await me(token.access_token)).toBe(200)
    expect((await exchange(clientId, code)).body.error).toBe('invalid_grant')
    expect(await me(token.access_token)).toBe(401)
    expect((await owner.get('/api/web/agents')).body.data).toEqual([])
  })

  test('works for five minutes, and is made once when two ask at the same time', async () => {
    const clientId = clientWith()
    const late = await codeFor(clientId)
    app.clock.advance(5 * MINUTE_MS)
    expect((await exchange(clientId, late)).body.error).toBe('invalid_grant')
    const code = await codeFor(clientId)
    const answers = await Promise.all([exchange(clientId, code), exchange(clientId, code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('gives nothing that its person has lost: role, engagement, membership', async () => {
    const clientId = clientWith()
    const admin = await app.signedIn('admin', organization)
    const demoted = await codeFor(clientId, admin)
    await owner.patch(`/api/web/organizations/current/members/${admin.user.id}`, { role: 'member' })
    expect((await exchange(clientId, demoted)).body.error).toBe('invalid_grant')
    const lead = await app.signedIn('member', organization)
    const details = (fields: object) => owner.patch(`/api/web/engagements/${engagementId}/details`, fields)
    expect((await details({ lead: lead.user.id })).status).toBe(200)
    const code = await codeFor(clientId, lead)
    const kept = await codeFor(clientId, lead)
    expect((await exchange(clientId, kept)).status).toBe(200)
    expect((await details({ lead: owner.user.id })).status).toBe(200)
    expect((await exchange(clientId, code)).body.error).toBe('invalid_grant')
    const leaving = await app.signedIn('admin', organization)
    const last = await codeFor(clientId, leaving)
    await owner.delete(`/api/web/organizations/current/members/${leaving.user.id}`)
    expect((await exchange(clientId, last)).body.error).toBe('invalid_grant')
  })

  test('of a member comes once an owner or admin confirms the approval, and only to that member', async () => {
    const clientId = clientWith()
    const member = await app.signedIn('member', organization)
    const approve = async () => (await member.post(AUTHORIZATIONS, approval(requestOf(clientId)))).body.data
    const waiting = await approve()
    expect(waiting).toMatchObject({ state: 'waiting', redirectTo: null })
    const own = `${AUTHORIZATIONS}/${waiting.id}`
    expect((await member.get(own)).body.data).toMatchObject({ state: 'waiting', redirectTo: null })
    const stranger = await app.signedIn('owner', await app.createOrganization())
    for (const person of [owner, stranger]) expect((await person.get(own)).status).toBe(404)
    app.clock.advance(8 * MINUTE_MS)
    const [listed] = (await owner.get('/api/web/device-confirmations')).body.data
    expect(listed).toMatchObject({
      id: waiting.id,
      kind: 'agent',
      client: `Example (127.0.0.1:${host.port})`,
      engagementIds: [engagementId],
    })
    expect((await owner.post(`/api/web/device-confirmations/${waiting.id}/confirm`)).status).toBe(200)
    app.clock.advance(4 * MINUTE_MS)
    const { data } = (await member.get(own)).body
    expect(data.state).toBe('approved')
    const code = new URL(data.redirectTo).searchParams.get('code') as string
    const { access_token: token } = (await exchange(clientId, code)).body
    expect((await keyOf(token).get('/api/v1/me')).body.data.key).toMatchObject({
      kind: 'agent',
      scopes: ['tasks:read'],
    })
    expect((await member.get(own)).body.data).toMatchObject({ state: 'used', redirectTo: null })
    const refused = await approve()
    await owner.post(`/api/web/device-confirmations/${refused.id}/refuse`)
    const answer = (await member.get(`${AUTHORIZATIONS}/${refused.id}`)).body.data
    expect(new URL(answer.redirectTo).searchParams.get('error')).toBe('access_denied')
    const late = await approve()
    app.clock.advance(10 * MINUTE_MS)
    expect((await owner.post(`/api/web/device-confirmations/${late.id}/confirm`)).status).toBe(404)
    expect((await member.get(`${AUTHORIZATIONS}/${late.id}`)).status).toBe(404)
  })
})
