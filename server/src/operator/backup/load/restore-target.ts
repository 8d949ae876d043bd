import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { RESTORE_MARK, type RestoreMark, readRestoreMark } from '../../../platform/database/connection/restore-mark.ts'
import { releaseMigrationLock, requireSupportedPostgres, tryMigrationLock } from '../../../platform/database/migrate.ts'
import { ConfigurationError } from '../../../platform/errors.ts'
import type { Storage } from '../../../platform/files/storage.ts'
import { checksumOfManifest } from '../manifest.ts'
import { releaseStorage, claimStorage } from '../storage-mark.ts'

/** Any fixed number: keeps two restores from the same database. */
const LOCK_KEY = 7_316_944_202
/** A server that starts holds the migration lock for seconds. */
const LOCK_ATTEMPTS = 100
const LOCK_PAUSE_MS = 100

/**
 * Claims an empty database and an empty storage for a restore, or finds them claimed by an earlier one of the same
 * backup. From here on no server and no command works on the database, until `releaseDatabase`. Keep the connection
 * open until then.
 *
 * @throws ConfigurationError for a database with other content, or one that cannot be restored into
 */
export const claimDatabase = async (client: pg.Client, backup: string, storage: Storage): Promise<RestoreMark> => {
  await requireSupportedPostgres(client)
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOCK_KEY}) as locked`)
  if (!rows[0]?.locked) throw new ConfigurationError(['DATABASE_URL: another restore into this database is under way'])
  await waitForMigrations(client)
  try {
    const mark = (await readRestoreMark(client)) ?? (await begin(client, backup, storage))
    requireSame(mark, backup, storage)
    return mark
  } finally {
    await releaseMigrationLock(client)
  }
}

export const releaseDatabase = (client: pg.Client): Promise<unknown> => client.query(`drop table ${RESTORE_MARK}`)

/** Called within the transaction that does it, if there is one. */
export const noteDone = async (client: pg.Client, what: 'files_done' | 'rows_done'): Promise<void> => {
  await client.query(`update ${RESTORE_MARK} set ${what} = true`)
}

const waitForMigrations = async (client: pg.Client): Promise<void> => {
  for (let attempt = 1; !(await tryMigrationLock(client)); attempt++) {
    if (attempt === LOCK_ATTEMPTS)
      throw new ConfigurationError([
        'DATABASE_URL: a server is starting on this database: stop it, and restore into an empty database',
      ])
    await sleep(LOCK_PAUSE_MS)
  }
}

const begin = async (client: pg.Client, backup: string, storage: Storage): Promise<RestoreMark> => {
  await requireEmpty(client)
  await requireRights(client)
  const mark = {
    token: randomUUID(),
    backup: checksumOfManifest(backup),
    source: backup,
    storage: storage.name,
    files_done: false,
    rows_done: false,
  }
  // First, so that an unusable storage leaves the database unchanged.
  await claimStorage(storage, mark.token)
  try {
    await client.query('begin')
    await client.query(`create table ${RESTORE_MARK} (
      token text not null, backup text not null, source text not null, storage text not null,
      files_done boolean not null, rows_done boolean not null, started_at timestamptz not null default now())`)
    await client.query(
      `insert into ${RESTORE_MARK} (token, backup, source, storage, files_done, rows_done) values ($1, $2, $3, $4, $5, $6)`,
      Object.values(mark),
    )
    await client.query('commit')
  } catch (error) {
    await releaseStorage(storage, mark.token)
    throw error
  }
  return mark
}

const requireSame = (mark: RestoreMark, backup: string, storage: Storage): void => {
  const goOn = `or drop and create the database, and empty ${storage.setting}`
  if (mark.backup !== checksumOfManifest(backup)) {
    throw new ConfigurationError([
      `DATABASE_URL: a restore of another backup, ${mark.source}, was interrupted in this database: restore that one again, ${goOn}`,
    ])
  }
  if (mark.storage !== storage.name) {
    throw new ConfigurationError([
      `${storage.setting}: it was ${mark.storage} when the restore into this database was interrupted: set it to that, ${goOn}`,
    ])
  }
}

const requireEmpty = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ found: string }>(`
    with own as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
      objects as (
        select 'pg_class'::regclass as class, oid, relname as name, relnamespace as schema from pg_class where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        union all select 'pg_proc'::regclass, oid, proname, pronamespace from pg_proc
        union all select 'pg_collation'::regclass, oid, collname, collnamespace from pg_collation)
    select own.nspname || '.' || o.name as found from objects o join own on own.oid = o.schema
    where not exists (select from pg_depend d where d.classid = o.class and d.objid = o.oid and d.deptype = 'e')
    order by 1 limit 1`)
  const found = rows[0]?.found
  if (found === undefined) return
  throw new ConfigurationError([
    `DATABASE_URL: this database is not empty, it holds ${found}; a restore needs an empty database`,
  ])
}

const requireRights = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ role: string; tables: boolean | null; schemas: boolean; encoding: string }>(`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as tables,
      has_database_privilege(current_database(), 'create') as schemas, current_setting('server_encoding') as encoding`)
  const { role, tables, schemas, encoding } = rows[0] as (typeof rows)[number]
  if (!tables || !schemas) {
    throw new ConfigurationError([
      `DATABASE_URL: the role ${role} may not create ${tables ? 'schemas' : 'tables'} in this database: let it own the database`,
    ])
  }
  if (encoding !== 'UTF8')
    throw new ConfigurationError([
      `DATABASE_URL: the encoding of this database is ${encoding}: create it with "encoding 'UTF8'"`,
    ])
}
