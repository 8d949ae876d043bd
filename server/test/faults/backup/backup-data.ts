import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import type pg from 'pg'
import { eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { withNewKey } from '../../support/clients/server-clients.ts'
import { queryAt } from '../../support/database/external-postgres.ts'
import { filesBelow, filesOf, sha256, upload } from '../../support/document/files.ts'
import { fixture, imported } from '../../support/scans/imports.ts'

/** Text that `copy` has to escape, and text that it must not change. */
const HOSTILE = 'tab\there \\N back\\slash\n\\.\nnew line "quoted" \u{1f512} Grüße \\'

/** Fills most tables through the API: two organizations, a closed engagement, results, tasks, pages, files. */
export const fillTables = async (owner: TestClient): Promise<void> => {
  const key = await withNewKey(owner, [...SCOPE_NAMES])
  const post = async (client: TestClient, to: string, body: object) => {
    const { status, text, body: answer } = await client.post(to, body)
    assert.equal(status, 201, `${to}: ${text}`)
    return answer.data
  }
  await post(owner, '/api/web/instance/organizations', { name: 'Second', ownerEmail: 'second.owner@example.com' })
  const open = await post(owner, '/api/web/engagements', { name: 'Open', description: HOSTILE })
  const closed = await post(owner, '/api/web/engagements', {
    name: 'Closed',
    details: { access: 'team', team: [], clientName: 'Client' },
  })
  for (const { id } of [open, closed]) {
    assert.equal((await imported(key, id, fixture('nmap.xml'))).state, 'applied')
    await post(key, '/api/v1/scope-rules', { engagementId: id, effect: 'allow', pattern: '192.0.2.0/24' })
    const page = await post(owner, '/api/web/wiki-pages', {
      engagementId: id,
      title: 'Entry \\N points',
      body: HOSTILE,
    })
    const task = await post(owner, '/api/web/tasks', {
      engagementId: id,
      title: 'Look at it',
      links: [{ type: 'page', id: page.id }],
    })
    await post(owner, `/api/web/tasks/${task.id}/comments`, { body: HOSTILE })
    await post(key, '/api/v1/api-requests', { engagementId: id, name: 'Saved', url: 'https://example.com/' })
    for (const bytes of ['x', HOSTILE, randomBytes(100_000)])
      assert.equal((await upload(key, filesOf(id), bytes)).status, 201)
  }
}

/**
 * Adds results, with their observations and words, by SQL, because an API is too slow in a test. They are spread over
 * all engagements of the organization that has the first result.
 *
 * @param dataBytes approximate size of each result's data
 */
export const multiplyResults = async (superuser: pg.Client, count: number, dataBytes = 100): Promise<void> => {
  const { rows } = await superuser.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'results'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const made: Record<string, string> = {
    id: `'res_' || lpad(n::text, 26, '0')`,
    engagement_id: 'e.ids[1 + n % cardinality(e.ids)]',
    identity: 'md5(n::text)',
    title: `r.title || ' ' || n`,
    notes: `E'\\v\\r\\n\\\\N\\t\\u202e' || n`,
    data: `jsonb_build_object('banner', (select string_agg(md5(n || '-' || i), '') from generate_series(1, ${Math.ceil(dataBytes / 32)}) i))`,
    target_id: 'null',
    address_target_id: 'null',
  }
  const columns = rows.map(({ name }) => name)
  await superuser.query(
    `insert into results (${columns.join(', ')}) select ${columns.map((name) => made[name] ?? `r.${name}`).join(', ')}
     from (select * from results order by id limit 1) r
     join lateral (select array_agg(id order by id) as ids from engagements where organization_id = r.organization_id) e on true,
     generate_series(1, ${count}) n`,
  )
  await superuser.query(
    `insert into observations (organization_id, engagement_id, result_id, source_kind, source_id, change, seen_at, created_at)
     select organization_id, engagement_id, id, 'import', 'imp_' || lpad('1', 26, '0'), 'created', last_seen_at, created_at
     from results where id like 'res_0000%'`,
  )
}

/**
 * Stops a server once no job would change rows by itself, and cancels mails that wait: a restore marks those as failed.
 */
export const stopSettled = async (server: ServerProcess, superuser: string): Promise<void> => {
  await eventually(async () => {
    assert.deepEqual(
      await queryAt(
        superuser,
        `select name from pgboss.job where state in ('created', 'retry', 'active') and start_after <= now()`,
      ),
      [],
    )
  }, 120_000)
  assert.equal((await server.stop()).code, 0)
  await queryAt(superuser, `update mails set status = 'cancelled' where status = 'queued'`)
}

/** Tables that a restore writes itself. */
const NOT_COMPARED = [
  'database_identity',
  'schema_migrations',
  'last_backup',
  'safe_mode',
  'storage_binding',
  'audit_epoch',
]
const QUEUE = ['queue', 'schedule', 'subscription', 'job', 'job_dependency']

/** Every row of every table as a checksum, and the sequences; read as a superuser, whom no policy restricts. */
export const stateOf = async (superuser: pg.Client): Promise<Record<string, string>> => {
  const { rows } = await superuser.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1)`,
    [NOT_COMPARED],
  )
  await superuser.query("set timezone to 'UTC'; set role none")
  const state: Record<string, string> = {}
  for (const name of [...rows.map((row) => row.name), ...QUEUE.map((table) => `pgboss.${table}`)].toSorted()) {
    const only = name === 'audit_entries' ? "where t.action not like '%.restored'" : ''
    const { rows: sums } = await superuser.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t ${only}`,
    )
    state[name] = sums[0]?.sum as string
  }
  const { rows: sequences } = await superuser.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'`,
  )
  for (const { name, value } of sequences) state[name] = value
  return state
}

/** The catalogue after migrations or a restore: columns, constraints, indexes, triggers and policies. */
export const schemaOf = async (superuser: pg.Client): Promise<string[]> => {
  const { rows } = await superuser.query<{ line: string }>(`
    select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity) as line
      from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid) from pg_index join pg_class c on c.oid = indrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', 'policy', tablename, policyname, permissive, qual, with_check) from pg_policies
    union all select concat_ws(' ', 'security', relname, relrowsecurity, relforcerowsecurity) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by 1`)
  return rows.map(({ line }) => line)
}

/** Hashes of all files below a storage, by their paths. */
export const storedHashes = (storage: string): Record<string, string> =>
  Object.fromEntries(filesBelow(storage).map((name) => [name, sha256(readFileSync(path.join(storage, name)))]))
