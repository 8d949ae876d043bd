import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectionSettings, connectionOptions } from '../../../src/platform/database/connection/open.ts'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import {
  EVERY_ORGANIZATION,
  named,
  SYSTEM,
  scopedDialect,
  assumeRole,
} from '../../../src/platform/database/scope/tenant-scope.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import type { DB as Schema } from '../../../src/platform/database/types.gen.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { eventually } from '../../support/app/server-process.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const FIRST = 'org_first'
const SECOND = 'org_second'

let settings: ConnectionSettings
let client: pg.Client
let pool: pg.Pool

/** One connection as the server opens it, so that the next statement sees leftovers of the previous one. */
const openPool = (of: ConnectionSettings) => {
  const opened = new pg.Pool({ ...connectionOptions(of, 'sortie-test'), max: 1, pipeline: true, verify: assumeRole })
  // Its database may be dropped while it closes.
  return opened.on('error', () => undefined)
}

/** The database as one organization sees it, over that connection. */
const scopedTo = (scope: string, on = pool) => {
  const connect = async () => {
    const connection = await on.connect()
    return {
      client: connection,
      noteAnswer: () => undefined,
      noteFailure: () => undefined,
      release: (destroy: boolean) => connection.release(destroy),
    }
  }
  return new Kysely<Schema>({ dialect: scopedDialect(connect, scope, SYSTEM) })
}

/** Two organizations with distinguishable rows. */
beforeAll(async () => {
  settings = await copyTemplate()
  pool = openPool(settings)
  client = new pg.Client(settings)
  await client.connect()
  for (const id of [FIRST, SECOND]) await insertOrganization(id).execute(scopedTo(EVERY_ORGANIZATION))
})
afterAll(async () => {
  await pool.end()
  await client.end()
})

const insertOrganization = (id: string) =>
  sql`insert into organizations (id, name, slug, plan, created_at, updated_at) values (${id}, ${id}, ${id.replace('_', '-')}, 'free', now(), now())`

const names = async (scope: string, on = pool) => {
  const rows = await scopedTo(scope, on).selectFrom('organizations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** The state of the connection, and its visible rows outside of any scope. */
const leftBehind = async () => {
  const { rows } =
    await pool.query(`select current_setting('sortie.organization', true) as scope, current_user as role, pg_backend_pid() as pid,
    (select count(*) from organizations) as organizations`)
  return { ...rows[0], scope: rows[0].scope || null }
}

test('A14: a statement sees only the rows of its scope', async () => {
  expect(await names(FIRST)).toEqual([FIRST])
  expect(await names(SECOND)).toEqual([SECOND])
  expect(await names(EVERY_ORGANIZATION)).toEqual([FIRST, SECOND])
  expect(await names('')).toEqual([])
  const statement = { name: 'test_names', text: 'select name from organizations where $1::text is not null' }
  for (const scope of [FIRST, SECOND, FIRST])
    expect((await scopedTo(scope).executeQuery(named(statement, ['x']))).rows).toEqual([{ name: scope }])
})

test('A14: nothing of a scope stays on the connection after a statement, a transaction, a failure of either, and a cancelled statement', async () => {
  const { pid } = await leftBehind()
  const nothing = { scope: null, role: 'sortie_rows', pid, organizations: 0 }
  await names(FIRST)
  expect(await leftBehind()).toEqual(nothing)
  const db = scopedTo(FIRST)
  await expect(sql`select 1 / ${0}::integer`.execute(db)).rejects.toThrow(/division by zero/)
  await expect(db.executeQuery(named({ name: 'test_wrong', text: 'select nothing from nowhere' }, []))).rejects.toThrow(
    /does not exist/,
  )
  expect(await leftBehind()).toEqual(nothing)
  expect(await transaction(db, (tx) => tx.selectFrom('organizations').select('name').execute())).toEqual([
    { name: FIRST },
  ])
  expect(await leftBehind()).toEqual(nothing)
  const failing = transaction(db, async (tx) => {
    await sql`update organizations set name = 'renamed'`.execute(tx)
    await sql`select 1 / ${0}::integer`.execute(tx)
  })
  await expect(failing).rejects.toThrow(/division by zero/)
  expect(await leftBehind()).toEqual(nothing)
  const slow = expect(sql`select pg_sleep(10)`.execute(db)).rejects.toThrow(/canceling statement/)
  await eventually(async () => {
    const { rows } = await client.query(
      "select pg_cancel_backend(pid) as cancelled from pg_stat_activity where pid = $1 and query like '%pg_sleep%'",
      [pid],
    )
    expect(rows).toEqual([{ cancelled: true }])
  })
  await slow
  expect(await leftBehind()).toEqual(nothing)
  expect(await names(SECOND)).toEqual([SECOND])
})

test('A14: if the scope cannot be entered, nothing is read or written', async () => {
  // Postgres does not accept a text with a zero byte.
  const nowhere = scopedTo('org_first\0')
  await expect(sql`update organizations set name = 'renamed'`.execute(nowhere)).rejects.toThrow(/invalid message/)
  await expect(
    transaction(nowhere, (tx) => sql`update organizations set name = 'renamed'`.execute(tx)),
  ).rejects.toThrow(/invalid message/)
  expect(await names(EVERY_ORGANIZATION)).toEqual([FIRST, SECOND])
  expect(await leftBehind()).toMatchObject({ scope: null, organizations: 0 })
})

test('A14: without a scope, the role of the server’s statements sees no row of any organization and writes none', async () => {
  await client.query('begin')
  await client.query('set local role sortie_rows')
  const { rows: tables } = await client.query(TENANT_TABLES)
  expect(tables.length).toBeGreaterThanOrEqual(7)
  for (const { name } of tables) expect((await client.query(`select from ${name}`)).rowCount, name).toBe(0)
  const insert =
    "insert into organizations (id, name, slug, plan, created_at, updated_at) values ('org_third', 'x', 'x-third', 'free', now(), now())"
  await expect(client.query(insert)).rejects.toThrow(/row-level security/)
  await client.query('rollback')
})

/** Connection settings of this role on its own database. */
const asOwner = (owner: string): ConnectionSettings => {
  if (!('connectionString' in settings)) return { ...settings, user: owner, database: owner }
  const url = new URL(settings.connectionString)
  Object.assign(url, { username: owner, password: 'owner', pathname: `/${owner}` })
  return { connectionString: url.toString() }
}

const TENANT_TABLES = `
  select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as secured
  from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (c.relname = 'organizations' or a.attname is not null)`

test('A14: every table of organizations has row-level security, and the role of the server owns nothing, may change no schema and cannot bypass it', async () => {
  const { rows: tables } = await client.query(TENANT_TABLES)
  expect(tables.filter(({ secured }) => !secured)).toEqual([])
  const { rows: roles } = await client.query(`
    select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
      has_schema_privilege(oid, 'public', 'create') as creates, exists (select from pg_class where relowner = r.oid) as owns
    from pg_roles r where rolname = 'sortie_rows'`)
  expect(roles).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      creates: false,
      owns: false,
    },
  ])
})

test('A14: a database whose owner is an ordinary role has the same row-level security, without a second role', async () => {
  const owner = `owner_${process.pid}_${Date.now()}`
  await client.query(`create role ${owner} login password 'owner'`)
  await client.query(`create database ${owner} owner ${owner}`)
  const ordinary = asOwner(owner)
  const log = createLogger('error')
  await migrate(ordinary, log)
  await migrate(ordinary, log)
  const connection = openPool(ordinary)
  try {
    await expect(insertOrganization(FIRST).execute(scopedTo(SECOND, connection))).rejects.toThrow(/row-level security/)
    await insertOrganization(FIRST).execute(scopedTo(FIRST, connection))
    expect(await names(SECOND, connection)).toEqual([])
    expect((await connection.query('select name from organizations')).rowCount).toBe(0)
    expect(await names(FIRST, connection)).toEqual([FIRST])
  } finally {
    await connection.end()
    await client.query(`drop database ${owner} with (force)`)
    await client.query(`drop role ${owner}`)
  }
})

test('a database whose owner is an ordinary role is upgraded with all its rows: migrations see them', async () => {
  const owner = `owner_${process.pid}_${Date.now()}`
  await client.query(`create role ${owner} login password 'owner'`)
  await client.query(`create database ${owner} owner ${owner}`)
  const ordinary = asOwner(owner)
  const log = createLogger('error')
  await migrate(ordinary, log)
  const connection = openPool(ordinary)
  try {
    const db = scopedTo(FIRST, connection)
    await insertOrganization(FIRST).execute(db)
    await sql`insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
      values ('eng_1', ${FIRST}, 'E', '', 'active', now(), now(), now())`.execute(db)
    const known = readMigrations()
    const next = {
      version: (known.at(-1)?.version ?? 0) + 1,
      name: 'rows',
      checksum: 'rows',
      sql: "update engagements set description = name || ' as upgraded'",
    }
    await migrate(ordinary, log, undefined, [...known, next])
    expect(await db.selectFrom('engagements').select('description').execute()).toEqual([
      { description: 'E as upgraded' },
    ])
  } finally {
    await connection.end()
    await client.query(`drop database ${owner} with (force)`)
    await client.query(`drop role ${owner}`)
  }
})
