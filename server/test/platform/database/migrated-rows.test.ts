import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

let settings: ConnectionSettings
let client: pg.Client
const databases: string[] = []

const connected = async (to: ConnectionSettings): Promise<pg.Client> => {
  const opened = new pg.Client(to)
  await opened.connect()
  return opened
}

const named = (database: string): ConnectionSettings => {
  if (!('connectionString' in settings)) return { ...settings, database }
  const url = new URL(settings.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.toString() }
}

beforeAll(async () => {
  settings = await copyTemplate()
  client = await connected(settings)
})
afterAll(async () => {
  for (const name of databases) await client.query(`drop database ${name} with (force)`)
  await client.end()
})

/** A database at the version of the last migration `before`, for rows that `finish` then migrates. */
const databaseBefore = async (before: number) => {
  const name = `rows_${process.pid}_${Date.now()}`
  await client.query(`create database ${name}`)
  databases.push(name)
  const log = createLogger('error')
  await migrate(
    named(name),
    log,
    undefined,
    readMigrations().filter(({ version }) => version < before),
  )
  const own = await connected(named(name))
  const finish = async () => {
    await migrate(named(name), log)
    await own.query("set sortie.organization to '*'; set sortie.viewer to '*'")
  }
  return { own, finish, read: async (text: string) => (await own.query(text)).rows }
}

test('rows from before the trash get numbers, prefixes, kinds and a finished first run', async () => {
  const { own, finish, read } = await databaseBefore(20)
  try {
    await own.query(`
      insert into organizations (id, name, slug, plan, created_at, updated_at) values ('org_1', 'O', 'o', 'free', now(), now());
      insert into users (id, name, email, email_key, created_at, updated_at) values ('usr_1', 'U', 'u@example.com', 'u@example.com', now(), now());
      insert into engagements (id, organization_id, name, description, kind, status, created_at, updated_at, details_updated_at) values
        ('eng_1', 'org_1', 'Mallory Finance', '', 'web', 'active', now(), now(), now()),
        ('eng_2', 'org_1', '2026 Über alles', '', 'other', 'active', now(), now(), now()),
        ('eng_3', 'org_1', '漢字', '', 'cloud', 'active', now(), now(), now());
      insert into tasks (id, organization_id, engagement_id, title, description, status, priority, position, created_at, updated_at)
        select 'tsk_' || i, 'org_1', case when i < 4 then 'eng_1' else 'eng_2' end, 'T', '', 'open', 0, 'a' || i, now(), now() from generate_series(1, 5) i`)
    await finish()
    expect(await read('select id, task_prefix, kind, kinds, is_template from engagements order by id')).toEqual([
      { id: 'eng_1', task_prefix: 'MF', kind: 'web', kinds: ['web'], is_template: false },
      { id: 'eng_2', task_prefix: 'UA', kind: 'other', kinds: ['other'], is_template: false },
      { id: 'eng_3', task_prefix: 'T', kind: 'cloud', kinds: ['cloud'], is_template: false },
    ])
    expect(await read('select id, number from tasks order by id')).toEqual([
      { id: 'tsk_1', number: 1 },
      { id: 'tsk_2', number: 2 },
      { id: 'tsk_3', number: 3 },
      { id: 'tsk_4', number: 1 },
      { id: 'tsk_5', number: 2 },
    ])
    expect(await read('select engagement_id, last_number from task_numbers order by engagement_id')).toEqual([
      { engagement_id: 'eng_1', last_number: 3 },
      { engagement_id: 'eng_2', last_number: 2 },
    ])
    expect(await read('select user_id, finished_at is not null as finished from first_runs')).toEqual([
      { user_id: 'usr_1', finished: true },
    ])
    expect(await read('select members_create_engagements from organizations')).toEqual([
      { members_create_engagements: false },
    ])
  } finally {
    await own.end()
  }
})

test('the search finds library entries and retests from before it knew them', async () => {
  const { own, finish, read } = await databaseBefore(40)
  try {
    await own.query(`
      insert into organizations (id, name, slug, plan, created_at, updated_at) values ('org_1', 'O', 'o', 'free', now(), now());
      insert into engagements (id, organization_id, name, description, kind, kinds, status, task_prefix, created_at, updated_at, details_updated_at)
        values ('eng_1', 'org_1', 'E', '', 'web', '{web}', 'active', 'E', now(), now(), now());
      insert into library_entries (id, organization_id, engagement_id, key, severity, cwe, rules, main_language, texts, title, created_at, updated_at) values
        ('lib_1', 'org_1', null, 'open-door', 2, '{CWE-284}', '[{"tool": "nuclei", "ruleId": "doorcheck"}]', 'en',
          '{"en": {"title": "Open door", "impact": "Burglars"}, "de": {"title": "Offenes Tor"}}', 'Open door', now(), now()),
        ('lib_2', 'org_1', 'eng_1', 'proposed', 2, '{}', '[]', 'en', '{"en": {"title": "Proposed"}}', 'Proposed', now(), now());
      insert into retests (id, organization_id, engagement_id, name, created_at, updated_at) values ('ret_1', 'org_1', 'eng_1', 'Spring round', now(), now())`)
    await finish()
    const entries = "select object_id, tree from object_words where owner = 'org_1/library_entry'"
    expect(await read(`${entries} order by object_id`)).toEqual([
      { object_id: 'lib_1', tree: 'org_1' },
      { object_id: 'lib_2', tree: 'eng_1' },
    ])
    for (const word of ['burglars', 'doorcheck', 'offenes'])
      expect(await read(`${entries} and words @@ plainto_tsquery('simple', '${word}')`), word).toEqual([
        { object_id: 'lib_1', tree: 'org_1' },
      ])
    expect(
      await read(
        "select object_id, tree from object_words where owner = 'org_1/retest' and words @@ plainto_tsquery('simple', 'spring')",
      ),
    ).toEqual([{ object_id: 'ret_1', tree: 'eng_1' }])
  } finally {
    await own.end()
  }
})
