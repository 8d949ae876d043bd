import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesOf, upload } from '../../support/document/files.ts'

let app: TestApp
let owner: TestClient
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const V1 = '/api/v1/engagements'
const WEB = '/api/web/engagements'
const create = async (body: object = {}): Promise<string> => {
  const response = await key.post(V1, { name: 'Perimeter', ...body })
  expect(response.status, response.text).toBe(201)
  return response.body.data.id
}

describe('details', () => {
  test('start empty and open, and are changed field by field', async () => {
    const id = await create()
    const path = `${V1}/${id}/details`
    const before = (await key.get(path)).body.data
    expect(before).toEqual({
      engagementId: id,
      clientId: null,
      clientName: '',
      kind: 'other',
      kinds: ['other'],
      isTemplate: false,
      reportWords: [],
      hold: null,
      prefix: before.prefix,
      startsOn: null,
      endsOn: null,
      testingHours: null,
      lead: null,
      team: [],
      contacts: [],
      access: 'organization',
      fields: {},
      updatedAt: before.updatedAt,
    })
    const [lead, mate] = [await app.createMember('member'), await app.createMember('member')]
    const change = {
      clientName: 'Contoso Ltd.',
      kind: 'red-team',
      startsOn: '2026-12-01',
      endsOn: '2026-12-12',
      testingHours: { timeZone: 'Europe/Berlin', windows: [{ days: [1, 5], from: '20:00', to: '06:00' }] },
      lead: lead.id,
      team: [mate.id],
      contacts: [{ name: 'Noa', role: 'SOC', phone: '+49 30 1', email: 'soc@contoso.example' }],
      access: 'team',
    }
    const { status, body } = await key.patch(path, change)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...change,
      kinds: ['red-team'],
      isTemplate: false,
      reportWords: [],
      hold: null,
      prefix: before.prefix,
      engagementId: id,
      clientId: expect.stringMatching(/^cli_/),
      fields: {},
      lead: { id: lead.id, name: lead.name },
      team: [{ id: mate.id, name: mate.name }],
      updatedAt: expect.any(String),
    })
    expect(body.data.updatedAt > before.updatedAt).toBe(true)
    expect((await key.get(path)).body).toEqual(body)
    expect((await key.patch(path, change)).body, 'values that are already so change nothing').toEqual(body)
    expect((await key.get(`${V1}/${id}`)).body.data, 'the specified object keeps its six fields').toMatchObject({
      name: 'Perimeter',
    })
    expect(Object.keys((await key.get(`${V1}/${id}`)).body.data)).toHaveLength(6)
  })

  test('with a stale state do not overwrite a newer change', async () => {
    const id = await create()
    const path = `${V1}/${id}/details`
    const { updatedAt } = (await key.get(path)).body.data
    expect((await key.patch(path, { kind: 'web', ifUpdatedAt: updatedAt })).status).toBe(200)
    expect((await key.patch(path, { kind: 'cloud', ifUpdatedAt: updatedAt })).status).toBe(409)
    expect((await key.get(path)).body.data.kind).toBe('web')
  })

  test.each([
    [{ startsOn: '2026-12-02', endsOn: '2026-12-01' }, 'endsOn'],
    [{ startsOn: '2026-02-30' }, 'startsOn'],
    [{ testingHours: { timeZone: 'Mars/Olympus', windows: [{ days: [1], from: '09:00', to: '18:00' }] } }, 'timeZone'],
    [{ testingHours: { timeZone: '+02:00', windows: [{ days: [1], from: '09:00', to: '18:00' }] } }, 'timeZone'],
    [{ testingHours: { timeZone: 'UTC', windows: [{ days: [8], from: '09:00', to: '18:00' }] } }, 'days'],
    [{ testingHours: { timeZone: 'UTC', windows: [{ days: [1], from: '24:00', to: '18:00' }] } }, 'from'],
    [{ testingHours: { timeZone: 'UTC', windows: [{ days: [1], from: '09:00', to: '09:00' }] } }, 'to'],
    [{ lead: 'usr_00000000000000000000000000' }, 'lead'],
    [{ team: ['usr_00000000000000000000000000'] }, 'team'],
    [{ access: 'everybody' }, 'access'],
    [{ contacts: Array.from({ length: 21 }, () => ({ name: 'x', role: '', phone: '', email: '' })) }, 'contacts'],
  ])('%j answers 422 and names the field, also at creation', async (details, field) => {
    const id = await create()
    const answer = await key.patch(`${V1}/${id}/details`, details)
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining(field)])
    const total = (await key.get(V1)).body.meta.total
    expect((await key.post(V1, { name: 'Not made', details })).status).toBe(422)
    expect((await key.get(V1)).body.meta.total).toBe(total)
  })

  test('an end without a start is checked against the stored start', async () => {
    const id = await create({ details: { startsOn: '2026-12-10' } })
    expect((await key.patch(`${V1}/${id}/details`, { endsOn: '2026-12-09' })).status).toBe(422)
  })

  test('of an archived engagement are read-only', async () => {
    const id = await create()
    for (const status of ['completed', 'archived']) await key.patch(`${V1}/${id}`, { status })
    expect((await key.patch(`${V1}/${id}/details`, { kind: 'web' })).status).toBe(409)
  })

  test('may be changed in the web by the lead, not by other members', async () => {
    const [lead, other] = [await app.signedIn('member'), await app.signedIn('member')]
    const id = await create({ details: { lead: lead.user.id } })
    expect((await other.patch(`${WEB}/${id}/details`, { kind: 'web' })).status).toBe(403)
    expect((await lead.patch(`${WEB}/${id}/details`, { kind: 'web' })).status).toBe(200)
    expect((await lead.patch(`${WEB}/${id}`, { name: 'Mine' })).status, 'the engagement itself needs the scope').toBe(
      403,
    )
  })

  test('a user who leaves the organization no longer leads anything', async () => {
    const lead = await app.createMember('member')
    const id = await create({ details: { lead: lead.id, team: [lead.id] } })
    expect((await owner.delete(`/api/web/organizations/current/members/${lead.id}`)).status).toBe(200)
    expect((await key.get(`${V1}/${id}/details`)).body.data).toMatchObject({ lead: null, team: [] })
  })
})

describe('the list', () => {
  test('is filtered by kind, lead and part of a name, ignoring case, and sorted by name as people expect', async () => {
    const organization = await app.createOrganization()
    const client = await app.withKey(['organizations:read', 'organizations:write'], organization)
    const lead = await app.createMember('member', organization)
    const made = [
      { name: 'alpha', details: { kind: 'web', clientName: 'Contoso 100%' } },
      { name: 'Zulu', details: { kind: 'web', lead: lead.id } },
      { name: 'Bravo', details: { kind: 'cloud' } },
      { name: 'éclair' },
    ]
    for (const body of made) expect((await client.post(V1, body)).status).toBe(201)
    const names = async (query: string) =>
      (await client.get(`${V1}?sort=name&order=asc&${query}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['alpha', 'Bravo', 'éclair', 'Zulu'])
    expect(await names('kind=web')).toEqual(['alpha', 'Zulu'])
    expect(await names(`leadId=${lead.id}`)).toEqual(['Zulu'])
    expect(await names('q=AL')).toEqual(['alpha'])
    expect(await names('q=contoso')).toEqual(['alpha'])
    expect(await names('q=0%25')).toEqual(['alpha'])
    expect(await names('q=%25')).toEqual(['alpha'])
    expect(await names('q=_')).toEqual([])
    expect((await client.get(`${V1}?q=`)).status).toBe(400)
  })
})

describe('activity', () => {
  test('shows everyone who sees the engagement who changed what, newest first, without addresses', async () => {
    const id = await create()
    await key.patch(`${V1}/${id}/details`, { kind: 'web' })
    await key.patch(`${V1}/${id}`, { name: 'Renamed' })
    await upload(key, filesOf(id), 'capture')
    const member = await app.signedIn('member')
    const first = await member.get(`${WEB}/${id}/activity?perPage=3`)
    expect(first.status).toBe(200)
    expect(first.body.data.map(({ action }: { action: string }) => action)).toEqual([
      'file.uploaded',
      'engagement.changed',
      'engagement.details-changed',
    ])
    expect(first.body.data[1]).toMatchObject({ before: { name: 'Perimeter' }, after: { name: 'Renamed' } })
    expect(first.text).not.toContain('127.0.0.1')
    const rest = await member.get(`${WEB}/${id}/activity?perPage=3&cursor=${first.body.meta.nextCursor}`)
    expect(rest.body.data.map(({ action }: { action: string }) => action)).toEqual(['engagement.created'])
    expect(rest.body.meta.nextCursor).toBeNull()
    expect((await member.get(`${WEB}/${id}/activity?cursor=nonsense`)).status).toBe(400)
  })
})

describe('deletion', () => {
  test('needs the exact name, and the engagement is deleted once the answer arrives, for the owner as well', async () => {
    const id = await create({ name: 'To be deleted' })
    expect((await key.delete(`${V1}/${id}`, { body: { name: 'to be deleted' } })).status).toBe(422)
    const { status, body } = await key.delete(`${V1}/${id}`, { body: { name: 'To be deleted' } })
    expect([status, body]).toEqual([200, { data: { deleted: true, id } }])
    for (const path of ['', '/details', '/activity']) expect((await owner.get(`${WEB}/${id}${path}`)).status).toBe(404)
    expect((await key.delete(`${V1}/${id}`, { body: { name: 'To be deleted' } })).status).toBe(404)
    expect((await key.get(`${V1}?q=To be deleted`)).body.data).toEqual([])
    await eventually(
      async () =>
        expect(await app.db.selectFrom('engagements').select('id').where('id', '=', id).execute()).toEqual([]),
      15_000,
    )
  })

  test('is for the owner, admins and keys: a member may not, although members have the engagement scope', async () => {
    const open = await testApp({ workers: false, env: { ENGAGEMENT_WRITE_SCOPE: 'tasks:write' } })
    try {
      const member = await open.signedIn('member')
      const { id } = (await member.post(WEB, { name: 'Mine' })).body.data
      expect((await member.delete(`${WEB}/${id}`, { body: { name: 'Mine' } })).status).toBe(403)
      expect((await (await open.signedIn('admin')).delete(`${WEB}/${id}`, { body: { name: 'Mine' } })).status).toBe(200)
    } finally {
      await open.close()
    }
  })
})
