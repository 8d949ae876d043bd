import type pg from 'pg'
import { RESTORE_MARK } from '../../platform/database/restore-mark.ts'
import { JOB_SCHEMA } from '../../platform/jobs/jobs.ts'
import type { AppliedMigration, Sequence } from './manifest.ts'

/**
 * Tables of the job queue whose rows would be lost: waiting, running and finished jobs, their queues and schedules. The library
 * recreates its other tables (version, statistics, warnings, its own migrations). In the order of their references.
 */
export const QUEUE_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency'].map((name) => `${JOB_SCHEMA}.${name}`)
/**
 * Made by migrating and by the restore itself. `last_backup` records when this database was last backed up, which a restored one
 * was not.
 */
const LEFT_OUT = ['schema_migrations', 'database_identity', RESTORE_MARK, 'last_backup']

export interface Table {
  /** `results`, `pgboss.job`. */
  name: string
  /** Quoted, with its schema. */
  id: string
  columns: string[]
}

/** The tables that a backup contains, as they are now. Excludes tables of extensions. */
export const listTables = async (client: pg.Client): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select names.name, format('%I.%I', n.nspname, c.relname) as id,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace,
      lateral (select case when n.nspname = current_schema() then c.relname::text else n.nspname || '.' || c.relname end) names (name)
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
      and (n.nspname = current_schema() and names.name <> all ($1) or names.name = any ($2))
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`,
    [LEFT_OUT, QUEUE_TABLES],
  )
  return rows
}

/** Sequences of the schema; the queue has none. */
export const listSequences = async (client: pg.Client): Promise<Sequence[]> => {
  const { rows: names } = await client.query<{ name: string; id: string }>(
    `select c.relname as name, format('%I.%I', n.nspname, c.relname) as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = current_schema() order by 1`,
  )
  const sequences: Sequence[] = []
  for (const { name, id } of names) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(`select last_value::text as value, is_called as "isCalled" from ${id}`)
    sequences.push({ name, ...(rows[0] as { value: string; isCalled: boolean }) })
  }
  return sequences
}

/** @returns an empty list for a database on which no server has run */
export const listAppliedMigrations = async (client: pg.Client): Promise<AppliedMigration[]> => {
  const { rows: known } = await client.query<{ known: boolean }>(`select to_regclass('schema_migrations') is not null as known`)
  if (!known[0]?.known) return []
  return (await client.query<AppliedMigration>('select version, name, checksum from schema_migrations order by version')).rows
}

/** Identifies backups of one database: the installation and the database in it. */
export const readSeries = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ oid: string }>('select oid::text from pg_database where datname = current_database()')
  // Some providers hide the identifier of the installation.
  const installation = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()').catch(() => undefined)
  return `${installation?.rows[0]?.id ?? 'unknown'}/${rows[0]?.oid}`
}
