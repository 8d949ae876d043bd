import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { ConfigurationError } from '../../../src/platform/errors.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { hereMs } from '../../support/app/machine.ts'
import { variantsFor } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { databaseNamed } from '../../support/database/database-named.ts'
import { migrateInProcess } from '../../support/database/migrating-process.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterEach(() => stage.close())

/** The time that a migration waits for a table before it lets readers pass. */
const LOCK_WAIT_MS = 3_000
const log = createLogger('silent')
const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const KNOWN = readMigrations().at(-1)?.version as number

const emptyDatabase = async (): Promise<ConnectionSettings> => {
  const name = `sortie_test_${randomBytes(6).toString('hex')}`
  await query(inject('postgres'), `create database ${name}`)
  return databaseNamed(inject('postgres'), name)
}

const connected = async <T>(settings: ConnectionSettings, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const query = (settings: ConnectionSettings, text: string) =>
  connected(settings, async (client) => (await client.query(text)).rows)

/** The existing migrations, and these. */
const withMigrations = (files: Record<string, string>): string => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-migrations-'))
  stage.add(() => rmSync(directory, { recursive: true, force: true }))
  cpSync(MIGRATIONS, directory, { recursive: true })
  for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(directory, name), sql)
  return directory
}

/** Tables whose rows a job moves in batches; server/migrations/README.md. */
const LARGE =
  '(?:results|observations|object_words|targets|target_verdicts|operation_log_entries|request_runs|wiki_revisions|finding_revisions|wiki_page_words|audit_entries)'
const REWRITES = [
  new RegExp(`\\bupdate\\s+(?:only\\s+)?${LARGE}\\b`, 'i'),
  new RegExp(`\\bdelete\\s+from\\s+(?:only\\s+)?${LARGE}\\b`, 'i'),
  new RegExp(
    `\\balter\\s+table\\s+(?:only\\s+)?${LARGE}\\b[^;]*(?:\\btype\\s|\\bstored\\b|\\bidentity\\b|\\bdefault\\s+(?:clock_timestamp|random|gen_random_uuid)\\b)`,
    'i',
  ),
]
const isRewrite = (sql: string) => REWRITES.some((form) => form.test(sql.replaceAll(/--.*/g, '')))
/** The first version's schema, which is applied to empty tables. */
const LAST_OF_SCHEMA = 23

const isEmbedded = !('connectionString' in inject('postgres'))
const number = (offset: number) => String(KNOWN + offset).padStart(4, '0')

/** A hash over the complete content of a database, schema and rows. */
const checksum = (settings: ConnectionSettings): Promise<string> =>
  connected(settings, async (client) => {
    const { rows: tables } = await client.query(
      "select table_name from information_schema.tables where table_schema = 'public' order by 1",
    )
    const parts: unknown[] = [tables]
    for (const { table_name: table } of tables)
      parts.push(
        (await client.query(`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${table} t`))
          .rows,
      )
    parts.push(
      (
        await client.query(
          "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2",
        )
      ).rows,
    )
    return JSON.stringify(parts)
  })

describe('F15, L15: a migration', () => {
  const steps = {
    [`${number(1)}_numbers.sql`]:
      'create table numbers as select i from generate_series(1, 1000) i; select pg_sleep(0.15); alter table numbers add column twice integer; select pg_sleep(0.1);',
    [`${number(2)}_fill.sql`]:
      'update numbers set twice = 2 * i; select pg_sleep(0.15); alter table numbers alter column twice set not null;',
  }

  test('killed at any point is complete or absent, and the next start finishes it', async () => {
    const directory = withMigrations(steps)
    for (const pauseMs of variantsFor('moments', 3, [250, 350, 450, 550, 650, 750, 850])) {
      const settings = await copyTemplate()
      const process = migrateInProcess(stage, settings, directory)
      await sleep(pauseMs)
      process.child.kill('SIGKILL')
      await process.exited
      await migrate(settings, log, undefined, readMigrations(directory))
      expect(await query(settings, 'select count(*)::int as count, sum(twice)::int as sum from numbers')).toEqual([
        { count: 1000, sum: 1_001_000 },
      ])
      const applied = await query(settings, 'select version from schema_migrations order by version')
      expect(applied.map(({ version }) => version)).toEqual(readMigrations(directory).map(({ version }) => version))
    }
  })

  test('of two simultaneous processes is done by one, and the other waits for it', async () => {
    const directory = withMigrations(steps)
    const settings = await copyTemplate()
    const processes = [
      migrateInProcess(stage, settings, directory),
      migrateInProcess(stage, settings, directory),
      migrateInProcess(stage, settings, directory),
    ]
    expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0, 0])
    expect(processes.filter(({ output }) => output().includes('"migrated"'))).toHaveLength(1)
    expect(await query(settings, 'select count(*)::int as count from numbers')).toEqual([{ count: 1000 }])
  })

  test('waits for a table in use without blocking its readers for more than 3 s at a time', async () => {
    const settings = await copyTemplate()
    const directory = withMigrations({ [`${number(1)}_column.sql`]: 'alter table engagements add column extra text;' })
    const reader = new pg.Client(settings)
    await reader.connect()
    await reader.query('begin')
    await reader.query('select * from engagements')
    const migrated = migrate(settings, log, undefined, readMigrations(directory))
    await eventually(async () =>
      expect(
        await query(
          settings,
          "select 1 from pg_stat_activity where application_name = 'sortie-migrate' and wait_event_type = 'Lock'",
        ),
      ).toHaveLength(1),
    )
    const started = performance.now()
    await query(settings, 'select * from engagements')
    expect(performance.now() - started).toBeLessThan(hereMs(LOCK_WAIT_MS + 1_500))
    await reader.query('commit')
    await reader.end()
    await migrated
    expect(await query(settings, 'select extra from engagements')).toEqual([])
  })

  test('with an error leaves the database unchanged, and the line for the operator names migration, cause and schema', async () => {
    const settings = await copyTemplate()
    const before = await checksum(settings)
    const directory = withMigrations({
      [`${number(1)}_wrong.sql`]: 'create table half (id integer); update organizations set name = name; select 1 / 0;',
    })
    await expect(migrate(settings, log, undefined, readMigrations(directory))).rejects.toThrow(
      new ConfigurationError([
        `migration ${KNOWN + 1} (wrong) failed, and nothing of it is stored: division by zero (SQLSTATE 22012). The database has schema version ${KNOWN}: start a version of Sortie with that schema, or restore the backup of before the upgrade, and report this line`,
      ]),
    )
    expect(await checksum(settings)).toBe(before)
  })

  test('is refused to a command, which changes nothing, and applied by the next server', async () => {
    const settings = await copyTemplate()
    const directory = withMigrations({ [`${number(1)}_later.sql`]: 'create table later (id integer);' })
    const before = await checksum(settings)
    await expect(migrate(settings, log, undefined, readMigrations(directory), 'command')).rejects.toThrow(
      `the database has schema version ${KNOWN}, this version of Sortie needs ${KNOWN + 1}: stop the servers of the former version and start this one`,
    )
    expect(await checksum(settings)).toBe(before)
    await migrate(settings, log, undefined, readMigrations(directory))
    await migrate(settings, log, undefined, readMigrations(directory), 'command')
    expect(await query(settings, 'select * from later')).toEqual([])
  })

  test('that was released may not be edited', async () => {
    const settings = await copyTemplate()
    const edited = readMigrations().map((migration) => ({ ...migration, checksum: 'another' }))
    await expect(migrate(settings, log, undefined, edited)).rejects.toThrow(
      new ConfigurationError([
        `the database has applied another migration 1 (accounts) than this build has: start the build that made the database, or start with an empty ${isEmbedded ? 'DATA_DIR' : 'database'} and an empty STORAGE_PATH`,
      ]),
    )
  })

  test('that is missing from the build is refused before any other is applied', async () => {
    const settings = await copyTemplate()
    const directory = withMigrations({ [`${number(2)}_later.sql`]: 'create table later (id integer);' })
    await query(
      settings,
      `insert into schema_migrations (version, name, checksum) values (${KNOWN + 1}, 'missing', 'x')`,
    )
    const before = await checksum(settings)
    await expect(migrate(settings, log, undefined, readMigrations(directory))).rejects.toThrow(
      `the database has applied another migration ${KNOWN + 1} (missing) than this build has`,
    )
    expect(await checksum(settings)).toBe(before)
  })
})

test('F16: an older build on a newer schema ends with 78, names both versions, and leaves the data unchanged', async () => {
  const settings = await copyTemplate()
  await query(
    settings,
    "insert into organizations (id, name, slug, plan, created_at, updated_at) values ('org_1', 'Untouched', 'untouched', 'free', now(), now())",
  )
  const directory = withMigrations({ [`${number(1)}_newer.sql`]: 'create table newer (id integer);' })
  mkdirSync(directory, { recursive: true })
  await migrate(settings, log, undefined, readMigrations(directory))
  const before = await checksum(settings)
  const older = await stage.server({ env: { DATABASE_URL: databaseUrl(settings) } })
  expect((await older.exited).code).toBe(78)
  expect(older.errorLines).toEqual([
    expect.stringMatching(new RegExp(`schema version ${KNOWN + 1}, this build knows versions up to ${KNOWN}\\b`)),
  ])
  expect(await checksum(settings)).toBe(before)
})

describe('a database of a development version before 0.2.0', () => {
  /** The names and numbers that such versions had applied; no text of them is left. */
  const FORMER = {
    first: "(1, 'foundation', 'a'), (2, 'accounts', 'b'), (12, 'earlier', 'c'), (87, 'stored_bytes', 'd')",
    last: "(1, 'accounts', 'a'), (2, 'organizations', 'b'), (3, 'audit_mails_and_instance', 'c'), (85, 'words_of_engagements', 'd')",
  }
  const formerHistory = (migrations: string) => `
    create table organizations (id text primary key, name text not null);
    insert into organizations values ('org_1', 'Untouched');
    create table schema_migrations (version integer primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now());
    insert into schema_migrations (version, name, checksum)
      values ${migrations};`

  test.each(Object.entries(FORMER))(
    '(the %s of them) ends the start with 78 and one sentence that says what to do, and is not changed',
    async (_, migrations) => {
      const settings = await emptyDatabase()
      await query(settings, formerHistory(migrations))
      const before = await checksum(settings)
      const server = await stage.server({ env: { DATABASE_URL: databaseUrl(settings) } })
      expect((await server.exited).code).toBe(78)
      expect(server.errorLines).toEqual([
        expect.stringMatching(
          /DATABASE_URL: this database was made by a development version before Sortie 0\.2\.0 and cannot be upgraded: start with an empty database and an empty STORAGE_PATH$/,
        ),
      ])
      expect(await checksum(settings)).toBe(before)
    },
  )

  test('is named DATA_DIR where the database is embedded, whichever newest version it had applied', async () => {
    const settings = await emptyDatabase()
    await query(settings, formerHistory(FORMER.first))
    await query(settings, 'delete from schema_migrations where version > 1')
    const embedded = await connected(settings, async ({ host, port, user, database, password }) => ({
      host,
      port,
      user: user as string,
      database: database as string,
      password,
    }))
    await expect(migrate(embedded, log)).rejects.toThrow(
      new ConfigurationError([
        'DATA_DIR: this data directory was made by a development version before Sortie 0.2.0 and cannot be upgraded: start with an empty DATA_DIR and an empty STORAGE_PATH',
      ]),
    )
  })
})

test('a migration that updates, empties or rewrites a large table is refused; a new column without a rewrite is not', () => {
  for (const sql of [
    "update results set notes = ''",
    'delete from  observations where true',
    'alter table results alter column port type bigint',
    'alter table targets\n  add column folded text generated always as (lower(value)) stored',
    'alter table audit_entries add column place bigint generated always as identity',
  ])
    expect(isRewrite(sql), sql).toBe(true)
  for (const sql of [
    'alter table results add column sources smallint not null default 0',
    'alter table results drop column notes; update organizations set name = name',
    '-- update results later\ncreate index results_new on results (organization_id, notes)',
  ])
    expect(isRewrite(sql), sql).toBe(false)
  const later = readMigrations().filter(({ version }) => version > LAST_OF_SCHEMA)
  expect(later.filter(({ sql }) => isRewrite(sql)).map(({ name }) => name)).toEqual([])
})
