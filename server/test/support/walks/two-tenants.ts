import { randomBytes, randomInt } from 'node:crypto'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { newId } from '../../../src/platform/ids.ts'
import { PASSWORD, type TestApp, type TestOrganization, type TestUser } from '../app/test-app.ts'
import type { TestClient, TestResponse } from '../app/test-client.ts'
import { tableNames } from '../inputs/snapshot.ts'
import { addDelivery, addReportTemplate } from './changes-of/add-deliveries.ts'
import { addClient } from './changes-of/client-changes.ts'
import { addFindings } from './changes-of/finding-changes.ts'
import { addIdentities } from './changes-of/identity-changes.ts'
import { addReport } from './changes-of/report-changes.ts'
import { addRequests } from './changes-of/request-changes.ts'
import { addWebhooks } from './changes-of/webhook-changes.ts'
import { type IdPosition, idPositions, placeOf } from './id-positions.ts'
import { idPrefixesOf, type JsonSchema, type Mounted, onlyNeeded, pathOf, sampleOf, twinOf, unknownId } from './walk.ts'

/** Part of every text of the organization that no other may see. */
export const CANARY = 'Canary'

export interface TwoTenants {
  /** The organization that the other one attacks, and everything in it. */
  victim: TestOrganization
  /** Ids of the victim's objects by prefix, read from the tables. */
  victimIds: Map<string, string[]>
  /** Callers of the other organization: its key and its owner's session. */
  attackers: { key: TestClient; web: TestClient }
  attacker: TestOrganization
  own: OwnIds
  /** All of the attacker's ids by prefix, as the victim's. */
  ownIds: Map<string, string[]>
}

/** One id of each kind of the caller's own, those in engagements all of one engagement. */
type OwnIds = Map<string, string>

/** A caller who asks for hidden objects. */
type Asking = Pick<TwoTenants, 'attackers' | 'own'>

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
  return {
    victim,
    victimIds: await idsOf(app, victim),
    attackers: { key, web },
    attacker,
    own: await ownIds(app, attacker),
    ownIds: await idsOf(app, attacker),
  }
}

const fill = async (app: TestApp, organization: TestOrganization, owner: TestClient, word: string) => {
  const people: TestUser[] = []
  for (const role of ['admin', 'member', 'member'] as const)
    people.push(await createNamed(app, organization, role, `${word} ${people.length} ${organization.id.slice(-6)}`))
  const admin = people[0] as TestUser
  await app.signIn(admin, organization.id)
  await app.db.insertInto('passkeys').values(passkeyOf(admin, word)).execute()
  const must = async (response: Promise<TestResponse>) => expect((await response).status).toBeLessThan(300)
  await must(
    owner.post('/api/web/field-definitions', {
      objectType: 'task',
      key: word.toLowerCase(),
      type: 'text',
      label: `${word} field`,
    }),
  )
  await addReportTemplate(owner, word)
  await addWebhooks(owner, word)
  for (let i = 0; i < 3; i++) {
    const clientId = await addClient(owner, `${word} client ${i}`, word)
    const details = { lead: admin.id, clientId }
    const engagement = owner.post('/api/web/engagements', {
      name: `${word} engagement ${i}`,
      description: `${word} description`,
      details,
    })
    await must(engagement)
    const files = `/api/web/engagements/${(await engagement).body.data.id}/files?fileName=${word}-file`
    await must(owner.request('POST', files, { rawBody: `${word} bytes` }))
    const engagementId = (await engagement).body.data.id
    await must(
      owner.post('/api/web/scope-rules', {
        engagementId,
        effect: 'allow',
        pattern: `*.${word}.test`,
        note: `${word} note`,
      }),
    )
    const target = await owner.post('/api/web/targets', { engagementId, value: `www.${word}-${i}.test`, tags: [word] })
    const targetId = target.body.data.id
    await must(owner.post('/api/web/targets', { engagementId, value: `${word}-${i}.test`, parentId: targetId }))
    await must(
      owner.post('/api/web/views', {
        list: 'targets',
        engagementId,
        name: `${word} view`,
        search: `q=${word}`,
        shared: true,
      }),
    )
    await addScans(owner, engagementId, word)
    await addTasks(owner, engagementId, people, word)
    await addMethodology(owner, engagementId, word)
    await addRequests(owner, engagementId, word)
    await addFindings(owner, engagementId, targetId, word)
    await addReport(owner, engagementId, word)
    await addDelivery(app, owner, engagementId, word)
    if (i === 0)
      await addIdentities(app, owner, {
        member: people[1] as TestUser,
        organizationId: organization.id,
        engagementId,
      })
    const result = owner.post('/api/web/results', { engagementId, title: `${word} finding`, targetId, severity: 'low' })
    await must(result)
    const resultPath = `/api/web/results/${(await result).body.data.id}`
    await must(owner.patch(resultPath, { assigneeId: admin.id }))
    await must(owner.request('POST', `${resultPath}/files?fileName=${word}-file`, { rawBody: `${word} bytes` }))
    await must(
      owner.post('/api/web/tasks', {
        engagementId,
        title: `${word} linked`,
        links: [{ type: 'target', id: targetId }],
      }),
    )
    await must(
      owner.request('POST', `/api/web/imports?engagementId=${engagementId}&fileName=${word}-import`, {
        rawBody: `${word} bytes`,
      }),
    )
    await fillWiki(owner, word, (await engagement).body.data.id as string)
    await must(
      owner.post('/api/web/api-keys', {
        name: `${word} key ${i}`,
        environment: 'test',
        scopes: ['organizations:read'],
      }),
    )
    const email = `${word}.${i}.${organization.id.slice(-6)}@example.com`.toLowerCase()
    await must(owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' }))
    await must(
      owner.post('/api/web/organizations/current/domains', {
        domain: `${word}-${i}.${organization.id.slice(-6)}.test`,
      }),
    )
    await must(owner.post('/api/web/code-hosting/repositories', { fullName: `${word}/repository-${i}` }))
  }
}

/** The id by which the command line of each tenant names its command. */
export const EXTERNAL_ID = '4c1f4a52-8d0c-4e6b-9d57-0d6f6a1b7e11'

/** A scan that never runs, a schedule, a manual entry of the operation log, and one of the command line. */
const addScans = async (owner: TestClient, engagementId: string, word: string) => {
  const about = {
    engagementId,
    name: `${word} scan`,
    scanners: [{ id: 'ports' }],
    targets: { filter: { engagementId } },
  }
  const scan = await owner.post('/api/web/scans', { ...about, override: { reason: `${word} reason` } })
  expect(scan.status, scan.text).toBe(201)
  expect((await owner.post(`/api/web/scans/${scan.body.data.id}/cancel`)).status).toBe(200)
  expect((await owner.post('/api/web/scan-schedules', { ...about, cron: '0 2 * * *' })).status).toBe(201)
  const operation = {
    engagementId,
    startedAt: '2026-11-21T14:03:02.120Z',
    host: `www.${word}.test`,
    note: `${word} note`,
  }
  expect((await owner.post('/api/web/operations', operation)).status).toBe(201)
  const command = {
    engagementId,
    externalId: EXTERNAL_ID,
    startedAt: operation.startedAt,
    command: `nmap www.${word}.test`,
    targets: [{ host: operation.host }],
  }
  expect((await owner.post('/api/web/operations/bulk', command)).status).toBe(201)
}

/** Tasks with all attached objects. */
const addTasks = async (owner: TestClient, engagementId: string, people: readonly TestUser[], word: string) => {
  const [assignee] = people as [TestUser]
  const task = {
    engagementId,
    title: `${word} task`,
    description: `${word} text`,
    labels: [word],
    checklist: [{ text: `${word} item` }],
    assigneeId: assignee.id,
    fields: { [word.toLowerCase()]: `${word} value` },
  }
  const first = await owner.post('/api/web/tasks', task)
  expect(first.status, first.text).toBe(201)
  const { id } = first.body.data
  const body = `@[${assignee.name}](${assignee.id}) ${word} comment`
  expect((await owner.post(`/api/web/tasks/${id}/comments`, { body })).status).toBe(201)
  expect(
    (await owner.request('POST', `/api/web/tasks/${id}/files?fileName=${word}-file`, { rawBody: `${word} bytes` }))
      .status,
  ).toBe(201)
  expect(
    (await owner.post('/api/web/tasks', { engagementId, title: `${word} second`, links: [{ type: 'task', id }] }))
      .status,
  ).toBe(201)
}

/** A methodology, and its one item as a task. */
const addMethodology = async (owner: TestClient, engagementId: string, word: string) => {
  const items = [{ key: `${word}-1`, title: `${word} item`, description: `${word} how`, group: word }]
  const { id } = (await owner.post('/api/web/methodologies', { name: `${word} methodology`, items })).body.data
  expect(
    (await owner.post(`/api/web/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })).status,
  ).toBe(201)
}

/** A page of the engagement and one of the organization, which refer to each other, with a file. */
const fillWiki = async (owner: TestClient, word: string, engagementId: string) => {
  const pages = '/api/web/wiki-pages'
  const made = await owner.post(pages, {
    title: `${word} page`,
    body: `${word} text, see [[${word} handbook]]`,
    engagementId,
  })
  expect(made.status).toBe(201)
  expect((await owner.post(pages, { title: `${word} handbook`, body: `[[${made.body.data.id}]]` })).status).toBe(201)
  expect(
    (await owner.post(pages, { title: `${word} child`, body: '', engagementId, parentId: made.body.data.id })).status,
  ).toBe(201)
  expect(
    (
      await owner.request('POST', `${pages}/${made.body.data.id}/files?fileName=${word}-file`, {
        rawBody: `${word} bytes`,
      })
    ).status,
  ).toBe(201)
}

/** A row as enrolling makes it; added after signing in, which would ask for it. */
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

const createNamed = async (
  app: TestApp,
  organization: TestOrganization,
  role: 'admin' | 'member',
  name: string,
): Promise<TestUser> => {
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
    add(
      (
        await sql<{
          id: string
        }>`select id from ${sql.table(table_name)} where organization_id = ${organization.id} limit 5`.execute(db)
      ).rows,
    )
  }
  add(
    (
      await sql<{
        id: string
      }>`select user_id as id from memberships where organization_id = ${organization.id}`.execute(db)
    ).rows,
  )
  add(
    (
      await sql<{
        id: string
      }>`select i->>'id' as id from tasks, jsonb_array_elements(checklist) i where organization_id = ${organization.id}`.execute(
        db,
      )
    ).rows,
  )
  add(
    (
      await sql<{
        id: string
      }>`select s.id from sessions s join memberships m using (user_id) where m.organization_id = ${organization.id}`.execute(
        db,
      )
    ).rows,
  )
  add(
    (
      await sql<{
        id: string
      }>`select p.id from passkeys p join memberships m using (user_id) where m.organization_id = ${organization.id}`.execute(
        db,
      )
    ).rows,
  )
  // Results can be filtered by scans, and none exists.
  add([{ id: unknownId('scn') }])
  return ids
}

/** @param engagementId the first of the organization by default */
const ownIds = async (app: TestApp, organization: TestOrganization, engagementId?: string): Promise<OwnIds> => {
  const ids = new Map([...(await idsOf(app, organization))].map(([prefix, [first]]) => [prefix, first as string]))
  ids.set('eng', engagementId ?? (ids.get('eng') as string))
  for (const [prefix, [first]] of await idsInEngagements(app, organization, [ids.get('eng') as string]))
    ids.set(prefix, first as string)
  return ids
}

/** Ids of the objects in engagements, by prefix. */
const idsInEngagements = async (
  { db }: TestApp,
  organization: TestOrganization,
  engagementIds: string[],
): Promise<Map<string, string[]>> => {
  const { rows: tables } = await sql<{ table_name: string }>`select table_name from information_schema.columns
    where table_schema = 'public' and column_name in ('id', 'engagement_id') and table_name = any(${await tableNames(db)})
    group by 1 having count(*) = 2`.execute(db)
  const ids = new Map<string, string[]>()
  for (const { table_name } of tables) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table_name)}
      where organization_id = ${organization.id} and engagement_id = any(${engagementIds}) order by id`.execute(db)
    for (const { id } of rows) ids.set(id.slice(0, 3), [...(ids.get(id.slice(0, 3)) ?? []), id])
  }
  return ids
}

/** Closed engagements with every kind of object, and people and keys of the same organization that do not see them. */
export interface ClosedEngagements {
  closed: { ids: Map<string, string[]> }
  /** By kind of caller. */
  outsiders: Record<string, Asking>
}

export const closedEngagements = async (app: TestApp): Promise<ClosedEngagements> => {
  const { organization } = app
  const owner = await app.signedIn('owner')
  await fill(app, organization, owner, CANARY)
  const { data } = (await owner.get('/api/web/engagements?sort=createdAt&order=asc')).body
  const [open, ...closed] = data.map(({ id }: { id: string }) => id) as [string, ...string[]]
  for (const id of closed)
    expect((await owner.patch(`/api/web/engagements/${id}/details`, { access: 'team' })).status).toBe(200)
  const keyFor = async (engagementIds: 'open' | string[]) => {
    const { body } = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: SCOPE_NAMES,
      engagementIds,
    })
    return app.anonymous.with({ authorization: `Bearer ${body.data.value}` })
  }
  const own = await ownIds(app, organization, open)
  const member = await app.signedIn('member')
  const asking = async (key: TestClient) => ({ attackers: { key, web: member }, own })
  return {
    closed: { ids: (await idsInEngagements(app, organization, closed)).set('eng', closed) },
    outsiders: {
      'a member and a key for open engagements': await asking(await keyFor('open')),
      'a key for another engagement': await asking(await keyFor([open])),
    },
  }
}

/** Engagements with every kind of object before and after they go to the trash, and callers who see every engagement. */
export interface TrashedEngagements {
  /** Ids of the engagements, and of everything in them. */
  ids: Map<string, string[]>
  asking: Asking
  owner: TestClient
  /** Moves the engagements to the trash. */
  trash(): Promise<void>
}

export const trashedEngagements = async (app: TestApp): Promise<TrashedEngagements> => {
  const { organization } = app
  const owner = await app.signedIn('owner')
  await fill(app, organization, owner, CANARY)
  const { data } = (await owner.get(`/api/web/engagements?sort=createdAt&order=asc&q=${CANARY}`)).body
  const [open, ...deleted] = data as [{ id: string; name: string }, ...{ id: string; name: string }[]]
  const own = await ownIds(app, organization, open.id)
  const engagementIds = deleted.map(({ id }) => id)
  return {
    ids: (await idsInEngagements(app, organization, engagementIds)).set('eng', engagementIds),
    asking: { attackers: { key: await app.withKey(SCOPE_NAMES), web: owner }, own },
    owner,
    trash: async () => {
      for (const { id, name } of deleted)
        expect((await owner.delete(`/api/web/engagements/${id}`, { body: { name } })).status).toBe(200)
    },
  }
}

/** The victim's ids that fit a position; `cursor` accepts those of the audit log. */
export const candidates = ({ victimIds }: Pick<TwoTenants, 'victimIds'>, { prefixes, name }: IdPosition): string[] => {
  if (prefixes.length > 0) return prefixes.flatMap((prefix) => victimIds.get(prefix) ?? [])
  return name === 'cursor' ? (victimIds.get('aud') ?? []) : [...victimIds.values()].flat()
}

/** Asks with the victim's id and with an unknown one; both answers must be the same bytes. */
export const compareAnswers = async (tenants: TwoTenants, position: IdPosition, id: string): Promise<void> => {
  const { text } = await compareWithTwin(tenants, position, id, [404])
  expect(text.toLowerCase(), placeOf(position)).not.toContain(CANARY.toLowerCase())
}

/** A bulk change leaves out unknown ids. */
const FOUND_NONE = /^\{"data":\{"(?:updated|deleted|restored|read|created)":0\b/

/**
 * @param refusals statuses of an id in a path or a header; in a body it can also be an invalid value, or leave nothing
 *   to do
 */
export const compareWithTwin = async (
  asking: Asking,
  position: IdPosition,
  id: string,
  refusals: readonly number[],
): Promise<TestResponse> => {
  const { status, text, headers } = await ask(asking, position, id)
  const never = await ask(asking, position, twinOf(id))
  const where = `${placeOf(position)} ${id}`
  expect({ status, text, headers: comparable(headers) }, where).toEqual({
    status: never.status,
    text: never.text,
    headers: comparable(never.headers),
  })
  if (FOUND_NONE.test(text)) expect(position.where).toBe('body')
  else if (position.where !== 'query')
    expect(position.where === 'body' ? [...refusals, 409, 422] : refusals, where).toContain(status)
  return never
}

/** True if the own id is answered differently from an unknown one: otherwise a comparison proves nothing. */
export const tellsOwnFromUnknown = async (
  asking: Asking,
  position: IdPosition,
  ids: readonly string[],
): Promise<boolean> => {
  for (const id of ids) {
    const [own, never] = [await ask(asking, position, id), await ask(asking, position, twinOf(id))]
    if (own.status !== never.status || own.text !== never.text) return true
  }
  return false
}

/** What bulk changes select, unless it is results. */
const BULK_PREFIXES: Record<string, string> = {
  bulkUpdateTasks: 'tsk',
  bulkUpdateFindings: 'fnd',
  bulkUpdateAffected: 'aff',
}

/** Values that a body needs beyond its schema, so that it can be refused only for its id. */
const alsoNeeded = ({ endpoint: { id } }: Mounted, name: string, own: OwnIds): object => {
  if (name.startsWith('set.')) return { ids: [own.get(BULK_PREFIXES[id] ?? 'res')] }
  const needed: Record<string, object> = {
    createResult: { asset: 'sample.example', severity: 'low' },
    createOperation: { host: 'sample.example' },
    createOperations: { targets: [{ host: 'sample.example' }] },
    createScopeRules: { effect: 'deny', text: 'sample.example' },
    createApiRequest: { engagementId: own.get('eng') },
    createRequestFolder: { engagementId: own.get('eng') },
    sendRequest: { engagementId: own.get('eng') },
    updateView: { name: 'Sample' },
    createFinding: { title: 'Sample' },
    resetMemberSecondFactor: { password: PASSWORD },
    transferOwnership: { password: PASSWORD },
  }
  return needed[id] ?? {}
}

/** The mode of a request's body with a file. */
const modeFor = (name: string) => (name.endsWith('parts.fileId') ? 'multipart' : 'file')

/** Everything else in the request is the attacker's own, and valid: a refusal is for this id. */
/** A sample of a list has an item without its optional fields: what is needed replaces it, except at the position itself. */
const withNeeded = (sampled: object, name: string, needed: object): object => ({
  ...sampled,
  ...Object.fromEntries(Object.entries(needed).filter(([field]) => !name.startsWith(field))),
})

const ask = ({ attackers, own }: Asking, { route, where, name }: IdPosition, id: string) => {
  const client = route.door === 'key' ? attackers.key : attackers.web
  const chosenAt = (place: IdPosition['where']) => (path: string, schema: JsonSchema) => {
    // A list, or a word in its place.
    if (schema.items) return schema.pattern && place === where && path === name ? [id] : undefined
    if (place === where && path === name) return id
    // The editions here were delivered as JSON.
    if (route.endpoint.id === 'downloadReportEdition' && path === 'format') return 'json'
    if (path.endsWith('body.mode') && name.endsWith('fileId')) return modeFor(name)
    return schema.type?.includes('null')
      ? undefined
      : idPrefixesOf(schema).flatMap((prefix) => own.get(prefix) ?? [])[0]
  }
  const sample = (place: IdPosition['where'], schema: JsonSchema) =>
    sampleOf(onlyNeeded(schema, place === where ? name : ''), chosenAt(place)) as Record<string, string>
  const { params, query, body } = route.endpoint
  const search = new URLSearchParams(sample('query', query as unknown as JsonSchema))
  return client.request(
    route.method,
    `${pathOf(route, sample('path', params as unknown as JsonSchema))}${search.size > 0 ? `?${search.toString()}` : ''}`,
    {
      body: body && withNeeded(sample('body', body), name, alsoNeeded(route, name, own)),
      ...(where === 'header' && { headers: { [name]: id } }),
    },
  )
}

/** All headers except those that differ between any two requests. */
const comparable = (headers: Headers) =>
  [...headers].filter(
    ([name]) => !['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'].includes(name),
  )

/** Random requests for the victim's ids, this many. @returns how often each position was asked */
export const attackAtRandom = async (
  app: TestApp,
  tenants: TwoTenants,
  requests: number,
): Promise<Map<string, number>> => {
  const positions = idPositions(app)
  const asked = new Map<string, number>()
  const lanes = Array.from({ length: 16 }, async (_lane, lane) => {
    for (let sent = lane * 2; sent < requests; sent += 32) {
      const position = positions[randomInt(positions.length)] as IdPosition
      const ids = candidates(tenants, position)
      await compareAnswers(tenants, position, ids[randomInt(ids.length)] as string)
      asked.set(placeOf(position), (asked.get(placeOf(position)) ?? 0) + 1)
    }
  })
  await Promise.all(lanes)
  return asked
}
