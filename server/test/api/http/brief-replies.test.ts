import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { briefReplyOf } from '../../../src/platform/http/routes/brief-replies.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { prepareChange } from '../../support/walks/changes.ts'
import { type Mounted, mountedRoutes } from '../../support/walks/walk.ts'

/** Fields that identify an object and its times; `deleted` of deletions, and counts of bulk changes. */
const NAMES = ['id', 'engagementId', 'resultId', 'createdAt', 'updatedAt', 'deleted', 'updated', 'created', 'existing']

let app: TestApp
let routes: Mounted[]
let owner: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  routes = mountedRoutes(app).filter(({ door, method }) => door === 'key' && method !== 'GET')
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

/** Changes that only the author may make. */
const BY_ITS_AUTHOR = ['updateComment']

const WRITING = SCOPE_NAMES.filter((scope) => scope.endsWith(':write'))
/** The fields of an object, or of each object in its lists. */
const fieldsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null || 'reason' in value) return []
  return 'id' in value || 'engagementId' in value ? Object.keys(value) : Object.values(value).flatMap(fieldsOf)
}

/** Suggestions also show what tools saw. */
const WITH_TARGETS = ['dismissFindingSuggestion', 'undismissFindingSuggestion']

const keyWith = (scopes: readonly Scope[]) => app.withKey(scopes)

describe('T22: a key that may write and not read', () => {
  test('receives ids and times from every endpoint that is not specified, and its changes are made', async () => {
    const full = await keyWith(SCOPE_NAMES)
    const [writingOnly, withTargets] = [await keyWith(WRITING), await keyWith([...WRITING, 'targets:read'])]
    const covered: string[] = []
    for (const route of routes) {
      if (!briefReplyOf(route.endpoint, app.platform.config)) continue
      // Declared as readable by those who may write it.
      if (route.endpoint.readBy === route.endpoint.scope) continue
      const writing = WITH_TARGETS.includes(route.endpoint.id) ? withTargets : writingOnly
      // A key with all scopes prepares; another key makes the change.
      const recorded = recording(BY_ITS_AUTHOR.includes(route.endpoint.id) ? writing : full, writing)
      const send = await prepareChange(app, recorded.client, route)
      recorded.useWriting()
      const { status, body, text } = await send()
      expect([200, 201], `${route.name}: ${text}`).toContain(status)
      expect(
        fieldsOf(body.data).filter((name) => !NAMES.includes(name)),
        route.name,
      ).toEqual([])
      covered.push(route.endpoint.id)
    }
    expect(covered).toEqual(
      expect.arrayContaining([
        'updateWikiPage',
        'updateTarget',
        'updateTask',
        'updateEngagement',
        'sendRequest',
        'createScopeRule',
      ]),
    )
    expect(covered.length).toBeGreaterThan(40)
  })

  test('receives the same when it repeats a request with an Idempotency-Key', async () => {
    const writing = await keyWith(['wiki:write'])
    const engagementId: string = (await owner.post('/api/web/engagements', { name: 'Pages' })).body.data.id
    const headers = { 'idempotency-key': 'brief' }
    const answers = []
    for (let round = 0; round < 2; round++) {
      answers.push(
        await writing.request('POST', '/api/v1/wiki-pages', {
          body: { engagementId, title: 'Read by no one', body: 'text' },
          headers,
        }),
      )
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(Object.keys(answers[0]?.body.data)).toEqual(['id', 'createdAt', 'updatedAt'])
  })

  test('reads no page, target or task by an empty change', async () => {
    const engagementId: string = (await owner.post('/api/web/engagements', { name: 'Read by no one' })).body.data.id
    const made: [Scope, string, object][] = [
      ['wiki:write', 'wiki-pages', { title: 'Secret title', body: 'Secret text' }],
      ['targets:write', 'targets', { value: 'secret.example.com' }],
      ['tasks:write', 'tasks', { title: 'Secret title', description: 'Secret text' }],
    ]
    for (const [scope, path, fields] of made) {
      const { id } = (await owner.post(`/api/web/${path}`, { engagementId, ...fields })).body.data
      const answer = await (await keyWith([scope])).patch(`/api/v1/${path}/${id}`, {})
      expect(answer.status, path).toBe(200)
      expect(answer.text.toLowerCase()).not.toContain('secret')
      const reading = await keyWith([scope, scope.replace('write', 'read') as Scope])
      expect((await reading.patch(`/api/v1/${path}/${id}`, {})).text.toLowerCase()).toContain('secret')
    }
  })

  test('copies no target into a request without targets:read', async () => {
    const engagementId: string = (await owner.post('/api/web/engagements', { name: 'With a target' })).body.data.id
    const targetId: string = (await owner.post('/api/web/targets', { engagementId, value: 'secret.example.com' })).body
      .data.id
    const wanted = { engagementId, targetId, request: { url: 'http://127.0.0.1:9/{{target.value}}' } }
    const refused = await (
      await keyWith(['api-requests:read', 'api-requests:write'])
    ).post('/api/v1/api-requests/send', wanted)
    expect([refused.status, refused.body.error.message]).toEqual([403, 'This key lacks the scope targets:read.'])
    expect(
      (await (await keyWith(['api-requests:write', 'targets:read'])).post('/api/v1/api-requests/send', wanted)).status,
    ).toBe(201)
  })
})

test('specified endpoints answer as specified, whatever a key may read', async () => {
  const specified = routes.filter(({ endpoint }) => endpoint.origin === 'specified')
  expect(
    specified.filter(({ endpoint }) => briefReplyOf(endpoint, app.platform.config)).map(({ name }) => name),
  ).toEqual([])
  const writing = await keyWith(['organizations:write'])
  const renamed = await writing.patch('/api/v1/organizations/current', { name: 'Renamed' })
  expect(Object.keys(renamed.body.data).toSorted()).toEqual(['id', 'name', 'slug', 'updatedAt'])
  const invited = await writing.post('/api/v1/organizations/current/members/invite', {
    email: 'ada@example.com',
    role: 'member',
  })
  expect(Object.keys(invited.body.data).toSorted()).toEqual(['createdAt', 'email', 'expiresAt', 'id', 'role', 'status'])
})

/** A client that acts as `full` during preparation and as `writing` afterwards. */
const recording = (full: TestClient, writing: TestClient) => {
  let isWriting = false
  const client = new Proxy(full, { get: (_target, name) => (isWriting ? writing : full)[name as keyof TestClient] })
  return {
    client,
    useWriting: () => {
      isWriting = true
    },
  }
}
