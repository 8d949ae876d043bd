import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { startRequest } from '../../support/races/request-in-progress.ts'

const AGENTS = '/api/web/agents'
const MEMBERS = '/api/web/organizations/current/members'
const ME = '/api/v1/me'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  engagementId = await engagement('Tested by agents')
})
afterAll(() => app.close())

const engagement = async (name: string, details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name, details })).body.data.id

const wanted = (fields: object = {}) => ({
  name: 'recon-1',
  engagementIds: [engagementId],
  scopes: ['wiki:read', 'wiki:write', 'reports:read', 'reports:write', 'targets:read', 'targets:write'],
  ...fields,
})

const create = async (fields: object = {}, by: TestClient = owner) => {
  const { status, body } = await by.post(AGENTS, wanted(fields))
  expect(status, JSON.stringify(body)).toBe(201)
  const authorization = `Bearer ${body.data.value}`
  return { agent: body.data, authorization, client: app.anonymous.with({ authorization }) }
}

describe('an agent', () => {
  test('is created with a key that is shown once, of the kind agent, limited to its engagements', async () => {
    const { agent, client } = await create({ description: 'Finds hosts', model: 'in-house 7b' })
    expect(agent).toMatchObject({
      name: 'recon-1',
      owner: { id: app.organization.owner.id },
      description: 'Finds hosts',
      model: 'in-house 7b',
      engagementIds: [engagementId],
      state: 'active',
      stoppedBy: null,
      lastSeenAt: null,
    })
    expect(agent.value).toMatch(/^svc_live_/)
    expect(Date.parse(agent.expiresAt) - app.clock.now()).toBeLessThanOrEqual(90 * DAY_MS)
    const me = (await client.get(ME)).body.data.key
    expect(me).toMatchObject({ kind: 'agent', name: 'recon-1', engagementIds: [engagementId] })
    expect((await client.get('/api/v1/organizations/current/members')).status).toBe(403)
    const read = await owner.get(`${AGENTS}/${agent.id}`)
    const list = await owner.get(AGENTS)
    expect(read.text + list.text).not.toContain(agent.value)
    expect(list.body.data.map(({ id }: { id: string }) => id)).toContain(agent.id)
    const stranger = await app.signedIn('owner', await app.createOrganization())
    expect((await stranger.get(`${AGENTS}/${agent.id}`)).status).toBe(404)
    expect((await stranger.get(AGENTS)).body.data).toEqual([])
    expect((await stranger.post(`${AGENTS}/stop`, { agentId: agent.id, reason: 'x' })).status).toBe(404)
  })

  test('is the author of what it writes, in objects, activity, audit and operation log', async () => {
    const { agent, client } = await create({ name: 'writer-1' })
    const author = { id: agent.id, name: 'writer-1' }
    const page = (await client.post('/api/v1/wiki-pages', { engagementId, title: 'Notes', body: 'Found.' })).body.data
    expect(page.createdBy).toEqual(author)
    const finding = (await client.post('/api/v1/findings', { engagementId, title: 'Open port' })).body.data
    expect(finding).toMatchObject({ createdBy: author, verification: 'machine_found' })
    const entry = await client.post('/api/v1/operations', {
      engagementId,
      startedAt: new Date(app.clock.now()).toISOString(),
      host: 'www.example.com',
    })
    expect(entry.body.data.by).toEqual(author)
    const activity = (await owner.get(`/api/web/engagements/${engagementId}/activity`)).body.data
    expect(activity.find(({ object }: { object: { id: string } }) => object.id === page.id).actor).toEqual({
      type: 'agent',
      ...author,
    })
    const audit = (await owner.get(`/api/web/audit?objectId=${finding.id}`)).body.data
    expect(audit[0].actor).toMatchObject({ type: 'agent', ...author })
    await owner.patch(`${AGENTS}/${agent.id}`, { name: 'writer-2' })
    expect((await owner.get(`/api/web/wiki-pages/${page.id}`)).body.data.createdBy.name).toBe('writer-2')
    expect((await owner.delete(`${AGENTS}/${agent.id}`)).status).toBe(200)
    expect((await client.get(ME)).status).toBe(401)
    expect((await owner.get(`/api/web/wiki-pages/${page.id}`)).body.data.createdBy).toEqual({
      id: agent.id,
      name: 'writer-2',
    })
  })

  test('neither verifies nor approves, and overrides no rule', async () => {
    const { client } = await create()
    const finding = (await client.post('/api/v1/findings', { engagementId, title: 'By a machine' })).body.data
    const path = `/api/v1/findings/${finding.id}`
    for (const verification of ['human_verified', 'machine_verified', 'none'])
      expect((await client.patch(path, { verification })).status, verification).toBe(422)
    expect(
      (await client.post('/api/v1/findings', { engagementId, title: 'x', verification: 'human_verified' })).status,
    ).toBe(422)
    expect((await client.patch(path, { state: 'in_review' })).status).toBe(200)
    expect((await client.patch(path, { state: 'approved' })).status).toBe(409)
    expect((await owner.patch(`/api/web/findings/${finding.id}`, { state: 'approved' })).status).toBe(200)
    const run = {
      engagementId,
      externalId: 'run-0000000000000001',
      command: 'nmap 198.51.100.7',
      startedAt: new Date(app.clock.now()).toISOString(),
      targets: [{ address: '198.51.100.7' }],
    }
    const overridden = await client.post('/api/v1/operations/bulk', { ...run, overrideReason: 'I want to' })
    expect(overridden.status, overridden.text).toBe(403)
  })

  test('never has more than its owner, at creation and at each request', async () => {
    const admin = await app.signedIn('admin')
    const member = await app.createMember('member')
    const hidden = await engagement('Hidden', { access: 'team' })
    for (const fields of [
      { ownerId: member.id, scopes: ['organizations:write'] },
      { ownerId: member.id, engagementIds: [hidden] },
      { ownerId: 'usr_00000000000000000000000000' },
      { engagementIds: [] },
      { expiresAt: new Date(app.clock.now() + 367 * DAY_MS).toISOString() },
    ])
      expect((await owner.post(AGENTS, wanted(fields))).status, JSON.stringify(fields)).toBe(422)
    const { agent, client } = await create({ engagementIds: [hidden, engagementId] }, admin)
    const read = async (id: string) => (await client.get(`/api/v1/wiki-pages?engagementId=${id}`)).status
    expect([await read(hidden), await read(engagementId)]).toEqual([200, 200])
    await owner.patch(`${MEMBERS}/${admin.user.id}`, { role: 'member' })
    expect([await read(hidden), await read(engagementId)]).toEqual([404, 200])
    await owner.delete(`${MEMBERS}/${admin.user.id}`)
    expect(await read(engagementId)).toBe(401)
    expect((await owner.get(`${AGENTS}/${agent.id}`)).status).toBe(404)
  })

  test('of a lead is for the engagements that the lead leads; other members have none', async () => {
    const lead = await app.signedIn('member')
    const led = await engagement('Led', { lead: lead.user.id })
    expect((await lead.post(AGENTS, wanted())).status).toBe(403)
    const other = await app.createMember('member')
    expect((await lead.post(AGENTS, wanted({ engagementIds: [led], ownerId: other.id }))).status).toBe(422)
    const { agent } = await create({ engagementIds: [led] }, lead)
    const member = await app.signedIn('member')
    expect((await member.get(AGENTS)).body.data).toEqual([])
    expect((await member.get(`${AGENTS}/${agent.id}`)).status).toBe(404)
    expect((await member.delete(`${AGENTS}/${agent.id}`)).status).toBe(404)
    expect((await lead.get(AGENTS)).body.data.map(({ id }: { id: string }) => id)).toEqual([agent.id])
    expect((await lead.post(`${AGENTS}/stop`, { engagementId, reason: 'x' })).status).toBe(403)
    expect((await lead.post(`${AGENTS}/stop`, { all: true, reason: 'x' })).status).toBe(403)
    expect((await lead.post(`${AGENTS}/stop`, { engagementId: led, reason: 'x' })).body.data.stopped).toBe(1)
    expect((await lead.delete(`${AGENTS}/${agent.id}`)).status).toBe(200)
  })
})

describe('stopping', () => {
  test('refuses the key at once, also a request that is held, until the agent is started', async () => {
    const { agent, authorization, client } = await create()
    const held = await startRequest(`${app.origin}/api/v1/wiki-pages`, authorization, { engagementId, title: 'Late' })
    expect((await client.get(ME)).status).toBe(200)
    const stopped = await owner.post(`${AGENTS}/stop`, { agentId: agent.id, reason: 'The client asked for a pause' })
    expect(stopped.body.data).toEqual({ stopped: 1 })
    expect((await held.finish()).status).toBe(401)
    expect((await client.get(ME)).status).toBe(401)
    expect((await owner.get(`${AGENTS}/${agent.id}`)).body.data).toMatchObject({
      state: 'stopped',
      stopReason: 'The client asked for a pause',
      stoppedBy: { id: app.organization.owner.id },
    })
    const started = await owner.post(`${AGENTS}/${agent.id}/start`)
    expect(started.body.data).toMatchObject({ state: 'active', stopReason: null, stoppedBy: null, stoppedAt: null })
    expect((await client.get(ME)).status).toBe(200)
    expect((await owner.post(`${AGENTS}/${agent.id}/start`)).status).toBe(409)
  })

  test('takes exactly one of an agent, an engagement and all; people and their keys go on', async () => {
    const other = await engagement('Another')
    const [here, there] = [await create(), await create({ engagementIds: [other] })]
    const key = await app.withKey(['wiki:read'])
    for (const body of [{}, { agentId: here.agent.id, all: true }, { engagementId: other, all: true }, { all: false }])
      expect((await owner.post(`${AGENTS}/stop`, { ...body, reason: 'x' })).status, JSON.stringify(body)).toBe(422)
    expect((await owner.post(`${AGENTS}/stop`, { all: true })).status).toBe(422)
    expect((await owner.post(`${AGENTS}/stop`, { engagementId: other, reason: 'x' })).body.data.stopped).toBe(1)
    expect([(await here.client.get(ME)).status, (await there.client.get(ME)).status]).toEqual([200, 401])
    await owner.post(`${AGENTS}/stop`, { all: true, reason: 'x' })
    expect([(await here.client.get(ME)).status, (await key.get(ME)).status]).toEqual([401, 200])
  })

  test('the account of an agent is not listed by the instance, and no one signs in with it', async () => {
    const { agent } = await create()
    const admin = await app.signIn(await app.createUser(undefined, { isInstanceAdmin: true }))
    const accounts = (await admin.get('/api/web/instance/accounts?perPage=100')).text
    expect(accounts).not.toContain(agent.id)
    for (const email of [agent.id, '', 'recon-1'])
      expect([401, 422]).toContain(
        (await app.anonymous.post('/api/auth/sign-in/email', { email, password: 'x' })).status,
      )
  })
})
