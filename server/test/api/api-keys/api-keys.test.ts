import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKey, isWellFormedKey, withChecksum } from '../../../src/features/api-keys/authenticate.ts'
import { isNightly, runs } from '../../support/app/nightly.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { mountedRoutes, pathOf } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient
const KEYS = '/api/web/api-keys'
const CURRENT = '/api/v1/organizations/current'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

describe('the format of keys', () => {
  const BODY = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'

  test("the vectors of the format's specification", () => {
    expect(withChecksum(`svc_live_${BODY}`)).toBe(`svc_live_${BODY}34FP6R`)
    expect(withChecksum(`svc_test_${BODY}`)).toBe(`svc_test_${BODY}3UovhT`)
    expect(isWellFormedKey(`svc_live_${BODY}34FP6R`)).toBe(true)
    expect(isWellFormedKey(`svc_test_${BODY}34FP6R`)).toBe(false)
  })

  test('K8: 256 random bits without bias: every digit of the body after the first is equally likely, and no key repeats', () => {
    const keys = Array.from({ length: 6_200 }, () => generateKey('live'))
    expect(new Set(keys).size).toBe(keys.length)
    const counts = new Map<string, number>()
    for (const key of keys) {
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/)
      for (const digit of key.slice(10, 52)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
    // 6,200 keys x 42 digits over 62 values: 4,200 each; chi-squared with 61 degrees of freedom exceeds 130 once in a
    // million runs.
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 4_200) ** 2 / 4_200, 0)
    expect(counts.size).toBe(62)
    expect(chiSquared).toBeLessThan(130)
  })

  test('K10: any single wrong character is detected', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('live', 'test'),
        fc.integer({ min: 9, max: 57 }),
        fc.constantFrom(...'0123456789ABCXYZabcxyz'),
        (environment, at, character) => {
          const key = generateKey(environment)
          const changed = key.slice(0, at) + character + key.slice(at + 1)
          expect(isWellFormedKey(changed)).toBe(changed === key)
        },
      ),
      { numRuns: runs(2_000) },
    )
  })
})

describe('creating', () => {
  test.each(['live', 'test'] as const)(
    'answers 201 with exactly the ten fields; a %s key works at once',
    async (environment) => {
      const { status, body } = await owner.post(KEYS, {
        name: 'ci',
        environment,
        scopes: ['organizations:read', 'wiki:read'],
      })
      expect(status).toBe(201)
      expect(Object.keys(body.data).sort()).toEqual([
        'createdAt',
        'engagementIds',
        'environment',
        'expiresAt',
        'id',
        'kind',
        'lastUsedAt',
        'name',
        'scopes',
        'value',
      ])
      expect(body.data).toMatchObject({
        name: 'ci',
        environment,
        scopes: ['organizations:read', 'wiki:read'],
        lastUsedAt: null,
      })
      expect(body.data.value.startsWith(`svc_${environment}_`)).toBe(true)
      expect(isWellFormedKey(body.data.value)).toBe(true)
      expect((await app.anonymous.with({ authorization: `Bearer ${body.data.value}` }).get(CURRENT)).status).toBe(200)
    },
  )

  test('K6: unknown, missing, repeated or eleven scopes answer 422', async () => {
    for (const scopes of [
      [],
      ['*'],
      ['organizations'],
      ['organizations:READ'],
      ['organizations:read', 'organizations:read'],
      [...SCOPE_NAMES, 'x'],
      'organizations:read',
      null,
      [['organizations:read']],
      ['admin'],
      [null],
    ]) {
      expect((await owner.post(KEYS, { name: 'x', environment: 'live', scopes })).status, JSON.stringify(scopes)).toBe(
        422,
      )
    }
    for (const body of [
      { environment: 'live', scopes: ['wiki:read'] },
      { name: 'x', scopes: ['wiki:read'] },
      { name: 'x', environment: 'prod', scopes: ['wiki:read'] },
      { name: 'x', environment: 'live', scopes: ['wiki:read'], value: 'svc_live_x' },
    ]) {
      expect((await owner.post(KEYS, body)).status, JSON.stringify(body)).toBe(422)
    }
  })

  test('K7: owner and admin create, list and delete keys; a member cannot', async () => {
    const [admin, member] = [await app.signedIn('admin'), await app.signedIn('member')]
    const body = { name: 'x', environment: 'live', scopes: ['wiki:read'] }
    const { data } = (await admin.post(KEYS, body)).body
    expect((await member.post(KEYS, body)).status).toBe(403)
    expect((await member.get(KEYS)).status).toBe(403)
    expect((await member.delete(`${KEYS}/${data.id}`)).status).toBe(403)
    expect((await admin.delete(`${KEYS}/${data.id}`)).status).toBe(200)
  })

  test('K6: no endpoint changes a key: its scopes are fixed', async () => {
    const { data } = (await owner.post(KEYS, { name: 'fixed', environment: 'live', scopes: ['wiki:read'] })).body
    for (const method of ['PATCH', 'PUT', 'POST'])
      expect((await owner.request(method, `${KEYS}/${data.id}`, { body: { scopes: SCOPE_NAMES } })).status).toBe(404)
    const client = app.anonymous.with({ authorization: `Bearer ${data.value}` })
    for (const path of ['/api/v1/api-keys', `/api/v1/api-keys/${data.id}`]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
        expect((await client.request(method, path, {})).status, `${method} ${path}`).toBe(404)
    }
  })
})

describe('the overview', () => {
  test('K4, K8: shows name, scopes, creation and last use; no answer shows the value again', async () => {
    const { data } = (
      await owner.post(KEYS, { name: 'shown once', environment: 'test', scopes: ['organizations:read'] })
    ).body
    const listed = await owner.get(KEYS)
    const row = listed.body.data.find(({ id }: { id: string }) => id === data.id)
    expect(Object.keys(row).sort()).toEqual([
      'createdAt',
      'createdBy',
      'createdByActive',
      'engagementIds',
      'environment',
      'expiresAt',
      'id',
      'kind',
      'lastUsedAt',
      'name',
      'scopes',
    ])
    expect(row).toMatchObject({ createdBy: app.organization.owner.name, createdByActive: true, lastUsedAt: null })
    const client = app.anonymous.with({ authorization: `Bearer ${data.value}` })
    for (const route of mountedRoutes(app).filter(({ method }) => method === 'GET')) {
      const { text } = await (route.door === 'key' ? client : owner).get(pathOf(route))
      expect(text, route.name).not.toContain(data.value.slice(9, 52))
    }
    const deleted = await owner.delete(`${KEYS}/${data.id}`)
    expect(deleted.body).toEqual({ data: { deleted: true, id: data.id } })
  })

  test('K12: the key of a creator who was demoted or left stays and is flagged at once', async () => {
    const admin = await app.signedIn('admin')
    const { data } = (
      await admin.post(KEYS, { name: 'left behind', environment: 'live', scopes: ['organizations:read'] })
    ).body
    const flag = async () =>
      (await owner.get(KEYS)).body.data.find(({ id }: { id: string }) => id === data.id).createdByActive
    const members = '/api/web/organizations/current/members'
    expect(await flag()).toBe(true)
    await owner.patch(`${members}/${admin.user.id}`, { role: 'member' })
    expect(await flag()).toBe(false)
    await owner.patch(`${members}/${admin.user.id}`, { role: 'admin' })
    expect(await flag()).toBe(true)
    await owner.delete(`${members}/${admin.user.id}`)
    expect(await flag()).toBe(false)
    expect((await app.anonymous.with({ authorization: `Bearer ${data.value}` }).get(CURRENT)).status).toBe(200)
  })
})

describe('deleting', () => {
  test('K3: no request that starts after the acknowledgement succeeds, also under load; requests in progress end properly', async () => {
    for (let round = 0; round < (isNightly ? 3 : 1); round++) {
      const key = await app.withKey(['organizations:read'])
      let acknowledged = false
      const outcomes = { before: 0, inFlight: 0, after: 0, refused: 0 }
      const lanes = Array.from({ length: 24 }, async () => {
        for (let late = 0; late < 30;) {
          const startedAfter = acknowledged
          if (startedAfter) late++
          const { status } = await key.get(CURRENT)
          expect([200, 401]).toContain(status)
          if (status === 401) outcomes.refused++
          else if (startedAfter) outcomes.after++
          else if (acknowledged) outcomes.inFlight++
          else outcomes.before++
        }
      })
      await eventually(() => expect(outcomes.before).toBeGreaterThan(0))
      expect((await owner.delete(`${KEYS}/${key.keyId}`)).status).toBe(200)
      acknowledged = true
      await Promise.all(lanes)
      expect(outcomes.after).toBe(0)
      expect(outcomes.refused).toBeGreaterThan(500)
      expect(outcomes.before).toBeGreaterThan(0)
      expect((await key.get(CURRENT)).status).toBe(401)
    }
  })

  test('a deleted key answers a second deletion with 404, and requests with 401 like an unknown key', async () => {
    const key = await app.withKey(['organizations:read'])
    expect((await owner.delete(`${KEYS}/${key.keyId}`)).status).toBe(200)
    expect((await owner.delete(`${KEYS}/${key.keyId}`)).status).toBe(404)
    const never = await app.anonymous.with({ authorization: `Bearer ${generateKey('live')}` }).get(CURRENT)
    expect((await key.get(CURRENT)).text).toBe(never.text)
  })
})

describe('scopes', () => {
  test('K6: over all sets of scopes, exactly those routes open whose scope is in the set', async () => {
    const routes = mountedRoutes(app).filter(({ door }) => door === 'key')
    const made = new Map<number, Promise<TestClient>>()
    const keyOf = (bits: number) => {
      const scopes = SCOPE_NAMES.filter((_, bit) => bits & (1 << bit))
      const key = made.get(bits) ?? app.withKey(scopes)
      made.set(bits, key)
      return key
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** SCOPE_NAMES.length - 1 }),
        fc.constantFrom(...routes),
        async (bits, route) => {
          const scopes = new Set<Scope>(SCOPE_NAMES.filter((_, bit) => bits & (1 << bit)))
          const { requirement } = route
          const allowed =
            requirement === 'any' ||
            (typeof requirement === 'object' && 'scope' in requirement && scopes.has(requirement.scope))
          // An unknown query parameter stops an allowed request right after the scope check.
          const { status } = await (await keyOf(bits)).request(route.method, `${pathOf(route)}?unknown=1`)
          expect(status, `${route.name} with ${[...scopes].join()}`).toBe(allowed ? 400 : 403)
        },
      ),
      { numRuns: runs(250) },
    )
  })
})

describe('last use', () => {
  test('K11: hundreds of requests cause at most one write per key and minute, and the time only moves forward', async () => {
    const key = await app.withKey(['organizations:read'])
    const lastUsed = async () =>
      (await app.db.selectFrom('api_keys').select('last_used_at').where('id', '=', key.keyId).executeTakeFirstOrThrow())
        .last_used_at
    const statements = await statementsDuring(async () => {
      await Promise.all(Array.from({ length: isNightly ? 1_000 : 250 }, () => key.get(CURRENT)))
      await app.flush()
    })
    expect(statements.filter((text) => text.startsWith('update api_keys')).length).toBeLessThanOrEqual(5)
    const first = (await lastUsed()) as string
    expect(first).not.toBeNull()
    const { rows } = await sql<{ xmin: string }>`select xmin::text from api_keys where id = ${key.keyId}`.execute(
      app.db,
    )
    await key.get(CURRENT)
    await app.flush()
    expect(
      (await sql<{ xmin: string }>`select xmin::text from api_keys where id = ${key.keyId}`.execute(app.db)).rows,
    ).toEqual(rows)
    app.clock.freeze(Date.now() - 3_600_000)
    await key.get(CURRENT)
    await app.flush()
    expect(await lastUsed()).toBe(first)
    app.clock.freeze(Date.now() + 61_000)
    await key.get(CURRENT)
    await app.flush()
    expect(((await lastUsed()) as string) > first).toBe(true)
  })
})
