import { randomUUID } from 'node:crypto'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAnswer, lockAnswer } from '../../src/platform/database/idempotency.queries.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import {
  deleteOldAnswers,
  KEY_OF_ANOTHER_REQUEST,
  OUTCOME_UNKNOWN,
  takesIdempotencyKey,
} from '../../src/platform/http/routes/idempotency.ts'
import { isNightly, sampleOf } from '../support/app/nightly.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../support/app/test-client.ts'
import { checksums } from '../support/inputs/snapshot.ts'
import { captureChange } from '../support/walks/captured-change.ts'
import { changesSomething, type Mounted, mountedRoutes, takesBytes } from '../support/walks/walk.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const INVITE = '/api/v1/organizations/current/members/invite'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let key: Awaited<ReturnType<TestApp['withKey']>>
let posts: Mounted[]

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: { INVITATION_LIMIT_PER_HOUR: '1000000', RATE_LIMIT_WINDOW_SECONDS: '3600' },
  })
  key = await app.withKey(SCOPE_NAMES)
  posts = mountedRoutes(app).filter(
    (route) => route.door === 'key' && route.method === 'POST' && !takesBytes(route) && changesSomething(route),
  )
})
afterAll(() => app.close())

const named = (idempotencyKey: string) => ({ 'idempotency-key': idempotencyKey })
const create = (client: TestClient, idempotencyKey: string, body: unknown = { name: 'Once' }) =>
  client.post(ENGAGEMENTS, body, { headers: named(idempotencyKey) })
const isReplayed = ({ headers }: TestResponse) => headers.get('idempotency-replayed') === 'true'

const countRows = async (table: 'audit_entries' | 'engagements' | 'idempotency_keys'): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(app.db)
  return rows[0]?.count ?? 0
}

/** The number of audit entries written during `run`: each change writes its own. */
const entriesOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = await countRows('audit_entries')
  await run()
  return (await countRows('audit_entries')) - before
}

describe('every POST of the key door except uploads', () => {
  test('accepts an Idempotency-Key', () => {
    expect(posts.length).toBeGreaterThanOrEqual(2)
    expect(posts.filter(({ endpoint, door }) => !takesIdempotencyKey(endpoint, door)).map(({ name }) => name)).toEqual(
      [],
    )
  })

  test('answers a repetition with the same bytes, and takes effect once', async () => {
    const made: { name: string; first: TestResponse; again: () => Promise<TestResponse> }[] = []
    for (const route of posts) {
      const { send } = await captureChange(app, key, route)
      const headers = named(randomUUID())
      const first = await send(headers)
      expect(first.status, route.name).toBe(route.endpoint.status)
      expect(first.headers.has('idempotency-replayed')).toBe(false)
      made.push({ name: route.name, first, again: () => send(headers) })
    }
    const after = await checksums(app.db)
    for (const { name, first, again } of made) {
      for (let i = 0; i < 2; i++) {
        const { status, text, headers } = await again()
        expect([status, text, headers.get('content-type')], name).toEqual([
          first.status,
          first.text,
          first.headers.get('content-type'),
        ])
        expect(headers.get('idempotency-replayed'), name).toBe('true')
        expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(
          Number(first.headers.get('x-ratelimit-remaining')),
        )
      }
    }
    expect(await checksums(app.db)).toEqual(after)
  })

  test('answers as without a key, except for the header of a repetition', async () => {
    const shape = ({ headers, body, status }: TestResponse) => [
      status,
      [...headers.keys()].sort(),
      headers.get('content-type'),
      Object.keys(body.data),
    ]
    for (const route of sampleOf(6, posts)) {
      const [plain, keyed] = [await captureChange(app, key, route), await captureChange(app, key, route)]
      expect(shape(await keyed.send(named(randomUUID()))), route.name).toEqual(shape(await plain.send()))
    }
  })

  test('A10: treats the same key of another organization or API key as a different one', async () => {
    const other = await app.withKey(SCOPE_NAMES, await app.createOrganization())
    const second = await app.withKey(SCOPE_NAMES)
    for (const route of sampleOf(6, posts, 'b')) {
      const headers = named(randomUUID())
      const answers: TestResponse[] = []
      for (const caller of [key, other, second])
        answers.push(await (await captureChange(app, caller, route)).send(headers))
      for (const answer of answers) {
        expect(answer.status, route.name).toBe(route.endpoint.status)
        expect(isReplayed(answer)).toBe(false)
      }
      const ids = answers.flatMap(({ body }) => (body.data.id === undefined ? [] : [body.data.id as string]))
      expect(new Set(ids).size, route.name).toBe(ids.length)
      const { rows } = await sql<{
        keys: number
      }>`select count(*)::int as keys from idempotency_keys where key = ${headers['idempotency-key']}`.execute(app.db)
      expect(rows, route.name).toEqual([{ keys: 3 }])
    }
  })

  test('L8: takes effect once for twenty simultaneous requests, which get one answer', async () => {
    const rounds = isNightly ? 2 : 1
    for (const route of sampleOf(8, posts)) {
      const single = await captureChange(app, key, route)
      const once = await entriesOf(() => single.send(named(randomUUID())))
      for (let round = 0; round < rounds; round++) {
        const { send } = await captureChange(app, key, route)
        const headers = named(randomUUID())
        let answers: TestResponse[] = []
        const entries = await entriesOf(async () => {
          answers = await Promise.all(Array.from({ length: 20 }, () => send(headers)))
        })
        // Endpoints that act outside refuse other requests until they have finished.
        if (route.endpoint.externalEffect)
          answers = answers.filter(({ body }) => body.error?.message !== OUTCOME_UNKNOWN)
        expect(new Set(answers.map(({ status }) => status)), route.name).toEqual(new Set([route.endpoint.status]))
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
        expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
        expect(entries).toBe(once)
      }
    }
  })

  test('refuses the key with another body or another path: 409, and does nothing', async () => {
    for (const route of sampleOf(6, posts, 'c')) {
      const headers = named(randomUUID())
      const { send, text } = await captureChange(app, key, route)
      await send(headers)
      const elsewhere = await captureChange(app, key, posts.find((candidate) => candidate !== route) as Mounted)
      const before = await checksums(app.db)
      for (const answer of [...(text ? [await send(headers, `${text} `)] : []), await elsewhere.send(headers)]) {
        expect([answer.status, answer.body.error.message], route.name).toEqual([409, KEY_OF_ANOTHER_REQUEST])
      }
      expect(await checksums(app.db)).toEqual(before)
      expect(isReplayed(await send(headers))).toBe(true)
    }
  })

  test("checks the caller's rights again: 401 once the key is deleted, 403 once it lacks the scope", async () => {
    const owner = await app.signedIn('owner')
    // A route for any key has no scope that a key can lose.
    for (const route of sampleOf(
      6,
      posts.filter(({ endpoint }) => endpoint.scope !== 'any'),
    )) {
      const doomed = await app.withKey(SCOPE_NAMES)
      const { send } = await captureChange(app, doomed, route)
      const headers = named(randomUUID())
      expect((await send(headers)).status).toBe(route.endpoint.status)
      await app.db
        .updateTable('api_keys')
        .set({ scopes: ['scans:read'] })
        .where('id', '=', doomed.keyId)
        .execute()
      expect((await send(headers)).status, route.name).toBe(403)
      await app.db
        .updateTable('api_keys')
        .set({ scopes: [...SCOPE_NAMES] })
        .where('id', '=', doomed.keyId)
        .execute()
      expect(isReplayed(await send(headers))).toBe(true)
      await owner.delete(`/api/web/api-keys/${doomed.keyId}`)
      expect((await send(headers)).status).toBe(401)
    }
  })

  test('checks access again: refuses once the engagement of the answer is closed to the key', async () => {
    const concerned: string[] = []
    for (const route of sampleOf(3, posts)) {
      const open = await app.withKey(SCOPE_NAMES)
      await app.db.updateTable('api_keys').set({ engagement_access: 'open' }).where('id', '=', open.keyId).execute()
      const { send } = await captureChange(app, open, route)
      const headers = named(randomUUID())
      expect((await send(headers)).status, route.name).toBe(route.endpoint.status)
      const row = await app.db
        .selectFrom('idempotency_keys')
        .select('about_engagement_id')
        .where('api_key_id', '=', open.keyId)
        .executeTakeFirstOrThrow()
      if (row.about_engagement_id === null) continue
      concerned.push(route.name)
      await app.db
        .insertInto('engagement_restrictions')
        .values({ organization_id: app.organization.id, engagement_id: row.about_engagement_id, team_only: true })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'engagement_id']).doUpdateSet({ team_only: true }),
        )
        .execute()
      const isNamedInBody = !route.path.includes(':')
      expect((await send(headers)).status, route.name).toBe(isNamedInBody ? 422 : 404)
      await app.db.deleteFrom('engagement_restrictions').where('engagement_id', '=', row.about_engagement_id).execute()
      expect(isReplayed(await send(headers))).toBe(true)
    }
    expect(concerned.length).toBeGreaterThan(3)
  })

  test('K14: does not delay or outlive the deletion of its API key', async () => {
    const owner = await app.signedIn('owner')
    for (const route of sampleOf(8, posts, 'c')) {
      const doomed = await app.withKey(SCOPE_NAMES)
      const { send } = await captureChange(app, doomed, route)
      const requests = Array.from({ length: 20 }, () => send(named(randomUUID())))
      expect((await owner.delete(`/api/web/api-keys/${doomed.keyId}`)).status).toBe(200)
      // A request that was sent outside before the deletion records its answer after it: then only the number of runs
      // is final.
      const isSentOutside = route.endpoint.externalEffect !== undefined
      const stored = async () => {
        const { request_runs: runs = '', stored_bytes: bytes, ...rest } = await checksums(app.db)
        return {
          ...rest,
          request_runs: isSentOutside ? runs.split(' ')[0] : runs,
          ...(!isSentOutside && { stored_bytes: bytes }),
        }
      }
      const after = await stored()
      // Requests that finished before the deletion was answered exist; later ones are refused, or lose a race of their
      // own kind.
      for (const { status, text } of await Promise.all(requests))
        expect([route.endpoint.status, 401, 409], `${route.name}: ${text}`).toContain(status)
      expect(await stored()).toEqual(after)
    }
    expect(app.logLines.filter((line) => /deadlock/i.test(line))).toEqual([])
  })
})

describe('an idempotency key', () => {
  test('is 1 to 255 visible ASCII characters, sent once', async () => {
    for (const malformed of ['', 'two words', 'ü', 'a, b', 'x'.repeat(256)]) {
      const answer = await create(key, malformed)
      expect([malformed, answer.status, answer.body.error.code]).toEqual([malformed, 400, 'BAD_REQUEST'])
    }
    expect((await create(key, 'two words', { surprise: 1 })).status).toBe(400)
    for (const fine of ['!', '~', '"quoted"', 'x'.repeat(255)]) expect((await create(key, fine)).status).toBe(201)
  })

  test('is not consumed by a refusal', async () => {
    const taken = { email: app.organization.owner.email, role: 'member' }
    const free = { email: 'free@example.com', role: 'member' }
    const headers = named(randomUUID())
    const before = await countRows('idempotency_keys')
    expect((await key.post(INVITE, { email: 'x' }, { headers })).status).toBe(422)
    expect((await key.post(INVITE, taken, { headers })).status).toBe(409)
    expect((await key.post(INVITE, taken, { headers })).body.error.message).toContain('already belongs to a member')
    expect(await countRows('idempotency_keys')).toBe(before)
    expect((await key.post(INVITE, free, { headers })).status).toBe(201)
    expect(await countRows('idempotency_keys')).toBe(before + 1)
  })

  test('is ignored by other methods and at the other door, and without one no row is written', async () => {
    const { id } = (await key.post(ENGAGEMENTS, { name: 'Unkeyed' })).body.data
    const before = await countRows('idempotency_keys')
    const headers = named('not a key, since it has spaces')
    const owner = await app.signedIn('owner')
    expect((await key.get(ENGAGEMENTS, { headers })).status).toBe(200)
    for (const name of ['First', 'Second'])
      expect((await key.patch(`${ENGAGEMENTS}/${id}`, { name }, { headers })).body.data.name).toBe(name)
    const made = await countRows('engagements')
    for (let i = 0; i < 2; i++)
      expect((await owner.post('/api/web/engagements', { name: 'Unkeyed' }, { headers: named('same') })).status).toBe(
        201,
      )
    expect(await countRows('engagements')).toBe(made + 2)
    expect(await countRows('idempotency_keys')).toBe(before)
  })

  test('whose first request is in progress makes others wait, at most one statement timeout: then 503', async () => {
    const name = { organizationId: app.organization.id, apiKeyId: key.keyId, key: randomUUID() }
    const before = await countRows('engagements')
    await transaction(app.db, async (tx) => {
      await lockAnswer(tx, name)
      const answer = await create(key, name.key)
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true])
      expect(await countRows('engagements')).toBe(before)
    })
    expect((await create(key, name.key)).status).toBe(201)
  })

  test('is deleted with its API key, and so are its stored answers', async () => {
    const doomed = await app.withKey(SCOPE_NAMES)
    const name = { organizationId: app.organization.id, apiKeyId: doomed.keyId, key: randomUUID() }
    await create(doomed, name.key)
    const since = new Date(0).toISOString()
    expect(await findAnswer(app.db, name, since)).toBeDefined()
    const owner = await app.signedIn('owner')
    expect((await owner.delete(`/api/web/api-keys/${doomed.keyId}`)).status).toBe(200)
    expect(await findAnswer(app.db, name, since)).toBeUndefined()
  })
})

describe('a stored answer', () => {
  test('P3: is unreadable in a dump', async () => {
    const canary = 'canary 5581 of an answer'
    expect((await create(key, randomUUID(), { name: canary })).status).toBe(201)
    const { rows } = await sql<{
      row: string
    }>`select t::text || encode(t.answer, 'escape') as row from idempotency_keys t`.execute(app.db)
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) {
      for (const form of [canary, Buffer.from(canary).toString('hex'), '"data"']) expect(row.includes(form)).toBe(false)
    }
  })

  test('A10: cannot be decrypted in another row', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    await create(key, a, { name: 'Of a' })
    await create(key, b, { name: 'Of b' })
    await sql`update idempotency_keys set answer = (select answer from idempotency_keys where key = ${a}) where key = ${b}`.execute(
      app.db,
    )
    const answer = await create(key, b, { name: 'Of b' })
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('Of a')
  })
})

// Last, because it moves the clock by days.
test('a stored answer is forgotten after 24 hours: the request is a new one, and the hourly cleaning removes the row', async () => {
  const [kept, old] = [randomUUID(), randomUUID()]
  const first = await create(key, old)
  app.clock.advance(DAY_MS - 60_000)
  await create(key, kept)
  expect(isReplayed(await create(key, old))).toBe(true)
  app.clock.advance(60_000)
  const renewed = await create(key, old, { name: 'Another' })
  expect([renewed.status, isReplayed(renewed)]).toEqual([201, false])
  expect(renewed.body.data.id).not.toBe(first.body.data.id)
  expect((await create(key, old, { name: 'Another' })).text).toBe(renewed.text)
  app.clock.advance(DAY_MS - 60_000)
  await deleteOldAnswers(app.db, app.clock)
  const { rows } = await sql<{ key: string }>`select key from idempotency_keys`.execute(app.db)
  expect(rows.map((row) => row.key)).toEqual([old])
})
