import type pg from 'pg'
import { RESTORE_MARK } from '../../../platform/database/connection/restore-mark.ts'
import { JOB_SCHEMA } from '../../../platform/jobs/jobs.ts'
import type { AppliedMigration, Sequence } from '../manifest.ts'

/**
 * Tables of the job queue that a backup holds: jobs, waiting and finished ones, with their queues and schedules.
 * pg-boss makes the others again (version, statistics, warnings, background migrations). Referenced tables come first.
 */
export const QUEUE_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency'].map(
  (name) => `${JOB_SCHEMA}.${name}`,
)
/** Written by migrations and by the restore itself. `last_backup` and `workers` are about this database, and no restored one. */
const LEFT_OUT = ['schema_migrations', 'database_identity', RESTORE_MARK, 'last_backup', 'workers']

export interface Table {
  /** `results`, `pgboss.job`. */
  name: string
  /** Quoted, with its schema. */
  id: string
  columns: string[]
  isPartitioned: boolean
}

/** The tables that a backup holds. Tables of extensions are left out. */
export const listTables = async (client: pg.Client): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select names.name, format('%I.%I', n.nspname, c.relname) as id, c.relkind = 'p' as "isPartitioned",
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

/** Sequences of the schema; the job queue has none. */
export const listSequences = async (client: pg.Client): Promise<Sequence[]> => {
  const { rows: names } = await client.query<{ name: string; id: string }>(
    `select c.relname as name, format('%I.%I', n.nspname, c.relname) as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = current_schema() order by 1`,
  )
  const sequences: Sequence[] = []
  for (const { name, id } of names) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${id}`,
    )
    sequences.push({ name, ...(rows[0] as { value: string; isCalled: boolean }) })
  }
  return sequences
}

/** @returns an empty list for a database on which no server has run */
export const listAppliedMigrations = async (client: pg.Client): Promise<AppliedMigration[]> => {
  const { rows: known } = await client.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  if (!known[0]?.known) return []
  return (
    await client.query<AppliedMigration>('select version, name, checksum from schema_migrations order by version')
  ).rows
}

/** Identifies the database that a backup is of: the Postgres installation, and the database in it. */
export const readSeries = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ oid: string }>(
    'select oid::text from pg_database where datname = current_database()',
  )
  // Some providers do not allow this function.
  const installation = await client
    .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    .catch(() => undefined)
  return `${installation?.rows[0]?.id ?? 'unknown'}/${rows[0]?.oid}`
}
