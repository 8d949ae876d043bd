import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/open.ts'

/** What the server's role may read: tables that a function of the database alone reads (words of pages) hold nothing of their own. */
const READABLE = sql`has_table_privilege(format('%I.%I', table_schema, table_name), 'select')`

/** Names of the tables of the server, without those of the job queue. */
export const tableNames = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and ${READABLE} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

const tablesWithOrganization = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id' and ${READABLE} order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Rows without the notes of last use, which any request may move. */
const checksumOf = async (db: Database, table: string, condition = sql<boolean>`true`): Promise<string> => {
  const { rows } = await sql<{ sum: string }>`
    select count(*) || ' ' || coalesce(md5(string_agg(r.row, E'\n' order by r.row)), '') as sum from (select (to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text as row from ${sql.table(table)} t where ${condition}) r`.execute(
    db,
  )
  return rows[0]?.sum ?? ''
}

/** Checksums of everything that belongs to one organization, by table; its people and their sessions included. */
export const checksumsOfOrganization = async (db: Database, organizationId: string): Promise<Record<string, string>> => {
  const sums: Record<string, string> = { organizations: await checksumOf(db, 'organizations', sql`id = ${organizationId}`) }
  for (const table of await tablesWithOrganization(db)) sums[table] = await checksumOf(db, table, sql`organization_id = ${organizationId}`)
  const people = sql`(select user_id from memberships where organization_id = ${organizationId})`
  sums.users = await checksumOf(db, 'users', sql`id in ${people}`)
  sums.sessions = await checksumOf(db, 'sessions', sql`user_id in ${people}`)
  return sums
}

/** Checksums of all tables, and of the jobs that are there to be done. Counters of attempts and sessions are left out. */
export const checksums = async (db: Database, except: readonly string[] = ['attempts', 'sessions']): Promise<Record<string, string>> => {
  const sums: Record<string, string> = {}
  for (const table of await tableNames(db)) if (!except.includes(table)) sums[table] = await checksumOf(db, table)
  const { rows } = await sql<{ sum: string }>`select count(*) || '' as sum from pgboss.job where name = 'deliver-mail'`.execute(db)
  sums.jobs = rows[0]?.sum ?? ''
  return sums
}

/** Every row of every table as text, those of the job queue included: what a stolen dump would show. */
export const dump = async (db: Database): Promise<string> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE' and ${READABLE}`.execute(db)
  const parts: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text || ' ' || to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db)
    parts.push(...rows.map(({ row }) => `${schema}.${name} ${row}`))
  }
  return parts.join('\n')
}
