import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../support/app/nightly.ts'
import { type TestApp, type TestOrganization, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'

let app: TestApp
let organization: TestOrganization
let key: TestClient
const MEMBERS = '/api/v1/organizations/current/members'
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

beforeAll(async () => {
  app = await testApp({ workers: false })
  organization = await app.createOrganization()
  key = await app.withKey(['organizations:read', 'organizations:write'], organization)
  for (let i = 0; i < 23; i++) await app.createMember(i % 5 === 0 ? 'admin' : 'member', organization)
})
afterAll(() => app.close())

interface Row {
  id: string
  role: string
  joinedAt: string
}

describe('GET members', () => {
  test('each has exactly the six specified fields; the first page has 20 with correct totals', async () => {
    const { status, body } = await key.get(MEMBERS)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data', 'meta'])
    expect(body.meta).toEqual({ total: 24, page: 1, perPage: 20, totalPages: 2 })
    expect(body.data.length).toBe(20)
    for (const member of body.data) {
      expect(Object.keys(member)).toEqual(['id', 'name', 'email', 'role', 'joinedAt', 'lastSeenAt'])
      expect(member.joinedAt).toMatch(TIMESTAMP)
    }
    expect(body.data[0]).toMatchObject({ id: organization.owner.id, email: organization.owner.email, role: 'owner' })
  })

  test('lastSeenAt is null for never and a time after a visit in the web interface', async () => {
    const visitor = await app.signedIn('member', organization)
    const seen = async () =>
      (await key.get(`${MEMBERS}?perPage=100`)).body.data.find(({ id }: Row) => id === visitor.user.id).lastSeenAt
    expect(await seen()).toBeNull()
    await visitor.get('/api/web/organizations/current')
    await app.flush()
    expect(await seen()).toMatch(TIMESTAMP)
    await key.delete(`${MEMBERS}/${visitor.user.id}`)
  })

  test('pages of every size and filter repeat no row and skip none, forwards and past the end', async () => {
    const all: Row[] = (await key.get(`${MEMBERS}?perPage=100`)).body.data
    const sorted = [...all].sort((a, b) => (a.joinedAt + a.id < b.joinedAt + b.id ? -1 : 1))
    expect(all.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 'owner', 'admin', 'member'),
        async (perPage, page, role) => {
          const matching = all.filter((member) => role === undefined || member.role === role)
          const { status, body } = await key.get(
            `${MEMBERS}?page=${page}&perPage=${perPage}${role ? `&role=${role}` : ''}`,
          )
          expect(status).toBe(200)
          expect(body.meta).toEqual({
            total: matching.length,
            page,
            perPage,
            totalPages: Math.ceil(matching.length / perPage),
          })
          expect(body.data).toEqual(matching.slice((page - 1) * perPage, page * perPage))
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test('the last possible page is 200 with an empty list', async () => {
    const { status, body } = await key.get(`${MEMBERS}?page=9999999&perPage=100`)
    expect([status, body.data, body.meta.total]).toEqual([200, [], 24])
  })

  const WRONG = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=',
    'page=1e3',
    'page=0x10',
    'page=+1',
    'page=%201',
    'page=1%20',
    'page=01',
    'page=10000000',
    'page=1e400',
    'page=NaN',
    'page=٣',
  ]
    .concat(['perPage=0', 'perPage=101', 'perPage=-20', 'perPage=', 'perPage=20.0', 'perPage=999999999999999999999'])
    .concat([
      'role=Owner',
      'role=',
      'role=guest',
      'role=owner,admin',
      'role[]=owner',
      'role=owner&role=admin',
      'page=1&page=1',
      'role%00=owner',
      'role=%00',
    ])
    .concat([
      'sort=name',
      'limit=5',
      'per_page=5',
      '__proto__=1',
      'constructor=1',
      'page[$gt]=1',
      'filter[passwordHash][$startsWith]=a',
      'role=%zz',
      'role=%ff',
    ])
  test.each(WRONG)('I7, A7, M14: ?%s answers 400', async (query) => {
    const { status, body } = await key.get(`${MEMBERS}?${query}`)
    expect(status).toBe(400)
    expect(body.error.code).toBe('BAD_REQUEST')
  })

  test('I7: any query answers 200 with the requested page, or 400', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('owner', '1', '100'),
    )
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('page', 'perPage', 'role') },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const written = pairs.map(([key, text]) => `${encode(key)}=${encode(text)}`).join('&')
        const { status, body } = await key.get(`${MEMBERS}?${written}`)
        const digits = pairs.every(([field, text]) => field === 'role' || /^[1-9][0-9]{0,6}$/.test(text))
        expect(status === 400 || (status === 200 && digits), `${written} ${status}`).toBe(true)
        for (const [field, text] of pairs)
          if (status === 200 && field !== 'role') expect(body.meta[field]).toBe(Number(text))
      }),
      { numRuns: runs(300) },
    )
  })
})

const encode = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

describe('PATCH member', () => {
  test('sets the role and answers id, role, updatedAt; the same role again changes nothing', async () => {
    const member = await app.createMember('member', organization)
    const { status, body } = await key.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })
    expect(status).toBe(200)
    expect(body).toEqual({ data: { id: member.id, role: 'admin', updatedAt: expect.stringMatching(TIMESTAMP) } })
    expect((await key.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })).body).toEqual(body)
    expect((await key.patch(`${MEMBERS}/${member.id}`, { role: 'member' })).body.data.role).toBe('member')
    await key.delete(`${MEMBERS}/${member.id}`)
  })

  test('M2: the owner as the member to change answers 409 and stays', async () => {
    const admin = await app.signedIn('admin', organization)
    const owner = await app.signedIn('owner', organization)
    for (const client of [key, admin, owner]) {
      const members = client === key ? MEMBERS : MEMBERS.replace('/v1/', '/web/')
      expect((await client.patch(`${members}/${organization.owner.id}`, { role: 'member' })).status).toBe(409)
      expect((await client.delete(`${members}/${organization.owner.id}`)).status).toBe(409)
    }
    expect((await key.get(`${MEMBERS}?role=owner`)).body.data.map(({ id }: Row) => id)).toEqual([organization.owner.id])
  })

  test.each(['owner', 'Owner', 'guest', '', null, 1, true, ['admin'], { role: 'admin' }])(
    'M2: role %j answers 422',
    async (role) => {
      const member = await app.createMember('member', organization)
      const { status, body } = await key.patch(`${MEMBERS}/${member.id}`, { role })
      expect(status).toBe(422)
      expect(body.error.message).toMatch(/^role: /)
      await key.delete(`${MEMBERS}/${member.id}`)
    },
  )

  test('names the possible roles, and that the role is required', async () => {
    const { body } = await key.patch(`${MEMBERS}/${organization.owner.id}`, { role: 'boss' })
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'role: must be one of admin, member',
      statusCode: 422,
    })
    expect((await key.patch(`${MEMBERS}/${organization.owner.id}`, {})).body.error.message).toBe('role: is required')
  })
})

describe('DELETE member', () => {
  test('ends access at once, keeps the account, and frees the address for a new invitation', async () => {
    const member = await app.createMember('admin', organization)
    const session = await app.signIn(member, organization.id)
    expect((await session.get('/api/web/organizations/current')).status).toBe(200)
    const { status, body } = await key.delete(`${MEMBERS}/${member.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ data: { removed: true, userId: member.id } })
    for (const path of [
      '/api/web/organizations/current',
      '/api/web/organizations/current/members',
      '/api/web/api-keys',
    ])
      expect((await session.get(path)).status).toBe(404)
    expect((await session.get('/api/web/organizations')).body.data).toEqual([])
    expect((await app.signIn(member)).user.id).toBe(member.id)
    expect((await key.delete(`${MEMBERS}/${member.id}`)).status).toBe(404)
    expect((await key.patch(`${MEMBERS}/${member.id}`, { role: 'admin' })).status).toBe(404)
    expect((await key.post(`${MEMBERS}/invite`, { email: member.email, role: 'member' })).status).toBe(201)
  })

  test('a non-empty body is refused', async () => {
    const member = await app.createMember('member', organization)
    expect((await key.delete(`${MEMBERS}/${member.id}`, { body: { force: true } })).status).toBe(422)
    expect((await key.delete(`${MEMBERS}/${member.id}`, { rawBody: 'x' })).status).toBe(400)
    expect((await key.delete(`${MEMBERS}/${member.id}`, { body: {} })).status).toBe(200)
  })

  test('M1: an admin may demote and remove admins, also themselves; a member may do neither', async () => {
    const [admin, other, member] = [
      await app.signedIn('admin', organization),
      await app.createMember('admin', organization),
      await app.signedIn('member', organization),
    ]
    const members = MEMBERS.replace('/v1/', '/web/')
    expect((await member.delete(`${members}/${other.id}`)).status).toBe(403)
    expect((await admin.delete(`${members}/${other.id}`)).status).toBe(200)
    expect((await admin.patch(`${members}/${admin.user.id}`, { role: 'member' })).status).toBe(200)
    expect((await admin.delete(`${members}/${member.user.id}`)).status).toBe(403)
  })
})

describe('a transfer of ownership', () => {
  const TRANSFER = '/api/web/organizations/current/transfer-ownership'
  const password = 'correct horse battery staple'

  test('swaps owner and member in one step; the former owner is an admin; no key can do it', async () => {
    const own = await app.createOrganization()
    const owner = await app.signedIn('owner', own)
    const reader = await app.withKey(['organizations:read', 'organizations:write'], own)
    const successor = await app.createMember('member', own)
    const { status, body } = await owner.post(TRANSFER, { userId: successor.id, password })
    expect(status).toBe(200)
    expect(body).toEqual({ data: { ownerId: successor.id, previousOwnerId: own.owner.id } })
    const { data } = (await reader.get(MEMBERS)).body
    expect(Object.fromEntries(data.map(({ id, role }: Row) => [id, role]))).toEqual({
      [own.owner.id]: 'admin',
      [successor.id]: 'owner',
    })
    expect((await owner.post(TRANSFER, { userId: own.owner.id, password })).status).toBe(403)
    expect(
      (await reader.post('/api/v1/organizations/current/transfer-ownership', { userId: own.owner.id, password }))
        .status,
    ).toBe(404)
  })

  test('M2: a wrong password 403, an admin 403, a stranger 404, oneself 409, a body without password 422', async () => {
    const own = await app.createOrganization()
    const owner = await app.signedIn('owner', own)
    const admin = await app.signedIn('admin', own)
    const stranger = await app.createUser()
    expect((await owner.post(TRANSFER, { userId: admin.user.id, password: 'another password' })).status).toBe(403)
    expect((await admin.post(TRANSFER, { userId: admin.user.id, password })).status).toBe(403)
    expect((await owner.post(TRANSFER, { userId: stranger.id, password })).status).toBe(404)
    expect((await owner.post(TRANSFER, { userId: own.owner.id, password })).status).toBe(409)
    expect((await owner.post(TRANSFER, { userId: admin.user.id })).status).toBe(422)
    expect((await owner.get('/api/web/organizations/current/members?role=owner')).body.data[0].id).toBe(own.owner.id)
  })
})
