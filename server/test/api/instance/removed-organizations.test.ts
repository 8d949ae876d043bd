import { readdirSync } from 'node:fs'
import path from 'node:path'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishRemovals } from '../../../src/features/instance/administration/removed-organizations.service.ts'
import { eventually } from '../../support/app/server-process.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { openStream } from '../../support/clients/event-stream.ts'
import { checksumsOfOrganization, tableNames } from '../../support/inputs/snapshot.ts'
import { twoTenants } from '../../support/walks/two-tenants.ts'

let app: TestApp
let admin: TestClient & { user: { id: string; email: string } }
beforeAll(async () => {
  // Without workers the other organization changes by nothing but the removal.
  app = await testApp({ workers: false })
  admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const confirmed = { password: PASSWORD }
const organizationPath = (id: string, action: string) => `/api/web/instance/organizations/${id}/${action}`
const newestEntry = async (action: string) => (await admin.get(`/api/web/instance/audit?action=${action}`)).body.data[0]

describe('removing an organization', () => {
  const storedFiles = (organizationId: string): string[] => {
    const root = app.platform.config.STORAGE_PATH
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => file.includes(organizationId))
  }

  /** Rows by table that have the organization in `organization_id`, read past row-level security. */
  const rowsOf = async (organizationId: string): Promise<Map<string, number>> => {
    const { rows: tables } = await sql<{ name: string }>`select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(app.db)
    const counts = new Map<string, number>()
    for (const { name } of tables) {
      const { rows } = await app.db.transaction().execute(async (tx) => {
        await sql`select set_config('sortie.trash', 'shown', true)`.execute(tx)
        return sql<{
          count: number
        }>`select count(*) as count from ${sql.table(name)} where organization_id = ${organizationId}`.execute(tx)
      })
      counts.set(name, Number(rows[0]?.count))
    }
    return counts
  }

  test('leaves no row in any table and no file, ends sessions, keys and streams at once, and does not touch another organization', async () => {
    const { victim, attacker } = await twoTenants(app)
    const [session, key] = [await app.signedIn('owner', victim), await app.withKey(SCOPE_NAMES, victim)]
    const trashed = (await session.post('/api/web/engagements', { name: 'In the trash' })).body.data.id as string
    await session.post(`/api/web/engagements/${trashed}/results`, {
      title: 'In the trash',
      asset: 'x.example',
      data: {},
    })
    expect((await session.delete(`/api/web/engagements/${trashed}`, { body: { name: 'In the trash' } })).status).toBe(
      200,
    )
    const stream = await openStream(session, '/api/web/events')
    const before = await rowsOf(victim.id)
    const filled = [...before].filter(([, count]) => count > 0)
    expect(filled.length).toBeGreaterThan(60)
    expect(storedFiles(victim.id).length).toBeGreaterThan(10)
    const others = [await checksumsOfOrganization(app.db, attacker.id), storedFiles(attacker.id)]

    const remove = organizationPath(victim.id, 'remove')
    expect((await admin.post(remove, { slug: victim.slug })).status).toBe(422)
    expect((await admin.post(remove, { slug: attacker.slug, ...confirmed })).status).toBe(422)
    expect((await admin.post(remove, { slug: victim.slug, password: 'not the password' })).status).toBe(403)
    expect((await session.get('/api/web/organizations/current')).status).toBe(200)
    const answer = await admin.post(remove, { slug: victim.slug, ...confirmed })
    expect([answer.status, answer.body.data.id]).toEqual([200, victim.id])
    expect((await session.get('/api/web/organizations/current')).status).toBe(404)
    expect((await key.get('/api/v1/organizations/current')).status).toBe(401)
    await eventually(() => expect(stream.ended).toBe(true))
    expect((await admin.post(remove, { slug: victim.slug, ...confirmed })).status).toBe(404)

    // Until then it is in the list, where an administrator sees that it is being removed.
    const listed = async () =>
      (await admin.get(`/api/web/instance/organizations?search=${victim.slug}`)).body.data as { removedAt: string }[]
    expect(await listed()).toMatchObject([{ removedAt: expect.any(String), memberCount: 0 }])
    await finishRemovals(app.platform, new AbortController().signal)
    expect(await listed()).toEqual([])
    expect([...(await rowsOf(victim.id))].filter(([, count]) => count > 0)).toEqual([])
    expect(storedFiles(victim.id)).toEqual([])
    // Also where no column is called organization_id. What remains: the log of the instance, ids of deleted files, and
    // counters of attempts, which expire.
    for (const name of await tableNames(app.db)) {
      if (['deleted_files', 'throttle_buckets'].includes(name)) continue
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t where to_jsonb(t)::text like ${`%${victim.id}%`}`.execute(
        app.db,
      )
      const left = rows.map(({ row }) => JSON.parse(row))
      expect(
        left.filter(({ organization_id: id }) => name !== 'audit_entries' || id !== null),
        name,
      ).toEqual([])
    }
    expect([await checksumsOfOrganization(app.db, attacker.id), storedFiles(attacker.id)]).toEqual(others)
    const removed = await newestEntry('organization.removed')
    expect(removed).toMatchObject({ object: { id: victim.id }, after: { filesLeft: 0 } })
    expect(removed.after.rows).toBeGreaterThan(filled.length)
    expect(removed.after.files).toBeGreaterThan(10)
    expect(await newestEntry('organization.removal-started')).toMatchObject({
      actor: { id: admin.user.id },
      before: { slug: victim.slug },
    })
    const mails = await app.db
      .selectFrom('mails')
      .select(['recipient', 'status'])
      .where('kind', '=', 'organization-removed')
      .execute()
    expect(mails).toEqual([{ recipient: victim.owner.email, status: 'queued' }])
  })

  test('is refused while an engagement is on legal hold', async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const { id } = (await owner.post('/api/web/engagements', { name: 'Contoso 2026' })).body.data
    const hold = `/api/web/engagements/${id}/hold`
    expect((await owner.post(hold, { reason: 'Contoso v. Fabrikam' })).status).toBe(201)
    const remove = () =>
      admin.post(organizationPath(organization.id, 'remove'), { slug: organization.slug, ...confirmed })
    const refused = await remove()
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('"Contoso 2026" is on legal hold'),
    ])
    expect((await owner.delete(hold)).status).toBe(200)
    expect((await remove()).status).toBe(200)
  })

  test('is refused while a customer of the payment provider is linked, and keeps append-only logs of every other one', async () => {
    const organization = await app.createOrganization()
    await app.db
      .insertInto('billing_customers')
      .values({ organization_id: organization.id, customer_id: 'cus_1', linked_at: '2026-01-01T00:00:00.000Z' })
      .execute()
    const refused = await admin.post(organizationPath(organization.id, 'remove'), {
      slug: organization.slug,
      ...confirmed,
    })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining(`unlink-billing-customer ${organization.slug}`),
    ])
    await expect(sql`select delete_audit_entries_of(${organization.id}, 10)`.execute(app.db)).rejects.toThrow(
      /is not removed/,
    )
    await expect(
      app.asSuperuser(`delete from audit_entries where organization_id = '${app.organization.id}' or true`),
    ).rejects.toThrow(/append-only/)
  })
})
