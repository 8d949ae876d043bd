import type { Role } from '@sortie/contract/core/scopes.ts'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deleteMember,
  listMembers,
  updateMemberRole,
} from '../../../../src/features/organizations/members/members.queries.ts'
import { lockOrganization } from '../../../../src/features/organizations/organizations.queries.ts'
import { transaction } from '../../../../src/platform/database/transaction.ts'
import { newId } from '../../../../src/platform/ids.ts'
import { type TestApp, type TestOrganization, testApp } from '../../../support/app/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

const START = Date.parse('2020-01-01T00:00:00.000Z')
const NOW = new Date(START).toISOString()
const ROLES: readonly (Role | undefined)[] = [undefined, 'owner', 'admin', 'member']

interface Row {
  id: string
  role: Role
  joined_at: string
}

/** Joins many at once; few distinct times, so that ids decide the order of many. */
const join = async (
  organization: TestOrganization,
  count: number,
  seconds: number,
  role: 'admin' | 'member' = 'member',
): Promise<void> => {
  const prefix = newId('usr').slice(0, -8)
  const rows = sql`select ${prefix} || lpad(((i * 7919) % 99999989)::text, 8, '0') as id, i from generate_series(1, ${count}::int) i`
  await transaction(app.db, async (tx) => {
    await sql`insert into users (id, name, email, email_key, created_at, updated_at)
      select id, 'Person', id || '@example.com', id || '@example.com', now(), now() from (${rows}) r`.execute(tx)
    await sql`insert into memberships (organization_id, user_id, name, email, role, joined_at, updated_at)
      select ${organization.id}, id, 'Person', id || '@example.com', ${role},
        ${NOW}::timestamptz + (i % ${seconds}::int) * interval '1 second', now() from (${rows}) r`.execute(tx)
  })
}

/** The expected list: every membership, sorted here. */
const model = async (organization: TestOrganization): Promise<Row[]> => {
  const rows = await app.db
    .selectFrom('memberships')
    .select(['user_id as id', 'role', 'joined_at'])
    .where('organization_id', '=', organization.id)
    .execute()
  return (rows as Row[]).sort((a, b) => compare(a.joined_at, b.joined_at) || compare(a.id, b.id))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const page = (organization: TestOrganization, role: Role | undefined, limit: number, offset: number) =>
  listMembers(app.db, organization.id, role, limit, offset)

/** Pages around about every thousandth position, and past the end, for every role. */
const expectPagesOf = async (organization: TestOrganization, expected: Row[]) => {
  for (const role of ROLES) {
    const wanted = expected.filter((row) => role === undefined || row.role === role)
    const offsets = new Set([0, 1, 999, 1000, wanted.length - 1, wanted.length, wanted.length + 5])
    for (let offset = 0; offset < wanted.length; offset += 487) offsets.add(offset)
    for (const offset of [...offsets].filter((offset) => offset >= 0)) {
      const { total, members } = await page(organization, role, 30, offset)
      expect({ role, offset, total, ids: members.map(({ id }) => id) }).toEqual({
        role,
        offset,
        total: wanted.length,
        ids: wanted.slice(offset, offset + 30).map(({ id }) => id),
      })
    }
  }
}

const expectChunksOf = async (organization: TestOrganization, expected: Row[]) => {
  const chunks = await app.db
    .selectFrom('member_count_ranges')
    .select([
      sql<string>`from_joined_at::text`.as('joined'),
      'from_user_id',
      'owner_count',
      'admin_count',
      'plain_member_count',
    ])
    .where('organization_id', '=', organization.id)
    .orderBy('from_joined_at')
    .orderBy('from_user_id')
    .execute()
  const lengths = chunks.map((chunk) => chunk.owner_count + chunk.admin_count + chunk.plain_member_count)
  expect(chunks[0]?.joined).toBe('-infinity')
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(expected.length)
  expect(Math.max(...lengths)).toBeLessThan(4096)
  expect(lengths.slice(1).every((length) => length > 0)).toBe(true)
}

describe('pages of a long member list', () => {
  test('equal the sorted list after joins anywhere, removals and role changes, with correct totals', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('join' as const),
        count: fc.integer({ min: 1, max: 6_000 }),
        seconds: fc.integer({ min: 1, max: 3_000 }),
      }),
      fc.record({
        kind: fc.constant('leave' as const),
        from: fc.double({ min: 0, max: 1, noNaN: true }),
        count: fc.integer({ min: 1, max: 5_000 }),
      }),
      fc.record({ kind: fc.constant('promote' as const), every: fc.integer({ min: 2, max: 50 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        const organization = await app.createOrganization()
        for (const change of steps) {
          const before = await model(organization)
          if (change.kind === 'join') await join(organization, change.count, change.seconds)
          else if (change.kind === 'leave') {
            const first = Math.floor(change.from * before.length)
            const leaving = before.slice(first, first + change.count).filter(({ role }) => role !== 'owner')
            await sql`delete from memberships where organization_id = ${organization.id} and user_id = any(${leaving.map(({ id }) => id)}::text[])`.execute(
              app.db,
            )
          } else {
            const promoted = before.filter(({ role }, i) => role !== 'owner' && i % change.every === 0)
            await sql`update memberships set role = 'admin' where organization_id = ${organization.id} and user_id = any(${promoted.map(({ id }) => id)}::text[])`.execute(
              app.db,
            )
          }
        }
        const expected = await model(organization)
        await expectPagesOf(organization, expected)
        await expectChunksOf(organization, expected)
      }),
      { numRuns: 8 },
    )
  })

  test('stay exact during simultaneous joins, removals and role changes', async () => {
    const organization = await app.createOrganization()
    await join(organization, 4_000, 2_000)
    const victims = (await model(organization)).filter(({ role }) => role !== 'owner')
    const changeOne = async (i: number) => {
      const victim = victims[(i * 7) % victims.length] as Row
      if (i % 3 === 0) return join(organization, 1 + (i % 5), 1 + ((i * 37) % 2_000))
      await transaction(app.db, async (tx) => {
        await lockOrganization(tx, organization.id)
        if (i % 3 === 1) await deleteMember(tx, organization.id, victim.id)
        else
          await sql`update memberships set role = ${i % 2 ? 'admin' : 'member'} where organization_id = ${organization.id} and user_id = ${victim.id}`.execute(
            tx,
          )
      })
    }
    let changing = true
    const watch = async () => {
      while (changing) {
        const { total, members } = await page(organization, undefined, 100, 1_500)
        expect(members).toHaveLength(Math.max(0, Math.min(100, total - 1_500)))
        expect(new Set(members.map(({ id }) => id)).size).toBe(members.length)
        const last = await page(organization, undefined, 100, total - 50)
        expect(last.members).toHaveLength(Math.max(0, Math.min(100, last.total - (total - 50))))
      }
    }
    const watching = Promise.all([watch(), watch()])
    const changers = Array.from({ length: 6 }, async (_, lane) => {
      for (let i = lane; i < 600; i += 6) await changeOne(i)
    })
    await Promise.all(changers).finally(() => {
      changing = false
    })
    await watching
    const expected = await model(organization)
    await expectPagesOf(organization, expected)
    await expectChunksOf(organization, expected)
  })

  test('follow joins that are rolled back', async () => {
    const organization = await app.createOrganization()
    await join(organization, 4_500, 100)
    const before = await model(organization)
    const undone = transaction(app.db, async (tx) => {
      await deleteMember(tx, organization.id, (before[2_000] as Row).id)
      await updateMemberRole(tx, organization.id, (before[3_000] as Row).id, 'admin', NOW)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await expectPagesOf(organization, before)
  })

  test('a membership cannot be moved in the list', async () => {
    const organization = await app.createOrganization()
    const moved = app.db
      .updateTable('memberships')
      .set({ joined_at: NOW })
      .where('organization_id', '=', organization.id)
      .execute()
    await expect(moved).rejects.toThrow('keeps its organization')
  })
})
