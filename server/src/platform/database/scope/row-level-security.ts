import type pg from 'pg'
import type { Logger } from '../../log.ts'
import { EVERY_ROW, EXPIRY, SYSTEM } from './tenant-scope.ts'

/** May only read and write rows: no schema change, no change of the audit log, no bypass of row-level security. */
const ROLE = 'sortie_rows'
/** Schema of the job queues; their library creates it, the server's transactions read and write it. */
const QUEUE_SCHEMA = 'pgboss'
/** Rows of these are added and never changed (ASVS 16.4.2). */
const APPEND_ONLY = ['audit_entries']
/** Rows of these are added, and deleted only with their engagement: a trigger enforces it. */
const NEVER_UPDATED = ['operation_log_entries']
/**
 * Words of texts, without a policy, since one would prevent the use of their index; only functions read them (decision
 * 40).
 */
const WORD_TABLES = [
  { name: 'wiki_page_words', readable: 'page_id' },
  { name: 'object_words', readable: 'object_id' },
]
/** The policies of all other tables read these. */
const ACCESS_TABLES = ['engagement_restrictions', 'engagement_members', 'api_key_engagements']
/**
 * Rows with a time in `trashed_at` are in the trash. Pages and findings stay readable there: their queries exclude
 * them.
 */
const WITHOUT_TRASH_POLICY = ['wiki_pages', 'findings']
const NO_PRIVILEGE = '42501'
/** Evaluated once per statement. */
const ORGANIZATION = `(select current_setting('sortie.organization', true))`
const VIEWER = `(select current_setting('sortie.viewer', true))`
/** Matches a viewer who sees everything that is not hidden. */
const IS_OPEN = `(${VIEWER} in ('all', 'open', '${SYSTEM}', '${EXPIRY}') or ${VIEWER} like 'usr\\_%')`

/**
 * Enables the second barrier between organizations: row-level security on `organizations` and on every table with a
 * column `organization_id`, also for the tables' owner. A statement outside any scope sees no row. Superusers bypass
 * row-level security, so if the server connects as one, its connections assume a role that does not (`assume_role`).
 *
 * In addition, access to engagements is checked: rows of `engagements`, and of every table that has a column
 * `engagement_id`, are seen and written only by users who see the engagement (`hidden_engagements`, migration 0006). The
 * server itself does not see engagements in the trash, unless it asks for `EVERY_ROW`.
 *
 * Deleted objects in the trash are hidden in the same way (`not_in_trash`).
 *
 * Runs at each start, under the migration lock: new tables get row-level security automatically. Tables that already
 * have it are not touched, so that a start waits for no lock.
 */
export const enableRowLevelSecurity = async (client: pg.Client, log: Logger): Promise<void> => {
  await client.query('begin')
  try {
    for (const { name, column } of await tablesWithoutPolicy(client)) {
      const own = `(select current_setting('sortie.organization', true)) in (${column}, '*')`
      // A row of no organization (an e-mail to a person) may be written from within one, and is visible from none.
      await client.query(`alter table ${name} enable row level security, force row level security`)
      await client.query(
        `create policy own_organization on ${name} using (${own}) with check (${own} or ${column} is null)`,
      )
    }
    for (const { name, column, isNullable } of await tablesWithoutViewers(client)) {
      const listed = `${column} in (select k.engagement_id from api_key_engagements k where k.organization_id = ${ORGANIZATION} and k.api_key_id = ${VIEWER})`
      const open = `${column} not in (select hidden_engagements(${ORGANIZATION}, ${VIEWER}))`
      // Rows of no engagement are visible to all except keys that are limited to some engagements.
      const openRows = isNullable ? `(${column} is null or ${open})` : open
      // Also evaluated once per statement: usually nothing is hidden, and rows need no check.
      const hidesNothing = `(select ${VIEWER} = '${EVERY_ROW}' or ${IS_OPEN} and not exists (select from hidden_engagements(${ORGANIZATION}, ${VIEWER})))`
      await client.query(`create policy visible_engagement on ${name} as restrictive using (case
        when ${hidesNothing} then true
        when ${VIEWER} like 'key\\_%' then ${listed}
        when ${IS_OPEN} then ${openRows}
        else false end)`)
    }
    for (const name of await listTablesWithTrash(client)) {
      // Evaluated once per statement. Only transactions that call `showTrash` see rows in the trash.
      const isShown = `(select current_setting('sortie.trash', true)) = 'shown'`
      await client.query(
        `create policy not_in_trash on ${name} as restrictive using (trashed_at is null or ${isShown})`,
      )
    }
    const restricted = await restrictRole(client, log)
    await client.query(`create or replace function assume_role() returns text language sql volatile as $$
      select ${restricted ? `set_config('role', '${ROLE}', false)` : 'current_user::text'} $$`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

const tablesWithoutPolicy = async (client: pg.Client): Promise<{ name: string; column: string }[]> => {
  const { rows } = await client.query(`
    select c.oid::regclass::text as name, case when c.relname = 'organizations' then 'id' else 'organization_id' end as column
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relforcerowsecurity
      and (c.relname = 'organizations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
    order by c.relname`)
  return rows
}

/** Engagements and the tables of their rows, except those that define who sees which engagement. */
const tablesWithoutViewers = async (
  client: pg.Client,
): Promise<{ name: string; column: string; isNullable: boolean }[]> => {
  const { rows } = await client.query(
    `
    select c.oid::regclass::text as name, a.attname as column, not a.attnotnull as "isNullable"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped and a.attname = case when c.relname = 'engagements' then 'id' else 'engagement_id' end
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and c.relname <> all ($1)
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'visible_engagement')
    order by c.relname`,
    [ACCESS_TABLES],
  )
  return rows
}

/** Tables of objects that can be in the trash, and have no policy for it yet. */
const listTablesWithTrash = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `
    select c.oid::regclass::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped and a.attname = 'trashed_at'
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($1)
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'not_in_trash')
    order by c.relname`,
    [WITHOUT_TRASH_POLICY],
  )
  return rows.map(({ name }) => name)
}

/** @returns whether connections assume the role: only for a superuser, to whom row-level security would not apply */
const restrictRole = async (client: pg.Client, log: Logger): Promise<boolean> => {
  const { rows } = await client.query<{ passes: boolean; super: boolean; exists: boolean; schema: string }>(
    `select rolsuper or rolbypassrls as passes, rolsuper as super, to_regrole($1) is not null as exists, quote_ident(current_schema()) as schema
     from pg_roles where rolname = current_user`,
    [ROLE],
  )
  const state = rows[0]
  if (!state?.passes) return false
  await client.query('savepoint role')
  try {
    if (!state.exists) await client.query(`create role ${ROLE} nologin`)
    await client.query(`create schema if not exists ${QUEUE_SCHEMA}`)
    for (const schema of [state.schema, QUEUE_SCHEMA]) {
      await client.query(`grant usage on schema ${schema} to ${ROLE}`)
      await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${ROLE}`)
      await client.query(`grant usage on all sequences in schema ${schema} to ${ROLE}`)
      await client.query(
        `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${ROLE}`,
      )
    }
    for (const { name, readable } of WORD_TABLES) {
      await client.query(`revoke select on ${name} from ${ROLE}`)
      await client.query(`grant select (${readable}) on ${name} to ${ROLE}`)
    }
    for (const table of APPEND_ONLY) await client.query(`revoke update, delete on ${table} from ${ROLE}`)
    for (const table of NEVER_UPDATED) await client.query(`revoke update on ${table} from ${ROLE}`)
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code !== NO_PRIVILEGE) throw error
    await client.query('rollback to savepoint role')
    log.warn(
      { err: error },
      'the database role passes row-level security: connect as an ordinary role that owns the database',
    )
    return false
  }
}
