import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../src/platform/database/connection/open.ts'

/**
 * Tables of the server, without those of the job queue, and those that only a function of the database reads: words of
 * pages have no data of their own.
 */
const READABLE = sql<boolean>`relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege(pg_class.oid, 'select')`

export const tableNames = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{
    name: string
  }>`select relname as name from pg_class where ${READABLE} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

const tablesWithOrganization = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id'
    where ${READABLE} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

interface Part {
  table: string
  condition?: RawBuilder<boolean>
}

/** Few enough that a statement over them ends within its timeout on a slow machine. */
const TABLES_AT_ONCE = 16

/** Excludes times of last use, which any request may update; by table. */
const checksumsOf = async (db: Database, parts: readonly Part[]): Promise<Record<string, string>> => {
  const sums: Record<string, string> = {}
  for (let start = 0; start < parts.length; start += TABLES_AT_ONCE) {
    const each = parts.slice(start, start + TABLES_AT_ONCE).map(
      ({ table, condition = sql<boolean>`true` }) => sql`
      select ${table}::text as name, count(*) || ' ' || coalesce(md5(string_agg(r.row, E'\n' order by r.row)), '') as sum
      from (select (to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text as row from ${sql.table(table)} t where ${condition}) r`,
    )
    const { rows } = await sql<{ name: string; sum: string }>`${sql.join(each, sql` union all `)}`.execute(db)
    for (const { name, sum } of rows) sums[name] = sum
  }
  return sums
}

/** Checksums of everything that belongs to one organization, by table; its people and their sessions included. */
export const checksumsOfOrganization = async (
  db: Database,
  organizationId: string,
): Promise<Record<string, string>> => {
  const people = sql`(select user_id from memberships where organization_id = ${organizationId})`
  const owned = (await tablesWithOrganization(db)).map((table): Part => ({
    table,
    condition: sql`organization_id = ${organizationId}`,
  }))
  return checksumsOf(db, [
    { table: 'organizations', condition: sql`id = ${organizationId}` },
    ...owned,
    { table: 'users', condition: sql`id in ${people}` },
    { table: 'sessions', condition: sql`user_id in ${people}` },
  ])
}

/** Checksums of all tables, and of the waiting jobs. Counters of attempts and sessions are left out. */
export const checksums = async (
  db: Database,
  except: readonly string[] = ['throttle_buckets', 'sessions'],
): Promise<Record<string, string>> => {
  const tables = (await tableNames(db)).filter((table) => !except.includes(table))
  const { rows } = await sql<{
    sum: string
  }>`select count(*) || '' as sum from pgboss.job where name = 'deliver-mail'`.execute(db)
  return {
    ...(await checksumsOf(
      db,
      tables.map((table) => ({ table })),
    )),
    jobs: rows[0]?.sum ?? '',
  }
}

/** Every row of every table as text, those of the job queue included: the content of a stolen dump. */
export const dump = async (db: Database): Promise<string> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'
      and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')`.execute(db)
  const parts: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select t::text || ' ' || to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db)
    parts.push(...rows.map(({ row }) => `${schema}.${name} ${row}`))
  }
  return parts.join('\n')
}
