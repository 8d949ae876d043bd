import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { lockRow } from '../../support/races/locked-row.ts'
import { addressOf, mountedRoutes } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient
let hidden: string
let open: string
/** Callers of each kind who do not see the hidden engagement. */
let outsiders: Record<string, { key?: TestClient; web?: TestClient }>
let insiders: Record<string, TestClient>

const SCOPES = ['organizations:read', 'organizations:write', 'targets:read', 'targets:write'] as const
const CANARY = 'Canary closed engagement'
const WEB = '/api/web/engagements'

const keyWith = async (engagementIds?: 'open' | string[]): Promise<TestClient> => {
  const made = await owner.post('/api/web/api-keys', {
    name: 'limited',
    environment: 'live',
    scopes: SCOPES,
    ...(engagementIds && { engagementIds }),
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body.data.engagementIds).toEqual(engagementIds ?? null)
  return app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
}

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const [lead, mate, member, admin] = [
    await app.signedIn('member'),
    await app.signedIn('member'),
    await app.signedIn('member'),
    await app.signedIn('admin'),
  ]
  const details = { access: 'team', lead: lead.user.id, team: [mate.user.id], clientName: CANARY }
  hidden = (await owner.post(WEB, { name: CANARY, description: CANARY, details })).body.data.id
  open = (await owner.post(WEB, { name: 'Open' })).body.data.id
  outsiders = {
    member: { web: member },
    'key for open engagements': { key: await keyWith('open') },
    'key for another': { key: await keyWith([open]) },
  }
  insiders = { lead, mate, admin, owner, 'key for all': await keyWith(), 'key for this one': await keyWith([hidden]) }
})
afterAll(() => app.close())

describe('a closed engagement', () => {
  test('A6: no list, count or filter of any route shows it to outsiders', async () => {
    for (const route of mountedRoutes(app).filter(({ method, ofOrganization }) => method === 'GET' && ofOrganization)) {
      for (const [name, clients] of Object.entries(outsiders)) {
        const answer = await clients[route.door as 'key' | 'web']?.get(addressOf(route, { engagementId: open }))
        expect(answer?.text ?? '', `${route.name} as ${name}`).not.toContain(CANARY)
        expect(answer?.text ?? '', `${route.name} as ${name}`).not.toContain(hidden)
      }
    }
    const { member } = outsiders
    const total = async (client: TestClient | undefined, query = '') =>
      (await client?.get(`${WEB}?${query}`))?.body.meta.total
    expect([await total(member?.web), await total(owner)]).toEqual([1, 2])
    expect(await total(member?.web, 'q=Canary')).toBe(0)
  })

  test('is seen by its lead, its team, the owner, the admins and keys with access', async () => {
    for (const [name, client] of Object.entries(insiders)) {
      const door = name.startsWith('key') ? 'v1' : 'web'
      expect((await client.get(`/api/${door}/engagements/${hidden}`)).status, name).toBe(200)
      expect((await client.get(`/api/${door}/engagements`)).text, name).toContain(CANARY)
    }
  })

  test('A3: cannot be created by a key that is limited to engagements, whose list shows only its own', async () => {
    const limited = insiders['key for this one'] as TestClient
    expect((await limited.post('/api/v1/engagements', { name: 'Another' })).status).toBe(403)
    expect((await limited.get('/api/v1/engagements')).body).toMatchObject({
      data: [{ id: hidden }],
      meta: { total: 1 },
    })
  })

  test('a key cannot be limited to an unknown engagement, or to none', async () => {
    for (const engagementIds of [[], ['eng_00000000000000000000000000'], 'closed', null, [open, open]]) {
      const { status } = await owner.post('/api/web/api-keys', {
        name: 'limited',
        environment: 'live',
        scopes: SCOPES,
        engagementIds,
      })
      expect(status, JSON.stringify(engagementIds)).toBe(422)
    }
  })
})

describe('access ends', () => {
  const closedFor = async (team: string[]) =>
    (await owner.post(WEB, { name: 'Closing', details: { access: 'team', team } })).body.data.id as string

  test('for a user who leaves the team, at once', async () => {
    const member = await app.signedIn('member')
    const id = await closedFor([member.user.id])
    expect((await member.get(`${WEB}/${id}`)).status).toBe(200)
    expect((await owner.patch(`${WEB}/${id}/details`, { team: [] })).status).toBe(200)
    expect((await member.get(`${WEB}/${id}`)).status).toBe(404)
  })

  test('K14: a change of a lead that waits while the lead is replaced is not made', async () => {
    const member = await app.signedIn('member')
    const id = (await owner.post(WEB, { name: 'Closing', details: { access: 'team', lead: member.user.id } })).body.data
      .id
    const held = await lockRow(app, 'select id from engagements where id = $1 for update', [id])
    const change = member.patch(`${WEB}/${id}/details`, { clientName: 'Too late' })
    await held.waitedFor(1, change)
    await app.db.deleteFrom('engagement_members').where('engagement_id', '=', id).execute()
    await held.release()
    expect((await change).status).toBe(404)
    expect((await owner.get(`${WEB}/${id}/details`)).body.data.clientName).toBe('')
  })

  test('K14: a change of an admin that waits while the admin becomes a member is refused', async () => {
    const admin = await app.signedIn('admin')
    const id = await closedFor([])
    const held = await lockRow(app, 'select user_id from memberships where user_id = $1 for update', [admin.user.id])
    const change = admin.patch(`${WEB}/${id}/details`, { clientName: 'Too late' })
    await held.waitedFor(1, change)
    await held.release("update memberships set role = 'member' where user_id = $1", [admin.user.id])
    expect((await change).status).toBe(404)
  })
})

test('A14: the database shows a viewer without a name nothing, and every table with engagements has the policy', async () => {
  const withoutViewer = app.platform.scopedTo(app.organization.id, '')
  expect(await withoutViewer.selectFrom('engagements').select('id').execute()).toEqual([])
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'engagement_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'visible_engagement' and not p.polpermissive)
    order by 1`.execute(app.db)
  expect(rows.map(({ name }) => name)).toEqual(['api_key_engagements', 'engagement_members', 'engagement_restrictions'])
})
