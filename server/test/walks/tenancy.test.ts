import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNightly, sampleOf, variantsFor } from '../support/app/nightly.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import { checksums, checksumsOfOrganization } from '../support/inputs/snapshot.ts'
import { sendRaw } from '../support/network/raw-http.ts'
import { idPositions } from '../support/walks/id-positions.ts'
import {
  attackAtRandom,
  CANARY,
  candidates,
  compareAnswers,
  type TwoTenants,
  twoTenants,
} from '../support/walks/two-tenants.ts'
import { addressOf, bodyOf, isWrite, mountedRoutes, paramsOf, pathOf } from '../support/walks/walk.ts'

let app: TestApp
let tenants: TwoTenants

beforeAll(async () => {
  app = await testApp({ workers: false })
  tenants = await twoTenants(app)
})
afterAll(() => app.close())

/** Ids that are tried at each position. */
const IDS = isNightly ? 4 : 1

const changesInLog = () =>
  app.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', 'not in', ['audit.exported', 'data.downloaded'])
    .execute()

describe('lists', () => {
  test('A6: no answer of a reading route contains a word of the other organization', async () => {
    let covered = 0
    for (const route of mountedRoutes(app).filter(
      (candidate) => !isWrite(candidate) && candidate.requirement !== 'instance-admin',
    )) {
      const client = route.door === 'key' ? tenants.attackers.key : tenants.attackers.web
      const { text } = await client.get(pathOf(route))
      expect(text.toLowerCase(), route.name).not.toContain(CANARY.toLowerCase())
      expect(text, route.name).not.toContain(tenants.victim.id)
      covered++
    }
    expect(covered).toBeGreaterThanOrEqual(12)
  })

  test("A6: totals count only the organization's own rows", async () => {
    const { key } = tenants.attackers
    expect((await key.get('/api/v1/organizations/current')).body.data.memberCount).toBe(4)
    expect((await key.get('/api/v1/organizations/current/members')).body.meta.total).toBe(4)
    expect((await key.get('/api/v1/organizations/current/members?role=member')).body.meta.total).toBe(2)
    expect((await key.get('/api/v1/engagements')).body.meta.total).toBe(3)
    expect((await key.get('/api/v1/engagements?status=active')).body.meta.total).toBe(3)
  })

  test('A6: the same address and the same name in two organizations do not conflict', async () => {
    const email = 'shared@example.com'
    const { key } = tenants.attackers
    const other = await app.withKey(['organizations:write'], tenants.victim)
    expect((await other.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })).status).toBe(
      201,
    )
    expect((await key.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })).status).toBe(201)
    expect((await other.post('/api/v1/engagements', { name: 'Same name' })).status).toBe(201)
    expect((await key.post('/api/v1/engagements', { name: 'Same name' })).status).toBe(201)
  })
})

describe("another organization's id", () => {
  test('A1, A2, A4: at every position answers like an unknown id, reads nothing and changes nothing', async () => {
    const before = await checksumsOfOrganization(app.db, tenants.victim.id)
    // An export or download is itself an entry of the caller's log.
    const exceptLog = ['throttle_buckets', 'sessions', 'audit_entries']
    const everything = await checksums(app.db, exceptLog)
    const { length: others } = await changesInLog()
    const covered = { path: 0, query: 0, body: 0, header: 0 }
    const positions = idPositions(app)
    // The header that names the organization is read in one place for all routes.
    const headers = positions.filter(({ where, route }) => where === 'header' && sampleOf(3, [route]).length > 0)
    for (const position of [...positions.filter(({ where }) => where !== 'header'), ...headers]) {
      const ids = candidates(tenants, position)
      expect(ids.length, `${position.route.name}: the victim has no id for ${position.name}`).toBeGreaterThan(0)
      for (const id of ids.slice(0, IDS)) await compareAnswers(tenants, position, id)
      covered[position.where]++
    }
    expect(covered.path).toBeGreaterThanOrEqual(11)
    expect(covered.query).toBeGreaterThanOrEqual(4)
    expect(covered.body).toBeGreaterThanOrEqual(1)
    expect(covered.header).toBeGreaterThanOrEqual(16)
    await app.flush()
    expect(await checksumsOfOrganization(app.db, tenants.victim.id)).toEqual(before)
    expect(await checksums(app.db, exceptLog)).toEqual(everything)
    expect((await changesInLog()).length).toBe(others)
  })

  test('A1: every route with a parameter in its path has a position for each', () => {
    const parameters = mountedRoutes(app).flatMap(({ path }) => path.match(/:\w+/g) ?? [])
    const known = mountedRoutes(app).flatMap((route) => Object.keys(paramsOf(route)))
    expect(known.length).toBe(parameters.length)
  })

  test('A1, L3: random requests show nothing and change nothing', async () => {
    const before = await checksumsOfOrganization(app.db, tenants.victim.id)
    const asked = await attackAtRandom(app, tenants, isNightly ? 1_000 : 400)
    expect([...asked.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(200)
    expect(await checksumsOfOrganization(app.db, tenants.victim.id)).toEqual(before)
  })
})

describe('a malformed id', () => {
  const WORDS = [
    ':userId',
    '%3AuserId',
    '*',
    'current',
    '',
    '..',
    '.',
    '%2e%2e',
    '%00',
    'null',
    'undefined',
    '0',
    '1',
    '-1',
    '[object%20Object]',
    'a'.repeat(10_240),
  ]

  test('A8, I14: answers 404 on every route with an id, causes no query and changes nothing', async () => {
    const before = await checksums(app.db)
    let covered = 0
    for (const route of mountedRoutes(app).filter(
      (candidate) => Object.keys(paramsOf(candidate)).length > 0 && candidate.requirement !== 'instance-admin',
    )) {
      const client = route.door === 'key' ? tenants.attackers.key : tenants.attackers.web
      for (const word of variantsFor(route.name, 8, WORDS)) {
        const [name] = Object.keys(paramsOf(route)) as [string]
        const body = isWrite(route) && route.endpoint.body ? JSON.stringify(bodyOf(route)) : ''
        const headers = Object.entries({
          ...client.headers,
          connection: 'close',
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        })
        const head = `${route.method} ${addressOf(route, { [name]: word })} HTTP/1.1\r\nhost: localhost\r\n${headers.map(([header, value]) => `${header}: ${value}\r\n`).join('')}\r\n`
        const { responses } = await sendRaw(app.origin, head + body)
        expect(responses[0]?.status, `${route.name} ${word.slice(0, 30)}`).toBe(404)
        covered++
      }
    }
    expect(covered).toBeGreaterThanOrEqual(100)
    expect(await checksums(app.db)).toEqual(before)
  })
})

describe('the schema', () => {
  test('A2: a row of an organization refers to another one of an organization only together with its id', async () => {
    const { rows } = await sql<{ child: string; parent: string; columns: string[] }>`
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, array(
        select a.attname::text from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k) as columns
      from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`.execute(app.db)
    const { rows: owned } = await sql<{ name: string }>`
      select table_name::text as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`.execute(
      app.db,
    )
    const tables = new Set(owned.map(({ name }) => name))
    expect(tables.size).toBeGreaterThanOrEqual(6)
    for (const { child, parent, columns } of rows) {
      if (tables.has(child) && tables.has(parent))
        expect(columns, `${child} refers to ${parent}`).toContain('organization_id')
    }
  })
})
