import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTemplate } from '../../testing/test-app.ts'
import { createLogger } from '../log.ts'
import { migrate } from './migrate.ts'
import { type ConnectionSettings, connectionOptions } from './open.ts'
import { beginInScope, EVERY_ORGANIZATION, prepareScopes, queryInScope } from './scope.ts'

const FIRST = 'org_first'
const SECOND = 'org_second'
const NAMES = { text: 'select name from organizations order by name', values: [] }

let settings: ConnectionSettings
let client: pg.Client

/** One connection as the server opens it, with two organizations to tell apart. */
beforeAll(async () => {
  settings = await copyTemplate()
  client = new pg.Client(connectionOptions(settings, 'sortie-test'))
  await client.connect()
  await prepareScopes(client)
  for (const id of [FIRST, SECOND]) {
    await client.query(
      `insert into organizations (id, name, slug, plan, created_at, updated_at) values ('${id}', '${id}', '${id.replace('_', '-')}', 'free', now(), now())`,
    )
  }
})
afterAll(() => client.end())

const names = async (scope: string) => (await queryInScope(client, NAMES, scope)).rows.map(({ name }) => name)

/** What the connection is outside any scope: a superuser in this test, so that what is left behind shows. */
const leftBehind = async () => {
  const { rows } = await client.query("select current_setting('sortie.organization', true) as scope, current_user <> session_user as role_taken")
  return { scope: rows[0].scope || null, roleTaken: rows[0].role_taken }
}
const NOTHING = { scope: null, roleTaken: false }

test('A14: a statement sees the rows of its scope and no other', async () => {
  expect(await names(FIRST)).toEqual([FIRST])
  expect(await names(SECOND)).toEqual([SECOND])
  expect(await names(EVERY_ORGANIZATION)).toEqual([FIRST, SECOND])
  expect(await names('')).toEqual([])
})

test('A14: nothing of a scope stays on the connection after a query, a failed query, a transaction, and one rolled back', async () => {
  await names(FIRST)
  expect(await leftBehind()).toEqual(NOTHING)
  await expect(queryInScope(client, { text: 'select 1 / $1::integer', values: [0] }, FIRST)).rejects.toThrow(/division by zero/)
  await expect(queryInScope(client, { name: 'wrong', text: 'select nothing from nowhere', values: [] }, FIRST)).rejects.toThrow(/does not exist/)
  expect(await leftBehind()).toEqual(NOTHING)
  for (const end of ['commit', 'rollback']) {
    expect((await beginInScope(client, 'begin', SECOND, [], NAMES)).rows).toEqual([{ name: SECOND }])
    expect((await client.query(NAMES)).rows).toEqual([{ name: SECOND }])
    await client.query(end)
    expect(await leftBehind()).toEqual(NOTHING)
  }
  const seen = { text: `select set_config('tests.seen', string_agg(name, ', '), true) from organizations`, values: [] }
  expect((await beginInScope(client, 'begin', SECOND, [seen], { text: `select current_setting('tests.seen') as name` })).rows).toEqual([{ name: SECOND }])
  await client.query('commit')
  expect(await leftBehind()).toEqual(NOTHING)
  await expect(beginInScope(client, 'begin', SECOND, [], { text: 'select 1 / $1::integer', values: [0] })).rejects.toThrow(/division by zero/)
  await client.query('rollback')
  expect(await leftBehind()).toEqual(NOTHING)
  expect(await names(SECOND)).toEqual([SECOND])
})

test('A14: without a scope, the role of the server’s statements sees no row of any organization and writes none', async () => {
  await client.query('begin')
  await client.query('set local role sortie_rows')
  const { rows: tables } = await client.query(TENANT_TABLES)
  expect(tables.length).toBeGreaterThanOrEqual(7)
  for (const { name } of tables) expect((await client.query(`select from ${name}`)).rowCount, name).toBe(0)
  const insert = "insert into organizations (id, name, slug, plan, created_at, updated_at) values ('org_third', 'x', 'x-third', 'free', now(), now())"
  await expect(client.query(insert)).rejects.toThrow(/row-level security/)
  await client.query('rollback')
})

/** The same server, as this role, on its own database. */
const asOwner = (owner: string): ConnectionSettings => {
  if (!('connectionString' in settings)) return { ...settings, user: owner, database: owner }
  const url = new URL(settings.connectionString)
  Object.assign(url, { username: owner, password: 'owner', pathname: `/${owner}` })
  return { connectionString: url.toString() }
}

const TENANT_TABLES = `
  select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as walled
  from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (c.relname = 'organizations' or a.attname is not null)`

test('A14: every table of organizations has its wall, and the role behind it owns nothing, may change no schema and passes no wall', async () => {
  const { rows: tables } = await client.query(TENANT_TABLES)
  expect(tables.filter(({ walled }) => !walled)).toEqual([])
  const { rows: roles } = await client.query(`
    select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
      has_schema_privilege(oid, 'public', 'create') as creates, exists (select from pg_class where relowner = r.oid) as owns
    from pg_roles r where rolname = 'sortie_rows'`)
  expect(roles).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false, creates: false, owns: false }])
})

test('A14: a database whose owner is an ordinary role has the same walls, without a second role', async () => {
  const owner = `owner_${process.pid}_${Date.now()}`
  await client.query(`create role ${owner} login password 'owner'`)
  await client.query(`create database ${owner} owner ${owner}`)
  const ordinary = asOwner(owner)
  const log = createLogger('error')
  await migrate(ordinary, log)
  await migrate(ordinary, log)
  const connection = new pg.Client(connectionOptions(ordinary, 'sortie-test'))
  await connection.connect()
  try {
    await prepareScopes(connection)
    const insert = (id: string) => ({
      text: "insert into organizations (id, name, slug, plan, created_at, updated_at) values ($1, $1, 'the-slug', 'free', now(), now())",
      values: [id],
    })
    await expect(queryInScope(connection, insert(FIRST), SECOND)).rejects.toThrow(/row-level security/)
    await queryInScope(connection, insert(FIRST), FIRST)
    expect((await queryInScope(connection, NAMES, SECOND)).rowCount).toBe(0)
    expect((await connection.query(NAMES)).rowCount).toBe(0)
    expect((await queryInScope(connection, NAMES, FIRST)).rowCount).toBe(1)
  } finally {
    await connection.end()
    await client.query(`drop database ${owner} with (force)`)
    await client.query(`drop role ${owner}`)
  }
})
