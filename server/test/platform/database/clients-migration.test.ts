import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { databaseNamed } from '../../support/database/database-named.ts'
import { asSuperuser } from '../../support/database/test-databases.ts'

const ORGANIZATION = 'org_1'
let client: pg.Client

beforeAll(async () => {
  const name = `sortie_test_${randomBytes(6).toString('hex')}`
  await asSuperuser(inject('postgres'), `create database ${name}`)
  const settings = databaseNamed(inject('postgres'), name)
  const migrations = readMigrations()
  const log = createLogger('error')
  await migrate(
    settings,
    log,
    undefined,
    migrations.filter(({ version }) => version < 31),
  )
  client = new pg.Client(settings)
  await client.connect()
  await client.query("select set_config('sortie.organization', '*', false), set_config('sortie.viewer', '*', false)")
  await client.query(
    `insert into organizations (id, name, slug, plan, created_at, updated_at) values ($1, 'O', 'o', 'p', now(), now())`,
    [ORGANIZATION],
  )
  const names = ['Contoso', 'CONTOSO', '', 'Fabrikam']
  for (const [place, name] of names.entries()) {
    await client.query(
      `insert into engagements (id, organization_id, name, client_name, description, status, created_at, updated_at, details_updated_at)
       values ($1, $2, 'E', $3, '', 'active', $4, now(), now())`,
      [`eng_${place}`, ORGANIZATION, name, `2026-01-0${place + 1}`],
    )
  }
  await migrate(settings, log, undefined, migrations)
})
afterAll(() => client.end())

test('migration 0031: engagements with one client name, in any letter case, get one client, and those without get none', async () => {
  const { rows } = await client.query(
    `select e.id, e.client_name, c.name, c.created_at::date::text as since, c.id ~ '^cli_[0-9a-z]{26}$' as has_id
     from engagements e left join clients c on c.id = e.client_id order by e.id`,
  )
  expect(rows).toEqual([
    { id: 'eng_0', client_name: 'Contoso', name: 'Contoso', since: '2026-01-01', has_id: true },
    { id: 'eng_1', client_name: 'Contoso', name: 'Contoso', since: '2026-01-01', has_id: true },
    { id: 'eng_2', client_name: '', name: null, since: null, has_id: null },
    { id: 'eng_3', client_name: 'Fabrikam', name: 'Fabrikam', since: '2026-01-04', has_id: true },
  ])
  expect((await client.query('select count(*)::int as count from clients')).rows).toEqual([{ count: 2 }])
})
