import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { seal } from '@sortie/embedded-postgres/backup/sealed.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { newId } from '../../../src/platform/ids.ts'
import { startJobs } from '../../../src/platform/jobs/jobs.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'
import {
  databaseAt,
  databaseOfOrdinaryRole,
  queryAt,
  startExternalPostgres,
} from '../../support/database/external-postgres.ts'
import { filesBelow } from '../../support/document/files.ts'
import { fillTables } from '../backup/backup-data.ts'

const stage = createStage()
let superuser = ''
let source = ''
let storage = ''
let backup = ''
let made = 0

beforeAll(async () => {
  superuser = await startExternalPostgres(stage, ['fsync=off'])
  source = await databaseOfOrdinaryRole(superuser, 'source')
  const server = await stage.server({ env: { DATABASE_URL: source } })
  await server.ready()
  await fillTables(await signInAsOwner(server.origin))
  await server.stop()
  storage = path.join(server.dataDir, 'uploads')
  backup = newPath()
  expect(await run(['backup', backup])).toMatchObject({ code: 0 })
})
afterAll(() => stage.close())

const newPath = () => path.join(stage.directory(), 'new')
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  sortie(args, newPath(), { DATABASE_URL: source, STORAGE_PATH: storage, ...env })
const restore = (from: string, into: string, env: Record<string, string> = {}) =>
  run(['restore', from, '--keep-keys'], { DATABASE_URL: into, STORAGE_PATH: newPath(), ...env })
const emptyDatabase = () => databaseOfOrdinaryRole(superuser, `empty_${++made}`)
const refusal = (line: RegExp) => ({
  code: 78,
  out: '',
  err: expect.stringMatching(new RegExp(`^sortie: ${line.source}\\n$`)),
})

describe('a backup', () => {
  test('O1: reports the fault if the database cannot be reached, is empty, or belongs to another role', async () => {
    const away = source.replace(/:\d+\//, ':1/')
    expect(await run(['backup', newPath()], { DATABASE_URL: away })).toEqual(
      refusal(/DATABASE_URL: the database cannot be reached \(.*ECONNREFUSED.*\)/),
    )
    expect(await run(['backup', newPath()], { DATABASE_URL: databaseAt(source, 'nothing') })).toEqual(
      refusal(/DATABASE_URL: the database refused the connection \(database "nothing" does not exist\)/),
    )
    expect(await run(['backup', newPath()], { DATABASE_URL: await emptyDatabase() })).toEqual(
      refusal(/the database holds nothing of Sortie: no server has ever run on it/),
    )
    const stranger = new URL(await emptyDatabase()).username
    await queryAt(databaseAt(superuser, 'source'), `grant select on schema_migrations, users to ${stranger}`)
    expect(
      await run(['backup', newPath()], {
        DATABASE_URL: Object.assign(new URL(source), { username: stranger }).toString(),
      }),
    ).toEqual(
      refusal(
        /DATABASE_URL: the role may not do that: connect as the owner of the database and of its tables \(permission denied for .*\)/,
      ),
    )
    await queryAt(source, 'insert into schema_migrations (version, name, checksum) values (9999, $$later$$, $$$$)')
    expect(await run(['backup', newPath()])).toEqual(
      refusal(/the database has schema version 9999, this build knows versions up to \d+: use the newer build/),
    )
    await queryAt(source, 'delete from schema_migrations where version = 9999')
    await queryAt(source, 'update schema_migrations set name = $$foundation$$ where version = 1')
    expect(await run(['backup', newPath()])).toEqual(
      refusal(
        /the database was made by a development version before Sortie 0\.2\.0: back it up with the version that made it/,
      ),
    )
    await queryAt(source, 'update schema_migrations set name = $$accounts$$ where version = 1')
  })

  test('O1: of a storage that lacks files reports it with exit code 1, verify and restore as well; an empty or foreign storage is refused', async () => {
    const lacking = newPath()
    cpSync(storage, lacking, { recursive: true })
    const [lost, damaged] = filesBelow(lacking) as [string, string]
    rmSync(path.join(lacking, lost))
    appendFileSync(path.join(lacking, damaged), 'x')
    const target = newPath()
    const outcome = await run(['backup', target], { STORAGE_PATH: lacking })
    expect(outcome).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^sortie: the backup is complete, but STORAGE_PATH is not: .* 1 are missing and 1 damaged; .*\n$/,
      ),
    })
    expect(await run(['verify', target])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 files were missing in the storage and 1 damaged'),
    })
    const restored = newPath()
    const { code, out } = await restore(target, await emptyDatabase(), { STORAGE_PATH: restored })
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('1 files were missing when the backup was made, and are missing now'),
    ])
    expect(filesBelow(restored)).toEqual(filesBelow(lacking))
    expect(readFileSync(path.join(restored, damaged))).toEqual(readFileSync(path.join(lacking, damaged)))
    const foreign = newPath()
    mkdirSync(foreign, { recursive: true })
    expect(await run(['backup', newPath()], { STORAGE_PATH: foreign })).toEqual(
      refusal(
        /STORAGE_PATH: .* has none of the \d+ files that the database names: is it the right directory, and is it mounted\?/,
      ),
    )
  })

  test('O1: is refused if its name is in use, and within STORAGE_PATH', async () => {
    expect(await run(['backup', backup])).toEqual(refusal(/.* is there already: name a new directory/))
    expect(await run(['backup', path.join(storage, 'backup')])).toEqual(
      refusal(/.* is inside .*: a backup would hold itself/),
    )
    expect(await run(['backup', '/nowhere/backup'])).toEqual(refusal(/\/nowhere is not there: make it first/))
  })
})

describe('verify, and restore before it changes anything,', () => {
  const manifestOf = (copy: string) => JSON.parse(readFileSync(path.join(copy, 'manifest.json'), 'utf8'))
  const edit = (fields: (manifest: ReturnType<typeof manifestOf>) => object) => (copy: string) => {
    const { checksum: _, ...manifest } = manifestOf(copy)
    writeFileSync(path.join(copy, 'manifest.json'), seal({ ...manifest, ...fields(manifest) }))
  }
  const flip = (file: string) => {
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
    writeFileSync(file, bytes)
  }
  const table = 'tables/results.copy.gz'
  const stored = () => `files/${filesBelow(path.join(backup, 'files'))[0]}`
  const damages: [damage: string, change: (copy: string) => void, line: RegExp][] = [
    [
      'a changed byte in a table',
      (copy) => flip(path.join(copy, table)),
      /the backup is damaged: .*results\.copy\.gz has changed since it was written/,
    ],
    [
      'a truncated table',
      (copy) => truncateSync(path.join(copy, table), 100),
      /the backup is damaged: .*results\.copy\.gz has changed since it was written/,
    ],
    [
      'bytes after a table',
      (copy) => appendFileSync(path.join(copy, table), 'x'),
      /the backup is damaged: .*results\.copy\.gz has changed since it was written/,
    ],
    [
      'a missing table',
      (copy) => rmSync(path.join(copy, table)),
      /the backup is damaged: .*results\.copy\.gz is missing/,
    ],
    [
      'a changed byte in a file',
      (copy) => flip(path.join(copy, stored())),
      /the backup is damaged: .*fil_\w+ has changed since it was written/,
    ],
    ['a missing file', (copy) => rmSync(path.join(copy, stored())), /the backup is damaged: .*fil_\w+ is missing/],
    [
      'a changed list of files',
      (copy) => flip(path.join(copy, 'files.jsonl.gz')),
      /the backup is damaged: .*files\.jsonl\.gz has changed since it was written/,
    ],
    [
      'a changed manifest',
      (copy) => flip(path.join(copy, 'manifest.json')),
      /.* is damaged: manifest\.json has changed since it was written/,
    ],
    [
      'no manifest',
      (copy) => rmSync(path.join(copy, 'manifest.json')),
      /.* is not a backup, or one that was interrupted: it has no manifest\.json/,
    ],
    [
      'another format',
      edit(() => ({ format: 3 })),
      /.* has the format 3, this build reads 1 and 2: use a newer Sortie/,
    ],
    [
      'a newer schema',
      edit(() => ({ schema: 9999 })),
      /.* has schema version 9999, this build knows versions up to \d+: restore it with Sortie .* or newer/,
    ],
    [
      'a migration of another build',
      edit(({ migrations }) => ({ migrations: migrations.map((each: object) => ({ ...each, checksum: 'other' })) })),
      /.* has the migration 1 \(accounts\), which this build does not have: .*/,
    ],
    [
      'the migrations of a development version before 0.2.0',
      edit(({ migrations }) => ({
        schema: 87,
        migrations: [
          { ...migrations[0], name: 'foundation' },
          { version: 87, name: 'stored_bytes', checksum: 'x' },
        ],
      })),
      /.* was made by a development version before Sortie 0\.2\.0, and this build cannot restore it: restore it with the version that made it/,
    ],
    [
      'a path that leads elsewhere',
      edit(({ tables }) => ({ tables: tables.map((each: object) => ({ ...each, path: '../../etc/passwd' })) })),
      /.* is damaged: manifest\.json has changed since it was written/,
    ],
  ]
  test.each(damages)('O1: refuses a backup with %s', async (_, change, line) => {
    const copy = newPath()
    cpSync(backup, copy, { recursive: true })
    change(copy)
    const checked = await sortie(['verify', copy], newPath(), { SESSION_SECRET: '' })
    // Faults of the build are reported after the others.
    expect(checked).toMatchObject({ code: 78, err: expect.stringMatching(new RegExp(`^sortie: ${line.source}\n$`)) })
    const target = newPath()
    expect(await restore(copy, databaseAt(superuser, 'postgres'), { STORAGE_PATH: target })).toEqual(refusal(line))
    expect(existsSync(target)).toBe(false)
  })
})

describe('a restore', () => {
  test('O1: is refused without the choice, into a non-empty database or storage, and by a role that may not create', async () => {
    const undecided = await run(['restore', backup])
    expect([undecided.code, undecided.err.split('\n')[0]]).toEqual([
      64,
      expect.stringMatching(/^sortie: choose: --rekey .*--keep-keys/),
    ])
    expect(await restore(backup, source)).toEqual(
      refusal(/DATABASE_URL: this database is not empty, it holds pgboss\.\w+; a restore needs an empty database/),
    )
    const used = await emptyDatabase()
    await queryAt(used, 'create schema theirs create table mine (id int)')
    expect(await restore(backup, used)).toEqual(
      refusal(/DATABASE_URL: this database is not empty, it holds theirs\.mine; .*/),
    )
    const empty = await emptyDatabase()
    const full = newPath()
    mkdirSync(full, { recursive: true })
    writeFileSync(path.join(full, 'mine'), 'mine')
    expect(await restore(backup, empty, { STORAGE_PATH: full })).toEqual(
      refusal(/STORAGE_PATH: .* is not empty, it holds mine; a restore needs an empty directory/),
    )
    expect(readdirSync(full)).toEqual(['mine'])
    expect(await queryAt(empty, "select from pg_class where relnamespace = 'public'::regnamespace")).toEqual([])
    await queryAt(databaseAt(superuser, 'postgres'), 'create role poor login')
    const poor = Object.assign(new URL(await emptyDatabase()), { username: 'poor' }).toString()
    expect(await restore(backup, poor)).toEqual(
      refusal(/DATABASE_URL: the role poor may not create tables in this database: let it own the database/),
    )
    await queryAt(
      databaseAt(superuser, 'postgres'),
      `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0 owner source`,
    )
    expect(await restore(backup, databaseAt(source, 'latin'))).toEqual(
      refusal(/DATABASE_URL: the encoding of this database is LATIN1: create it with "encoding 'UTF8'"/),
    )
  })

  test('O1: of a backup with an older schema makes that schema, and migrates on', async () => {
    const migrations = readMigrations()
    const webhooks = migrations.find(({ name }) => name === 'webhook_endpoints')?.version as number
    const old = await emptyDatabase()
    const log = createLogger('silent')
    await migrate(
      { connectionString: old },
      log,
      undefined,
      migrations.filter(({ version }) => version < webhooks),
    )
    await (await startJobs({ connectionString: old }, log, [], false)).stop(0)
    const [organization, engagement] = [newId('org'), newId('eng')]
    await queryAt(
      databaseAt(superuser, path.basename(new URL(old).pathname)),
      `insert into organizations (id, name, slug, plan, created_at, updated_at) values ('${organization}', 'Old', 'old', 'free', now(), now());
       insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
         values ('${engagement}', '${organization}', 'ÄLTER', '', 'active', now(), now(), now())`,
    )
    const target = newPath()
    expect(await run(['backup', target], { DATABASE_URL: old, STORAGE_PATH: newPath() })).toMatchObject({ code: 0 })
    const into = await emptyDatabase()
    expect(await restore(target, into)).toMatchObject({ code: 0 })
    const applied = await queryAt(into, 'select version, checksum from schema_migrations order by version')
    expect(applied).toEqual(migrations.map(({ version, checksum }) => ({ version, checksum })))
    const restored = databaseAt(superuser, path.basename(new URL(into).pathname))
    expect(await queryAt(restored, `select name from engagements where id = '${engagement}'`)).toEqual([
      { name: 'ÄLTER' },
    ])
    // Made by a migration that the backup does not have.
    expect(await queryAt(restored, "select to_regclass('webhook_endpoints') is not null as made")).toEqual([
      { made: true },
    ])
  })

  test('O1: restores jobs of very different sizes, which `copy` does not store one after the other', async () => {
    // Of rows of all sizes some are deleted: the others do not fill the pages of a new table in the same order.
    await queryAt(
      source,
      `insert into pgboss.job (name, data, start_after)
       select (select name from pgboss.queue order by name limit 1), jsonb_build_object('text', repeat('x', i * 7919 % 1800)), now() + interval '1 day'
       from generate_series(1, 2000) i`,
    )
    await queryAt(source, "delete from pgboss.job where data ? 'text' and length(data ->> 'text') % 3 = 0")
    const [target, into] = [newPath(), await emptyDatabase()]
    expect(await run(['backup', target])).toMatchObject({ code: 0 })
    expect(await restore(target, into)).toMatchObject({ code: 0 })
    const jobs = 'select id, name, data from pgboss.job order by id'
    expect(await queryAt(into, jobs)).toEqual(await queryAt(source, jobs))
    await queryAt(source, "delete from pgboss.job where data ? 'text'")
  })

  test('O1: takes jobs along when the library of the queue has other columns since, and leaves tables out that are not ours', async () => {
    await queryAt(
      source,
      'alter table pgboss.job add column gone text default $$gone$$; alter table pgboss.queue drop column ready_history',
    )
    await queryAt(source, 'create table theirs (id int); insert into theirs values (1)')
    const target = newPath()
    expect(await run(['backup', target])).toMatchObject({ code: 0 })
    const into = await emptyDatabase()
    expect(await restore(target, into)).toMatchObject({
      code: 0,
      err: expect.stringContaining("left out: the table theirs (1 rows), which is not Sortie's"),
    })
    const jobs = 'select id, name, data, state, start_after, retry_count from pgboss.job order by id'
    expect(await queryAt(into, jobs)).toEqual(await queryAt(source, jobs))
    expect((await queryAt(into, jobs)).length).toBeGreaterThan(0)
    await queryAt(
      source,
      `alter table pgboss.job drop column gone; alter table pgboss.queue add column ready_history int[] not null default '{}'; drop table theirs`,
    )
  })
})
