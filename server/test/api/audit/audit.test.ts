import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../../support/app/nightly.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { checksums } from '../../support/inputs/snapshot.ts'
import { CHANGES_ELSEWHERE } from '../../support/walks/changes-elsewhere.ts'
import { prepareChange } from '../../support/walks/changes.ts'
import { atOneDoor, changesSomething, type Mounted, mountedRoutes } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient
let key: TestClient & { keyId: string }
const AUDIT = '/api/web/audit'
const SECRETS = /svc_(?:live|test)_|\$argon2|"(?:\w*password|\w*token|\w*secret|\w*hash|value)":|correct horse|sid=/i

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  key = await app.withKey(SCOPE_NAMES)
})
afterAll(() => app.close())

const rows = () => app.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
/**
 * A domain check that finds nothing new only notes its time; domains.test.ts covers the others. Only their recipient
 * reads notices. The check of a template and the verification of a file
 * store nothing.
 */
const CHANGES_NOTHING = [
  'checkDomain',
  'checkReportTemplate',
  'verifyEdition',
  'readNotices',
  'recordVisit',
  'updateFirstRun',
]
/** Executing the request of a folder, and the redaction of the picture that a file replaces, are audited separately. */
const ROWS: Record<string, number> = { createAgent: 2, executeRequestFolder: 2, uploadFindingFile: 2 }
const writing = (from: TestApp): Mounted[] =>
  mountedRoutes(from).filter(
    (route) =>
      changesSomething(route) &&
      !CHANGES_NOTHING.includes(route.endpoint.id) &&
      !CHANGES_ELSEWHERE.has(route.endpoint.id),
  )

/** The engagements' objects that the first test below changed. */
const concerned: { name: string; guard: string; id: string; engagementId: string }[] = []

/**
 * The scope that reads what a route changes: that of the lists next to it. What keys cannot change, they do not read.
 */
const readGuardOf = ({ endpoint: { id, path, scope } }: Mounted): string => {
  if (!mountedRoutes(app).some(({ door, endpoint }) => door === 'key' && endpoint.id === id)) return 'people'
  // The first test below edits comments of tasks, and closes those of findings.
  if (path.startsWith('/comments/')) return path.split('/').length > 3 ? 'reports:read' : 'tasks:read'
  // Its entry is that of the request that it sends.
  if (id === 'runRetestItem') return 'api-requests:read'
  const sibling = mountedRoutes(app).find(
    ({ endpoint }) => endpoint.method === 'GET' && endpoint.path.split('/')[1] === path.split('/')[1],
  )
  return scope.endsWith(':write') ? scope.replace(':write', ':read') : (sibling?.endpoint.scope ?? scope)
}

describe('every change', () => {
  test('writes exactly one row: who, what, on which object, from where, before and after, and no secret', async () => {
    const covered: string[] = []
    for (const route of atOneDoor(writing(app))) {
      const client = route.door === 'key' ? key : owner
      const change = await prepareChange(app, client, route)
      const before = (await app.db.selectFrom('audit_entries').select('id').execute()).map(({ id }) => id)
      const response = await change()
      expect([200, 201, 204], `${route.name}: ${response.text}`).toContain(response.status)
      const added = await app.db
        .selectFrom('audit_entries')
        .selectAll()
        .where('id', '<>', sql<string>`all(${before}::text[])`)
        .execute()
      expect(added.length, route.name).toBe(ROWS[route.endpoint.id] ?? 1)
      const [row] = added as [(typeof added)[0]]
      expect(row.address, route.name).toBe('127.0.0.1')
      expect(row.action, route.name).toMatch(/^[a-z-]+\.[a-z-]+$/)
      expect(row.object_id, route.name).toMatch(/^[a-z]{3}_/)
      if (route.endpoint.id !== 'signIn') expect(row.before !== null || row.after !== null, route.name).toBe(true)
      // A key that deletes itself is another one.
      if (route.door === 'key' && route.endpoint.id !== 'deleteMyKey')
        expect([row.actor_type, row.actor_id, row.actor_environment]).toEqual(['key', key.keyId, 'live'])
      if (route.door === 'web') expect(row.actor_type, route.name).toBe('user')
      expect(JSON.stringify([row.before, row.after]), route.name).not.toMatch(SECRETS)
      covered.push(route.name)
      // The file of a run belongs to the object that it is attached to.
      const isElsewhere = route.endpoint.id === 'attachRequestRun'
      if (row.about_engagement_id && !isElsewhere)
        concerned.push({
          name: route.name,
          guard: readGuardOf(route),
          id: row.id,
          engagementId: row.about_engagement_id,
        })
    }
    expect(covered.length).toBeGreaterThanOrEqual(18)
    const named = await everyEntry()
    expect(named.length).toBeGreaterThan(18)
    // A private view has no name for others.
    expect(named.filter(({ object }) => !object.name && object.type !== 'view').map(({ action }) => action)).toEqual([])
  })

  test('A6: in an engagement is shown as activity only to keys with a scope that reads its object', async () => {
    const guards = new Set<string>()
    for (const { name, guard, id, engagementId } of concerned) {
      const scope = SCOPE_NAMES.find((each) => each === guard)
      const isShown = async (client: TestClient, door: string) => {
        const { body } = await client.get(`/api/${door}/engagements/${engagementId}/activity?perPage=100`)
        return (body.data as Entry[]).some((entry) => entry.id === id)
      }
      const isForPeople = guard === 'people'
      expect(await isShown(owner, 'web'), name).toBe(true)
      expect(
        await isShown(await keyWith(['organizations:read', ...(scope ? [scope] : [])]), 'v1'),
        `${name}, by a key that may read it`,
      ).toBe(!isForPeople)
      const others = SCOPE_NAMES.filter((each) => each !== scope)
      expect(await isShown(await keyWith(others), 'v1'), `${name}, by a key that may read all else`).toBe(
        !(scope || isForPeople),
      )
      guards.add(guard)
    }
    expect([...guards]).toEqual(
      expect.arrayContaining(['targets:read', 'tasks:read', 'wiki:read', 'api-requests:read', 'people']),
    )
  })

  test('P5: is rolled back completely when its row cannot be written', async () => {
    const broken = await testApp({ workers: false })
    try {
      const [session, client] = [await broken.signedIn('owner'), await broken.withKey(SCOPE_NAMES)]
      const changes: [string, () => Promise<{ status: number }>][] = []
      for (const route of sampleOf(4, atOneDoor(writing(broken))))
        changes.push([route.name, await prepareChange(broken, route.door === 'key' ? client : session, route)])
      await broken.asSuperuser(`
        create function no_audit() returns trigger language plpgsql as $$ begin raise exception 'the audit log is full'; end $$;
        create trigger no_audit before insert on audit_entries for each row execute function no_audit()`)
      const sessions = () => broken.db.selectFrom('sessions').select('id').execute()
      const [before, { length: sessionsBefore }] = [await checksums(broken.db), await sessions()]
      for (const [name, change] of changes) expect((await change()).status, name).toBe(500)
      expect(await checksums(broken.db)).toEqual(before)
      expect((await sessions()).length).toBe(sessionsBefore)
    } finally {
      await broken.close()
    }
  })

  test('a request that changes nothing writes no row', async () => {
    const before = (await rows()).length
    const { name } = (await key.get('/api/v1/organizations/current')).body.data
    await key.patch('/api/v1/organizations/current', {})
    await key.patch('/api/v1/organizations/current', { name })
    await key.get('/api/v1/engagements')
    expect((await rows()).length).toBe(before)
  })

  test('P5: rows cannot be changed, deleted or truncated by any database role', async () => {
    for (const change of [
      "update audit_entries set actor_name = 'x'",
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await expect(app.asSuperuser(change)).rejects.toThrow(/append-only/)
      await expect(sql.raw(change).execute(app.db)).rejects.toThrow(/permission denied/)
    }
  })
})

const keys = new Map<string, TestClient>()

const keyWith = async (scopes: readonly Scope[]): Promise<TestClient> => {
  const name = scopes.join()
  const client = keys.get(name) ?? (await app.withKey(scopes))
  keys.set(name, client)
  return client
}

interface Entry {
  id: string
  createdAt: string
  action: string
  object: { type: string; id: string | null; name: string | null }
}

/** The organization's log, page by page. */
const everyEntry = async (client = owner): Promise<Entry[]> => {
  const all: Entry[] = []
  let cursor: string | null = null
  do {
    const { body } = await client.get(`${AUDIT}?perPage=100${cursor ? `&cursor=${cursor}` : ''}`)
    all.push(...body.data)
    cursor = body.meta.nextCursor
  } while (cursor)
  return all
}

describe('GET audit', () => {
  test('names the object of each entry: as it was then, else as it is now, also after it is deleted', async () => {
    const organization = await app.createOrganization('Audited by name')
    const client = await app.signedIn('owner', organization)
    const engagement = (await client.post('/api/web/engagements', { name: 'First name' })).body.data
    await client.patch(`/api/web/engagements/${engagement.id}`, { status: 'completed' })
    await client.patch(`/api/web/engagements/${engagement.id}`, { name: 'Second name' })
    const created = (
      await client.post('/api/web/api-keys', { name: 'ci', environment: 'live', scopes: ['tasks:read'] })
    ).body.data
    await client.delete(`/api/web/api-keys/${created.id}`)
    const member = await app.createMember('member', organization)
    await client.patch(`/api/web/organizations/current/members/${member.id}`, { role: 'admin' })
    await client.delete(`/api/web/organizations/current/members/${member.id}`)
    const invitation = (
      await client.post('/api/web/organizations/current/members/invite', { email: 'named@example.com', role: 'member' })
    ).body.data
    await client.post(`/api/web/invitations/${invitation.id}/resend`)
    await client.patch('/api/web/organizations/current', { name: 'Renamed' })
    const names = (await everyEntry(client)).map(({ action, object }) => [action, object.name])
    expect(names.filter(([action]) => action !== 'organization.created').toReversed()).toEqual([
      ['engagement.created', 'First name'],
      ['engagement.changed', 'Second name'],
      ['engagement.changed', 'Second name'],
      ['api-key.created', 'ci'],
      ['api-key.deleted', 'ci'],
      ['member.role-changed', member.name],
      ['member.removed', member.name],
      ['member.invited', 'named@example.com'],
      ['invitation.resent', 'named@example.com'],
      ['organization.renamed', 'Renamed'],
    ])
  })

  test('pages by cursor through all rows, newest first, without repeating or skipping one during concurrent writes', async () => {
    const all: Entry[] = []
    let cursor: string | null = null
    do {
      const { body } = await owner.get(`${AUDIT}?perPage=7${cursor ? `&cursor=${cursor}` : ''}`)
      all.push(...body.data)
      cursor = body.meta.nextCursor
      expect(body.meta.perPage).toBe(7)
      await key.post('/api/v1/engagements', { name: 'written meanwhile' })
    } while (cursor)
    const ids = all.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(ids.length).toBeGreaterThan(20)
  })

  test('filters by action, actor, object and time', async () => {
    const { data } = (await key.post('/api/v1/engagements', { name: 'found again' })).body
    const found = async (query: string): Promise<Entry[]> =>
      (await owner.get(`${AUDIT}?${query}&perPage=100`)).body.data
    const [entry] = (await found(`objectId=${data.id}`)) as [Entry]
    expect(Object.keys(entry)).toEqual(['id', 'createdAt', 'actor', 'action', 'object', 'address', 'before', 'after'])
    expect(entry).toMatchObject({
      action: 'engagement.created',
      object: { type: 'engagement', id: data.id },
      actor: { type: 'key', id: key.keyId, environment: 'live' },
      address: '127.0.0.1',
    })
    expect((await found(`action=engagement.created&actorId=${key.keyId}`)).some(({ id }) => id === entry.id)).toBe(true)
    expect((await found(`objectId=${data.id}&from=${entry.createdAt}`)).length).toBe(1)
    expect((await found(`objectId=${data.id}&to=${entry.createdAt}`)).length).toBe(0)
    expect(await found('action=nothing.happened')).toEqual([])
  })

  test.each([
    'from=yesterday',
    'from=2026-02-30T00:00:00.000Z',
    'from=0000-01-01T00:00:00.000Z',
    'to=2026-13-01T00:00:00.000Z',
    'from=2026-01-01T24:00:00.000Z',
    'from=2026-01-01T00:00:00Z',
    'cursor=x',
    'cursor=eng_00000000000000000000000000',
    'action=',
    'actorId=%00',
    'perPage=101',
    'page=1',
  ])('I7: ?%s answers 400', async (query) => {
    expect((await owner.get(`${AUDIT}?${query}`)).status).toBe(400)
  })

  test.each(['from=0001-01-01T00:00:00.000Z', 'to=9999-12-31T23:59:59.999Z', 'from=2024-02-29T00:00:00.000Z'])(
    '?%s answers 200',
    async (query) => {
      expect((await owner.get(`${AUDIT}?${query}`)).status).toBe(200)
    },
  )

  test('a failed sign-in and a refused request leave no row, and no row contains a password', async () => {
    const before = (await rows()).length
    await app.anonymous.post('/api/auth/sign-in/email', {
      email: app.organization.owner.email,
      password: 'wrong password here',
    })
    await (await app.signedIn('member')).post('/api/web/engagements', { name: 'refused' })
    const after = await rows()
    expect(after.length).toBe(before + 1)
    expect(JSON.stringify(after)).not.toContain(PASSWORD)
  })
})
