import type { Scope } from '@sortie/contract/core/scopes.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { type Announcement, announce } from '../../../src/platform/events/announce.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type OpenStream, openStream } from '../../support/clients/event-stream.ts'

const ALL: Scope[] = [
  'organizations:read',
  'targets:read',
  'tasks:read',
  'wiki:read',
  'api-requests:read',
  'reports:read',
]

let app: TestApp
let owner: TestClient
let openId: string
let otherId: string
const streams: OpenStream[] = []

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  openId = await engagement('Open')
  otherId = await engagement('Other')
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app.close())

const engagement = async (name: string): Promise<string> =>
  (await owner.post('/api/web/engagements', { name })).body.data.id

const createKey = async (scopes: readonly Scope[], engagementIds?: 'open' | string[]) => {
  const { status, body, text } = await owner.post('/api/web/api-keys', {
    name: 'listens',
    environment: 'live',
    scopes,
    ...(engagementIds && { engagementIds }),
  })
  expect(status, text).toBe(201)
  return { id: body.data.id as string, value: body.data.value as string }
}

const form = (path: string, fields: Record<string, string>) =>
  app.anonymous.request('POST', `/api/oauth/${path}`, {
    rawBody: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** The key of a terminal where this person signs in. */
const loginOf = async (person: TestClient, engagementIds?: string[]): Promise<string> => {
  const { body: code } = await form('device', { client_id: 'sortie-cli' })
  const { status, text } = await person.post(`/api/web/device-authorizations/${code.user_code}/approve`, {
    name: 'laptop',
    scopes: ALL,
    expiresAt: new Date(app.clock.now() + 24 * 60 * 60 * 1000).toISOString(),
    ...(engagementIds && { engagementIds }),
  })
  expect(status, text).toBe(200)
  const [waiting] = (await owner.get('/api/web/device-confirmations')).body.data
  if (waiting) await owner.post(`/api/web/device-confirmations/${waiting.id}/confirm`)
  app.clock.advance(6_000)
  const grant = 'urn:ietf:params:oauth:grant-type:device_code'
  const token = await form('token', { grant_type: grant, device_code: code.device_code, client_id: 'sortie-cli' })
  return token.body.access_token
}

const open = async (value: string, query = '') => {
  const client = { origin: app.origin, headers: { authorization: `Bearer ${value}` } } as unknown as TestClient
  const stream = await openStream(client, `/api/v1/events${query}`)
  streams.push(stream)
  return stream
}

const say = (announcement: Announcement, organizationId = app.organization.id) =>
  transaction(app.platform.scopedTo(organizationId), (tx) => announce(tx, announcement))

/** Announces an object of each type. */
const sayAll = async (engagementId: string | null, types: readonly Announcement['type'][], prefix: string) => {
  for (const type of types) await say({ type, engagementId, ids: [`${prefix}_${type}`], change: 'updated' })
}

const TYPES = ['engagement', 'file', 'target', 'scope', 'result', 'scan', 'schedule', 'import', 'operation'] as const
const MORE = ['task', 'page', 'request', 'finding', 'library_entry', 'retest', 'report', 'member', 'setting'] as const

const typesOf = (stream: OpenStream, prefix: string) =>
  stream.received.flatMap((event) => (event !== 'reset' && event.id?.startsWith(`${prefix}_`) ? [event.type] : []))

describe('events at the door of keys', () => {
  test('a key hears of what its scopes let it read, and of nothing else', async () => {
    const everything = await open((await createKey(ALL)).value)
    expect([everything.status, everything.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const wanted: Record<string, readonly Scope[]> = {
      'targets:read': ['targets:read'],
      'tasks:read': ['tasks:read'],
      'wiki:write': ['wiki:write'],
      'reports:read': ['reports:read'],
      'organizations:read': ['organizations:read'],
    }
    const opened = new Map<string, OpenStream>()
    for (const [name, scopes] of Object.entries(wanted)) opened.set(name, await open((await createKey(scopes)).value))
    await sayAll(openId, [...TYPES, ...MORE], 'one')
    await everything.hears('one_setting')
    expect(typesOf(everything, 'one')).toEqual([...TYPES, ...MORE])
    // Each has heard what was announced before this; a file is the last that the key of the organization hears.
    const heard = async (name: string, last: string) => {
      const stream = opened.get(name) as OpenStream
      await stream.hears(`one_${last}`)
      return typesOf(stream, 'one')
    }
    expect(await heard('targets:read', 'operation')).toEqual(TYPES.slice(2))
    expect(await heard('tasks:read', 'task')).toEqual(['task'])
    expect(await heard('reports:read', 'report')).toEqual(['finding', 'library_entry', 'retest', 'report'])
    expect(await heard('organizations:read', 'setting')).toEqual(['engagement', 'file', 'member', 'setting'])
    expect(typesOf(opened.get('wiki:write') as OpenStream, 'one')).toEqual([])
  })

  test('a key with a list hears of its engagements only, and of nothing of the organization', async () => {
    const limited = await open((await createKey(ALL, [openId])).value)
    const all = await open((await createKey(ALL)).value)
    await sayAll(otherId, ['task'], 'hidden')
    await sayAll(null, ['setting', 'page', 'library_entry'], 'hidden')
    // Hidden from everyone: a key with a list must not learn that it existed.
    await say({
      type: 'engagement',
      engagementId: 'eng_gone',
      ids: ['hidden_gone'],
      change: 'deleted',
      seenBefore: 'everyone',
    })
    await sayAll(openId, ['task'], 'shown')
    await all.hears('hidden_gone')
    await limited.hears('shown_task')
    expect(limited.text()).not.toContain('hidden_')
    expect((await open((await createKey(ALL, [openId])).value, `?engagementId=${otherId}`)).status).toBe(404)
  })

  test('a key for open engagements hears nothing of one for its team, and neither of another organization', async () => {
    const teamId = await engagement('Team')
    const access = await owner.patch(`/api/web/engagements/${teamId}/details`, { access: 'team' })
    expect(access.status, access.text).toBe(200)
    const forOpen = await open((await createKey(ALL, 'open')).value)
    const all = await open((await createKey(ALL)).value)
    const strange = await app.withKey(ALL, await app.createOrganization())
    const stranger = await open(strange.value)
    await sayAll(teamId, ['task'], 'team')
    await sayAll(openId, ['task'], 'seen')
    await all.hears('team_task')
    await forOpen.hears('seen_task')
    expect(forOpen.text()).not.toContain('team_task')
    expect(stranger.received.filter((event) => event !== 'reset')).toEqual([])
  })

  test('the stream ends when the key is deleted, and when its engagement is closed to it; the seventh is refused', async () => {
    const key = await createKey(ALL)
    const stream = await open(key.value)
    for (let count = 2; count <= 6; count++) expect((await open(key.value)).status).toBe(200)
    expect((await open(key.value)).status).toBe(429)
    const { id, value } = await createKey(ALL, [openId])
    const limited = await open(value, `?engagementId=${openId}`)
    await sayAll(openId, ['task'], 'before')
    await limited.hears('before_task')
    for (const keyId of [key.id, id]) expect((await owner.delete(`/api/web/api-keys/${keyId}`)).status).toBe(200)
    await eventually(() => expect([stream.ended, limited.ended]).toEqual([true, true]))
    await sayAll(openId, ['task'], 'after')
    expect(stream.text() + limited.text()).not.toContain('after_task')
    expect((await open(key.value)).status).toBe(401)

    const goneId = await engagement('Gone')
    const ofGone = await open((await createKey(ALL, [goneId])).value, `?engagementId=${goneId}`)
    expect((await owner.delete(`/api/web/engagements/${goneId}`, { body: { name: 'Gone' } })).status).toBe(200)
    await eventually(() => expect(ofGone.ended).toBe(true))
  })

  test('a key of a login hears at most what its person sees, and its stream ends with the membership and with a change of the role', async () => {
    const member = await app.signedIn('member')
    const [teamId, hiddenId] = [await engagement('With them'), await engagement('Without them')]
    for (const [id, team] of [
      [teamId, [member.user.id]],
      [hiddenId, []],
    ] as const)
      await owner.patch(`/api/web/engagements/${id}/details`, { access: 'team', team })
    const all = await open(await loginOf(member))
    const listed = await open(await loginOf(member, [teamId, openId]))
    await sayAll(hiddenId, ['task'], 'without')
    await sayAll(teamId, ['task'], 'with')
    for (const stream of [all, listed]) {
      await stream.hears('with_task')
      expect(stream.text()).not.toContain('without_task')
    }
    await owner.patch(`/api/web/engagements/${teamId}/details`, { team: [] })
    await sayAll(teamId, ['task'], 'closed')
    await sayAll(openId, ['task'], 'later')
    for (const stream of [all, listed]) {
      await stream.hears('later_task')
      expect(stream.text()).not.toContain('closed_task')
    }
    const person = `/api/web/organizations/current/members/${member.user.id}`
    expect((await owner.patch(person, { role: 'admin' })).status).toBe(200)
    await eventually(() => expect([all.ended, listed.ended]).toEqual([true, true]))
    const again = await open(await loginOf(member))
    expect((await owner.delete(person)).status).toBe(200)
    await eventually(() => expect(again.ended).toBe(true))
  })

  test('without a key it is 401, and a key has no page open', async () => {
    expect((await open('svc_live_wrong')).status).toBe(401)
    const { value } = await createKey(ALL)
    const viewing = `?viewing=wik_${'0'.repeat(26)}`
    expect((await open(value, viewing)).status).toBe(422)
  })

  test('the stream of an agent ends when the agent is stopped, and a stopped agent opens none', async () => {
    const { status, body, text } = await owner.post('/api/web/agents', {
      name: 'listens',
      engagementIds: [openId],
      scopes: ['targets:read'],
    })
    expect(status, text).toBe(201)
    const stream = await open(body.data.value)
    expect(stream.status).toBe(200)
    const stop = { agentId: body.data.id, reason: 'Enough for today' }
    expect((await owner.post('/api/web/agents/stop', stop)).status).toBe(200)
    await eventually(() => expect(stream.ended).toBe(true))
    expect((await open(body.data.value)).status).toBe(401)
  })
})
