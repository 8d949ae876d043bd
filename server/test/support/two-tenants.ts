import { randomBytes, randomInt } from 'node:crypto'
import { SCOPE_NAMES } from '@sortie/contract/scopes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { addRequests } from './request-changes.ts'
import { tableNames } from './snapshot.ts'
import type { TestApp, TestOrganization, TestUser } from './test-app.ts'
import type { TestClient, TestResponse } from './test-client.ts'
import { addressOf, bodyOf, idPrefixOf, type JsonSchema, type Mounted, mountedRoutes, paramsOf, pathOf, twinOf, unknownId } from './walk.ts'

/** Stands in every text of the organization that nobody else may see. */
export const CANARY = 'Canary'

export interface TwoTenants {
  /** The organization that is asked about by the other, and everything in it. */
  victim: TestOrganization
  /** Ids of the victim's objects by prefix, read from the tables. */
  victimIds: Map<string, string[]>
  /** Callers of the other organization: its key and its owner's session. */
  attackers: { key: TestClient; web: TestClient }
  attacker: TestOrganization
}

/** Two organizations with every kind of object; one attacks the other. */
export const twoTenants = async (app: TestApp): Promise<TwoTenants> => {
  const victim = await app.createOrganization(`${CANARY} organization`)
  const victimOwner = await app.signedIn('owner', victim)
  await fill(app, victim, victimOwner, CANARY)
  const attacker = await app.createOrganization('Attacking organization')
  const web = await app.signedIn('owner', attacker)
  await fill(app, attacker, web, 'Own')
  const key = await app.withKey(SCOPE_NAMES, attacker)
  await app.flush()
  return { victim, victimIds: await idsOf(app, victim), attackers: { key, web }, attacker }
}

const fill = async (app: TestApp, organization: TestOrganization, owner: TestClient, word: string) => {
  const people: TestUser[] = []
  for (const role of ['admin', 'member', 'member'] as const)
    people.push(await createNamed(app, organization, role, `${word} ${people.length} ${organization.id.slice(-6)}`))
  const admin = people[0] as TestUser
  await app.signIn(admin, organization.id)
  await app.db.insertInto('passkeys').values(passkeyOf(admin, word)).execute()
  const must = async (response: Promise<TestResponse>) => expect((await response).status).toBeLessThan(300)
  for (let i = 0; i < 3; i++) {
    const engagement = owner.post('/api/web/engagements', { name: `${word} engagement ${i}`, description: `${word} description` })
    await must(engagement)
    const files = `/api/web/engagements/${(await engagement).body.data.id}/files?fileName=${word}-file`
    await must(owner.request('POST', files, { rawBody: `${word} bytes` }))
    const engagementId = (await engagement).body.data.id
    await must(owner.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern: `*.${word}.test`, note: `${word} note` }))
    await must(owner.post('/api/web/targets', { engagementId, value: `www.${word}-${i}.test`, tags: [word] }))
    await must(owner.post('/api/web/views', { list: 'targets', engagementId, name: `${word} view`, search: `q=${word}`, shared: true }))
    await addScans(owner, engagementId, word)
    await addTasks(owner, engagementId, people, word)
    await addMethodology(owner, engagementId, word)
    await addRequests(owner, engagementId, word)
    await must(owner.post('/api/web/results', { engagementId, title: `${word} finding`, asset: `www.${word}-${i}.test`, severity: 'low' }))
    await must(owner.request('POST', `/api/web/imports?engagementId=${engagementId}&fileName=${word}-import`, { rawBody: `${word} bytes` }))
    await fillWiki(owner, word, (await engagement).body.data.id as string)
    await must(owner.post('/api/web/api-keys', { name: `${word} key ${i}`, environment: 'test', scopes: ['organizations:read'] }))
    const email = `${word}.${i}.${organization.id.slice(-6)}@example.com`.toLowerCase()
    await must(owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' }))
    await must(owner.post('/api/web/organizations/current/domains', { domain: `${word}-${i}.${organization.id.slice(-6)}.test` }))
    await must(owner.post('/api/web/code-hosting/repositories', { fullName: `${word}/repository-${i}` }))
  }
}

/** A scan that nobody does, a schedule, and what somebody did from elsewhere. */
const addScans = async (owner: TestClient, engagementId: string, word: string) => {
  const about = { engagementId, name: `${word} scan`, scanners: [{ id: 'ports' }], targets: { filter: { engagementId } } }
  const scan = await owner.post('/api/web/scans', { ...about, override: { reason: `${word} reason` } })
  expect(scan.status, scan.text).toBe(201)
  expect((await owner.post(`/api/web/scans/${scan.body.data.id}/cancel`)).status).toBe(200)
  expect((await owner.post('/api/web/scan-schedules', { ...about, cron: '0 2 * * *' })).status).toBe(201)
  const operation = { engagementId, startedAt: '2026-11-21T14:03:02.120Z', host: `www.${word}.test`, note: `${word} note` }
  expect((await owner.post('/api/web/operations', operation)).status).toBe(201)
}

/** Tasks with everything that hangs on one. */
const addTasks = async (owner: TestClient, engagementId: string, people: readonly TestUser[], word: string) => {
  const [assignee] = people as [TestUser]
  const task = {
    engagementId,
    title: `${word} task`,
    description: `${word} text`,
    labels: [word],
    checklist: [{ text: `${word} item` }],
    assigneeId: assignee.id,
  }
  const first = await owner.post('/api/web/tasks', task)
  expect(first.status, first.text).toBe(201)
  const { id } = first.body.data
  const body = `@[${assignee.name}](${assignee.id}) ${word} comment`
  expect((await owner.post(`/api/web/tasks/${id}/comments`, { body })).status).toBe(201)
  expect((await owner.request('POST', `/api/web/tasks/${id}/files?fileName=${word}-file`, { rawBody: `${word} bytes` })).status).toBe(201)
  expect((await owner.post('/api/web/tasks', { engagementId, title: `${word} second`, links: [{ type: 'task', id }] })).status).toBe(201)
}

/** A methodology, and its one item as a task. */
const addMethodology = async (owner: TestClient, engagementId: string, word: string) => {
  const items = [{ key: `${word}-1`, title: `${word} item`, description: `${word} how`, group: word }]
  const { id } = (await owner.post('/api/web/methodologies', { name: `${word} methodology`, items })).body.data
  expect((await owner.post(`/api/web/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })).status).toBe(201)
}

/** A page of the engagement and one of the organization, which refer to each other, with a file. */
const fillWiki = async (owner: TestClient, word: string, engagementId: string) => {
  const pages = '/api/web/wiki-pages'
  const made = await owner.post(pages, { title: `${word} page`, body: `${word} text, see [[${word} handbook]]`, engagementId })
  expect(made.status).toBe(201)
  expect((await owner.post(pages, { title: `${word} handbook`, body: `[[${made.body.data.id}]]` })).status).toBe(201)
  expect((await owner.request('POST', `${pages}/${made.body.data.id}/files?fileName=${word}-file`, { rawBody: `${word} bytes` })).status).toBe(201)
}

/** A row as enrolling makes it; signing in comes first, since it would ask for this. */
const passkeyOf = ({ id }: TestUser, word: string) => ({
  id: newId('pky'),
  user_id: id,
  name: `${word} passkey`,
  credential_id: randomBytes(16),
  public_key: randomBytes(32),
  sign_count: 0,
  transports: [],
  created_at: '2026-01-01T00:00:00.000Z',
})

const createNamed = async (app: TestApp, organization: TestOrganization, role: 'admin' | 'member', name: string): Promise<TestUser> => {
  const member = await app.createMember(role, organization)
  await app.db.updateTable('users').set({ name }).where('id', '=', member.id).execute()
  return { ...member, name }
}

/** Ids of an organization's objects and of its people's sessions, by prefix. */
const idsOf = async ({ db }: TestApp, organization: TestOrganization): Promise<Map<string, string[]>> => {
  const ids = new Map<string, string[]>([['org', [organization.id]]])
  const add = (rows: { id: string }[]) => {
    for (const { id } of rows) ids.set(id.slice(0, 3), [...(ids.get(id.slice(0, 3)) ?? []), id])
  }
  const { rows: columns } = await sql<{ table_name: string }>`select table_name from information_schema.columns
    where table_schema = 'public' and column_name in ('id', 'organization_id') and table_name = any(${await tableNames(db)})
    group by 1 having count(*) = 2`.execute(db)
  for (const { table_name } of columns) {
    add((await sql<{ id: string }>`select id from ${sql.table(table_name)} where organization_id = ${organization.id} limit 5`.execute(db)).rows)
  }
  add((await sql<{ id: string }>`select user_id as id from memberships where organization_id = ${organization.id}`.execute(db)).rows)
  add(
    (await sql<{ id: string }>`select i->>'id' as id from tasks, jsonb_array_elements(checklist) i where organization_id = ${organization.id}`.execute(db))
      .rows,
  )
  add((await sql<{ id: string }>`select s.id from sessions s join memberships m using (user_id) where m.organization_id = ${organization.id}`.execute(db)).rows)
  add((await sql<{ id: string }>`select p.id from passkeys p join memberships m using (user_id) where m.organization_id = ${organization.id}`.execute(db)).rows)
  // Results can be asked for by scans, and nobody has any.
  add([{ id: unknownId('scn') }])
  return ids
}

/** One place in a request where an id can stand. */
export interface IdPosition {
  route: Mounted
  where: 'path' | 'query' | 'body' | 'header'
  /** Name of the parameter, or dotted path in the body. */
  name: string
  /** Prefix of the ids that belong there; undefined where any will do. */
  prefix: string | undefined
}

/**
 * Every position of an id in every route, found in the schemas: those of an id's pattern, and query parameters that take
 * a text. What belongs to an instance administrator knows no tenants and is left out.
 */
export const idPositions = (app: TestApp): IdPosition[] =>
  mountedRoutes(app)
    .filter(({ requirement }) => requirement !== 'instance-admin')
    .flatMap((route) => [
      ...Object.entries(paramsOf(route)).map(([name, schema]) => ({ route, where: 'path' as const, name, prefix: idPrefixOf(schema) })),
      ...Object.entries(route.endpoint.query.properties as Record<string, JsonSchema>)
        .filter(([, schema]) => schema.type === 'string' && !schema.enum && !schema.format)
        .map(([name, schema]) => ({ route, where: 'query' as const, name, prefix: idPrefixOf(schema) })),
      ...(route.endpoint.body ? idsInBody(route.endpoint.body as JsonSchema, '') : []).map((found) => ({ route, where: 'body' as const, ...found })),
      ...(route.door === 'web' && route.ofOrganization ? [{ route, where: 'header' as const, name: 'x-organization', prefix: 'org' }] : []),
    ])

const idsInBody = (schema: JsonSchema, path: string): { name: string; prefix: string }[] => {
  const prefix = idPrefixOf(schema)
  if (prefix) return [{ name: path, prefix }]
  if (schema.items) return idsInBody(schema.items, path)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => idsInBody(property, path ? `${path}.${name}` : name))
}

/** The victim's ids that can stand at a position; `cursor` takes those of the audit log. */
export const candidates = ({ victimIds }: TwoTenants, { prefix, name }: IdPosition): string[] => {
  if (prefix) return victimIds.get(prefix) ?? []
  return name === 'cursor' ? (victimIds.get('aud') ?? []) : [...victimIds.values()].flat()
}

/** Asks with the victim's id and with one that never existed; both answers must be the same bytes. */
export const compareAnswers = async (tenants: TwoTenants, position: IdPosition, id: string): Promise<TestResponse> => {
  const { status, text, headers } = await ask(tenants, position, id)
  const never = await ask(tenants, position, twinOf(id))
  const where = `${position.route.name} ${position.where} ${position.name} ${id}`
  expect({ status, text, headers: comparable(headers) }, where).toEqual({ status: never.status, text: never.text, headers: comparable(never.headers) })
  expect(text.toLowerCase(), where).not.toContain(CANARY.toLowerCase())
  // In a body it is a value that does not fit.
  if (position.where !== 'query') expect(position.where === 'body' ? [404, 422] : [404], where).toContain(status)
  return never
}

const ask = ({ attackers }: TwoTenants, { route, where, name }: IdPosition, id: string) => {
  const client = route.door === 'key' ? attackers.key : attackers.web
  const query = where === 'query' ? `?${name}=${encodeURIComponent(id)}` : ''
  const body = bodyOf(route, (path) => (where === 'body' && path === name ? id : undefined))
  return client.request(route.method, where === 'query' ? pathOf(route) + query : addressOf(route, where === 'path' ? { [name]: id } : {}), {
    body,
    ...(where === 'header' && { headers: { [name]: id } }),
  })
}

/** All but what differs between any two requests. */
const comparable = (headers: Headers) => [...headers].filter(([name]) => !['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'].includes(name))

/** Random questions after the victim's ids, as many as told. @returns how often each position was asked */
export const attackAtRandom = async (app: TestApp, tenants: TwoTenants, requests: number): Promise<Map<string, number>> => {
  const positions = idPositions(app)
  const asked = new Map<string, number>()
  const lanes = Array.from({ length: 16 }, async (_lane, lane) => {
    for (let sent = lane * 2; sent < requests; sent += 32) {
      const position = positions[randomInt(positions.length)] as IdPosition
      const ids = candidates(tenants, position)
      await compareAnswers(tenants, position, ids[randomInt(ids.length)] as string)
      const name = `${position.route.name} ${position.where} ${position.name}`
      asked.set(name, (asked.get(name) ?? 0) + 1)
    }
  })
  await Promise.all(lanes)
  return asked
}
