import pg from 'pg'
import { startEmbedded } from '../../../src/platform/database/connection/embedded.ts'
import { createLogger } from '../../../src/platform/log.ts'

/** Runs `work` as the superuser of the database in a directory that no server uses. */
export const onDatabase = async <T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const embedded = await startEmbedded(dataDir, createLogger('error'))
  const client = new pg.Client(embedded.settings)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await embedded.stop()
  }
}

/** Row count and checksum of each table, except those that the restore itself writes. */
export const tableChecksums = async (client: pg.Client): Promise<Record<string, string>> => {
  const { rows } = await client.query<{ name: string }>(
    "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('safe_mode', 'storage_binding', 'workers') order by 1",
  )
  const checksums: Record<string, string> = {}
  for (const { name } of rows) {
    const only = name === 'audit_entries' ? "where t.action not like '%.restored'" : ''
    const { rows: sums } = await client.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${client.escapeIdentifier(name)} t ${only}`,
    )
    checksums[name] = sums[0]?.sum as string
  }
  return checksums
}

/** Inconsistencies, as sentences: dangling references, wrong counters, broken indexes and tables. */
export const contradictions = async (client: pg.Client): Promise<string[]> => {
  const found: string[] = []
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  await client.query('begin')
  for (const { table, name, definition } of references) {
    await client.query('savepoint one')
    const id = client.escapeIdentifier(name)
    await client
      .query(`alter table ${table} drop constraint ${id}; alter table ${table} add constraint ${id} ${definition}`)
      .catch((error: Error) => {
        found.push(error.message)
      })
    await client.query('rollback to one')
  }
  await client.query('rollback')
  const { rows: counters } = await client.query<{ id: string }>(`
    select o.id from organizations o
    left join (select organization_id, count(*) filter (where role = 'owner') as owners, count(*) filter (where role = 'admin') as admins,
      count(*) filter (where role = 'member') as plain from memberships group by 1) m on m.organization_id = o.id
    left join (select organization_id, sum(owner_count) as owners, sum(admin_count) as admins, sum(plain_member_count) as plain
      from member_count_ranges group by 1) c on c.organization_id = o.id
    where (o.owner_count, o.admin_count, o.plain_member_count) is distinct from (coalesce(m.owners, 0), coalesce(m.admins, 0), coalesce(m.plain, 0))
      or (o.owner_count, o.admin_count, o.plain_member_count) is distinct from (coalesce(c.owners, 0), coalesce(c.admins, 0), coalesce(c.plain, 0))`)
  found.push(...counters.map(({ id }) => `the counters of ${id} are wrong`))
  const { rows: halves } = await client.query<{ id: string }>(`
    select e.id from engagements e where not exists (select from audit_entries a where a.object_id = e.id)
    union all select i.id from invitations i where not exists (select from mails m where m.subject_id = i.id)`)
  found.push(...halves.map(({ id }) => `${id} is not whole`))
  await client.query('create extension if not exists amcheck')
  await client
    .query(
      `select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'`,
    )
    .catch((error: Error) => found.push(error.message))
  const { rows: heaps } = await client.query<{ msg: string }>(
    `select v.msg from pg_class c cross join lateral verify_heapam(c.oid) v where c.relkind = 'r' and c.relpersistence = 'p' and c.relam = (select oid from pg_am where amname = 'heap')`,
  )
  found.push(...heaps.map(({ msg }) => msg))
  await client.query('drop extension amcheck')
  return found
}

/** The number of rows of each organization table that the server's role sees outside of any scope. */
export const seenWithoutScope = async (client: pg.Client): Promise<{ walled: number; seen: number }> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relforcerowsecurity and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  let seen = 0
  await client.query('set role sortie_rows')
  for (const { name } of rows) seen += (await client.query(`select 1 from ${name}`)).rows.length
  await client.query('reset role')
  return { walled: rows.length, seen }
}
