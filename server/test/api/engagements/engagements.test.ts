import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
const ENGAGEMENTS = '/api/v1/engagements'
const FIELDS = ['id', 'name', 'description', 'status', 'createdAt', 'updatedAt']

interface Row {
  id: string
  name: string
  status: string
  createdAt: string
  updatedAt: string
}

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const create = async (client: TestClient, body: unknown): Promise<Row> => {
  const response = await client.post(ENGAGEMENTS, body)
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

describe('POST engagement', () => {
  test('answers 201 with exactly the six fields; active, with an empty description by default', async () => {
    const { status, body } = await key.post(ENGAGEMENTS, { name: '  Perimeter  ' })
    expect(status).toBe(201)
    expect(Object.keys(body.data)).toEqual(FIELDS)
    expect(body.data).toMatchObject({
      name: 'Perimeter',
      description: '',
      status: 'active',
      updatedAt: body.data.createdAt,
    })
    expect(body.data.id).toMatch(/^eng_/)
    expect(await create(key, { name: 'x', description: 'Line one\n\tline *two*\r\n' })).toMatchObject({
      description: 'Line one\n\tline *two*\r\n',
    })
  })

  test.each([
    {},
    { name: '' },
    { name: ' \n ' },
    { name: null },
    { name: ['x'] },
    { description: 'x' },
    { name: 'x', description: null },
    { name: 'x', description: 1 },
  ])('%j answers 422', async (body) => {
    expect((await key.post(ENGAGEMENTS, body)).status).toBe(422)
  })

  test.each(['id', 'status', 'createdAt', 'updatedAt', 'organizationId', 'ifUpdatedAt'])(
    'I4: %s cannot be set at creation',
    async (field) => {
      expect((await key.post(ENGAGEMENTS, { name: 'x', [field]: 'active' })).status).toBe(422)
    },
  )
})

describe('GET engagements', () => {
  test('sorts by each field in both orders, ties by id; pages repeat no row and skip none', async () => {
    const client = await app.withKey(['organizations:read', 'organizations:write'], await app.createOrganization())
    app.clock.freeze()
    for (let i = 0; i < 17; i++) {
      if (i % 4 === 0) app.clock.advance(1)
      const { id } = await create(client, { name: `Name ${i % 3}` })
      if (i % 2 === 0) await client.patch(`${ENGAGEMENTS}/${id}`, { status: 'completed' })
      if (i % 6 === 0) await client.patch(`${ENGAGEMENTS}/${id}`, { status: 'archived' })
    }
    const all: Row[] = (await client.get(`${ENGAGEMENTS}?perPage=100`)).body.data
    expect(all.length).toBe(17)
    const sorts = ['createdAt', 'updatedAt', 'name', 'status'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom(undefined, 'active', 'completed', 'archived'),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        async (sort, order, status, page, perPage) => {
          const direction = order === 'asc' ? 1 : -1
          const matching = all.filter((row) => !status || row.status === status)
          const sorted = matching.toSorted((a, b) => direction * (compare(a[sort], b[sort]) || compare(a.id, b.id)))
          const { body } = await client.get(
            `${ENGAGEMENTS}?sort=${sort}&order=${order}&page=${page}&perPage=${perPage}${status ? `&status=${status}` : ''}`,
          )
          expect(body.meta).toEqual({
            total: matching.length,
            page,
            perPage,
            totalPages: Math.ceil(matching.length / perPage),
          })
          expect(body.data.map(({ id }: Row) => id)).toEqual(
            sorted.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
          )
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test('newest first by default', async () => {
    const { body } = await key.get(ENGAGEMENTS)
    expect(body.data).toEqual((await key.get(`${ENGAGEMENTS}?sort=createdAt&order=desc&page=1&perPage=20`)).body.data)
    expect(Object.keys(body.data[0])).toEqual(FIELDS)
  })

  test('an organization without any, and a page past the end: 200, an empty list, correct totals', async () => {
    const client = await app.withKey(['organizations:read'], await app.createOrganization())
    expect((await client.get(ENGAGEMENTS)).body).toEqual({
      data: [],
      meta: { total: 0, page: 1, perPage: 20, totalPages: 0 },
    })
    const { status, body } = await key.get(`${ENGAGEMENTS}?page=9999999&perPage=100`)
    expect([status, body.data]).toEqual([200, []])
    expect(body.meta.total).toBe((await key.get(ENGAGEMENTS)).body.meta.total)
  })

  test('a page far into a list: has the rows at its place, in every order, however many clients ask for it', async () => {
    const organization = await app.createOrganization()
    const client = await app.withKey(['organizations:read'], organization)
    await sql`insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
      select 'eng_' || lpad(i::text, 26, '0'), ${organization.id}, 'Engagement ' || i % 7, '', case when i % 2 = 0 then 'active' else 'completed' end, now(), now(), now()
      from generate_series(1, 2400) i`.execute(app.db)
    const page = async (asked: string) => (await client.get(`${ENGAGEMENTS}?perPage=100&${asked}`)).body
    const cases = [
      ['name', 'asc', undefined],
      ['createdAt', 'desc', undefined],
      ['name', 'desc', 'active'],
    ] as const
    for (const [sort, order, status] of cases) {
      const asked = `sort=${sort}&order=${order}${status ? `&status=${status}` : ''}`
      const pages = await Promise.all(Array.from({ length: 24 }, (_, index) => page(`${asked}&page=${index + 1}`)))
      const rows = pages.flatMap(({ data }): Row[] => data)
      const total = status ? 1_200 : 2_400
      expect(pages.map(({ meta }) => meta.total)).toEqual(pages.map(() => total))
      expect(new Set(rows.map(({ id }) => id)).size).toBe(total)
      const direction = order === 'asc' ? 1 : -1
      expect(rows).toEqual(rows.toSorted((a, b) => direction * (compare(a[sort], b[sort]) || compare(a.id, b.id))))
    }
  })

  const COLUMNS = [
    'password_hash',
    'passwordHash',
    'organization_id',
    'organizationId',
    'id',
    'description',
    'created_at',
    'secret_hash',
    'token',
    '1',
    'name;drop table users',
    'name--',
    "name'",
    'name desc',
    'NAME',
    '__proto__',
    'constructor',
    'toString',
  ]
  test.each(COLUMNS)('A7, I9: sort=%s answers 400', async (column) => {
    expect((await key.get(`${ENGAGEMENTS}?sort=${encodeURIComponent(column)}`)).status).toBe(400)
  })

  test.each([
    'order=DESC',
    'order=desc%20',
    'order=',
    'order=desc;',
    'status=Active',
    'status=all',
    'status=active&status=completed',
    'name=x',
    'status[$ne]=active',
  ])('I7: ?%s answers 400', async (query) => {
    expect((await key.get(`${ENGAGEMENTS}?${query}`)).status).toBe(400)
  })
})

/** Compares as Postgres does, for the texts of these tests: fixed words and times. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

describe('PATCH engagement', () => {
  const STEPS = { active: ['completed'], completed: ['archived', 'active'], archived: ['active'] }
  const PATHS = { active: [], completed: ['completed'], archived: ['completed', 'archived'] }
  const statuses = Object.keys(STEPS) as (keyof typeof STEPS)[]
  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    'from %s to %s as open point 4 says',
    async (from, to) => {
      const { id } = await create(key, { name: 'Walks' })
      for (const status of PATHS[from]) await key.patch(`${ENGAGEMENTS}/${id}`, { status })
      const before = (await key.get(`${ENGAGEMENTS}/${id}`)).body.data
      const { status, body } = await key.patch(`${ENGAGEMENTS}/${id}`, { status: to })
      const allowed = from === to || STEPS[from].includes(to)
      expect(status).toBe(allowed ? 200 : 409)
      const after = (await key.get(`${ENGAGEMENTS}/${id}`)).body.data
      if (!allowed || from === to) expect(after).toEqual(before)
      else expect(after).toEqual(body.data)
      if (allowed) expect(after.status).toBe(to)
    },
  )

  test('an empty object and unchanged values change nothing', async () => {
    const made = await create(key, { name: 'Stays', description: 'as it is' })
    expect((await key.patch(`${ENGAGEMENTS}/${made.id}`, {})).body.data).toEqual(made)
    expect(
      (await key.patch(`${ENGAGEMENTS}/${made.id}`, { name: 'Stays', description: 'as it is', status: 'active' })).body
        .data,
    ).toEqual(made)
  })

  test('ifUpdatedAt: a stale one answers 409 and changes nothing; every change has a later updatedAt, also within a millisecond', async () => {
    app.clock.freeze()
    const made = await create(key, { name: 'Contested' })
    const first = await key.patch(`${ENGAGEMENTS}/${made.id}`, { name: 'First', ifUpdatedAt: made.updatedAt })
    expect(first.status).toBe(200)
    expect(first.body.data.updatedAt > made.updatedAt).toBe(true)
    expect((await key.patch(`${ENGAGEMENTS}/${made.id}`, { name: 'Second', ifUpdatedAt: made.updatedAt })).status).toBe(
      409,
    )
    expect((await key.get(`${ENGAGEMENTS}/${made.id}`)).body.data).toEqual(first.body.data)
    expect((await key.patch(`${ENGAGEMENTS}/${made.id}`, { name: 'Second', ifUpdatedAt: 'yesterday' })).status).toBe(
      422,
    )
  })

  test('B5: of twenty parallel changes from one state exactly one is accepted', async () => {
    const made = await create(key, { name: 'Raced' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        key.patch(`${ENGAGEMENTS}/${made.id}`, { name: `Racer ${i}`, ifUpdatedAt: made.updatedAt }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('an unknown id answers 404 before a stale state answers 409', async () => {
    const unknown = `${ENGAGEMENTS}/eng_00000000000000000000000000`
    expect((await key.get(unknown)).status).toBe(404)
    expect((await key.patch(unknown, { status: 'archived', ifUpdatedAt: '2020-01-01T00:00:00.000Z' })).status).toBe(404)
    expect((await key.patch(unknown, { status: 'gone' })).status).toBe(422)
    expect((await key.delete(unknown, { body: { name: 'gone' } })).status).toBe(404)
  })
})

describe('scopes that the operator sets (open point 2)', () => {
  test.each([
    ['tasks:read', 'wiki:write'],
    ['*', '*'],
  ] as const)('ENGAGEMENT_READ_SCOPE=%s, ENGAGEMENT_WRITE_SCOPE=%s decide', async (read, write) => {
    const other = await testApp({ workers: false, env: { ENGAGEMENT_READ_SCOPE: read, ENGAGEMENT_WRITE_SCOPE: write } })
    try {
      const organizations = await other.withKey(['organizations:read', 'organizations:write'])
      const named = await other.withKey(['tasks:read', 'wiki:write'])
      expect((await named.post(ENGAGEMENTS, { name: 'x' })).status).toBe(201)
      expect((await named.get(ENGAGEMENTS)).status).toBe(200)
      expect((await organizations.get(ENGAGEMENTS)).status).toBe(read === '*' ? 200 : 403)
      expect((await organizations.post(ENGAGEMENTS, { name: 'x' })).status).toBe(read === '*' ? 201 : 403)
      expect((await other.anonymous.get(ENGAGEMENTS)).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  test.each([
    ['organizations:read', 'organizations:write'],
    ['organizations:write', 'organizations:write'],
    ['*', 'tasks:write'],
  ] as const)(
    'the list of own organizations shows what the role may do with ENGAGEMENT_READ_SCOPE=%s, ENGAGEMENT_WRITE_SCOPE=%s',
    async (read, write) => {
      const other = await testApp({
        workers: false,
        env: { ENGAGEMENT_READ_SCOPE: read, ENGAGEMENT_WRITE_SCOPE: write },
      })
      try {
        for (const role of ['owner', 'admin', 'member'] as const) {
          const person = await other.signedIn(role)
          const { body } = await person.get('/api/web/organizations')
          const mayCreate = (await person.post('/api/web/engagements', { name: 'x' })).status === 201
          expect(body.data.find(({ id }: { id: string }) => id === other.organization.id).permissions, role).toEqual({
            readEngagements: (await person.get('/api/web/engagements')).status === 200,
            changeEngagements: mayCreate,
            createEngagements: mayCreate,
          })
        }
      } finally {
        await other.close()
      }
    },
  )
})
