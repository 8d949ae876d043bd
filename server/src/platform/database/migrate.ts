import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ConfigurationError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { isUnavailable } from './connection/failures.ts'
import { type ConnectionSettings, connectionOptions } from './connection/open.ts'
import { requireNoRestore } from './connection/restore-mark.ts'
import { type AppliedMigration, requireOwnHistory } from './history.ts'
import { question } from './question.ts'
import { enableRowLevelSecurity } from './scope/row-level-security.ts'

export interface Migration extends AppliedMigration {
  sql: string
}

/** Any fixed number: only processes of this program wait for each other on it. */
const LOCK_KEY = 7_316_944_201
const MIN_POSTGRES = 150_000
const END_TIMEOUT_MS = 1_000
const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** The files of the migrations directory, `0001_name.sql` first. */
export const readMigrations = (directory = MIGRATIONS_DIRECTORY): Migration[] =>
  readdirSync(directory)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(`${directory}/${file}`, 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file.slice(5, -4),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    })

/**
 * Migrates the schema to this build, under one advisory lock that other processes wait on, then runs `andThen` under
 * the same lock. Each migration is one transaction: killed at any point, the next start continues there.
 *
 * @param by a `command` migrates only an empty database, since servers of another version may run on this one; a
 *   `restore` opens one that is not complete, everyone else is refused until it is
 * @throws ConfigurationError when the schema is that of a newer build, of another one or of a development version
 *   before 0.2.0, when Postgres is too old, when it refuses a statement of a migration, when a command would migrate,
 *   and when a restore into this database was begun and not completed
 */
export const migrate = (
  settings: ConnectionSettings,
  log: Logger,
  andThen: () => Promise<void> = async () => undefined,
  migrations = readMigrations(),
  by: 'server' | 'command' | 'restore' = 'server',
): Promise<void> =>
  underMigrationLock(settings, log, by === 'restore', async (client) => {
    await applyPending(client, settings, log, migrations, by === 'command')
    await enableRowLevelSecurity(client, log)
    await andThen()
  })

/**
 * Applies only these migrations, and leaves row-level security off: for a restore, which copies rows in next.
 *
 * @throws ConfigurationError as `migrate` does
 */
export const applyMigrations = (settings: ConnectionSettings, log: Logger, migrations: Migration[]): Promise<void> =>
  underMigrationLock(settings, log, true, (client) => applyPending(client, settings, log, migrations))

const underMigrationLock = async (
  settings: ConnectionSettings,
  log: Logger,
  restoring: boolean,
  work: (client: pg.Client) => Promise<void>,
) => {
  const client = new pg.Client(connectionOptions(settings, 'sortie-migrate', 0))
  let lost: Error | undefined
  client.on('error', (error) => {
    lost = error
  })
  await client.connect()
  try {
    await requireSupportedPostgres(client)
    await lockMigrations(client, log, restoring)
    await work(client)
    if (lost) throw lost
  } finally {
    // A connection that swallows all bytes never reports its end.
    await Promise.race([client.end().catch(() => undefined), sleep(END_TIMEOUT_MS, undefined, { ref: false })])
  }
}

/** @throws ConfigurationError */
export const requireSupportedPostgres = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query(question('show server_version_num'))
  if (Number(rows[0].server_version_num) < MIN_POSTGRES) {
    throw new ConfigurationError(['DATABASE_URL: this Postgres is older than version 15'])
  }
}

/**
 * Acquires the lock, which ends with the connection. Polls instead of waiting: a waiting statement would block `create
 * index concurrently` and vacuum.
 *
 * @throws ConfigurationError while a restore is incomplete, unless this is the restore
 */
const lockMigrations = async (client: pg.Client, log: Logger, restoring: boolean): Promise<void> => {
  for (let waited = false; ; waited = true) {
    if (!restoring) await requireNoRestore(client)
    if (await tryMigrationLock(client)) break
    if (!waited) log.info('another process migrates the database: waiting')
    await sleep(100)
  }
  // A restore writes its mark under the same lock.
  if (!restoring) await requireNoRestore(client)
}

/** @returns whether this connection has the migration lock now */
export const tryMigrationLock = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(question(`select pg_try_advisory_lock(${LOCK_KEY}) as locked`))
  return rows[0].locked
}

export const releaseMigrationLock = async (client: pg.Client): Promise<void> => {
  await client.query(question(`select pg_advisory_unlock(${LOCK_KEY})`))
}

const applyPending = async (
  client: pg.Client,
  settings: ConnectionSettings,
  log: Logger,
  migrations: Migration[],
  onlyIfEmpty = false,
) => {
  await client.query(`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now())`)
  const { rows: applied } = await client.query<AppliedMigration>(
    question('select version, name, checksum from schema_migrations order by version'),
  )
  requireOwnHistory(settings, applied, migrations)
  const [schema, newest] = [applied.at(-1)?.version ?? 0, migrations.at(-1)?.version ?? 0]
  if (onlyIfEmpty && schema > 0 && schema < newest) {
    throw new ConfigurationError([
      `the database has schema version ${schema}, this version of Sortie needs ${newest}: stop the servers of the former version and start this one, which migrates it; or run the command of the former version`,
    ])
  }
  for (const migration of migrations) {
    if (!applied.some(({ version }) => version === migration.version)) await apply(client, log, migration)
  }
}

const apply = async (client: pg.Client, log: Logger, migration: Migration) => {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      // Row-level security also applies to the owner of the tables: without a scope, a migration would see no rows.
      await client.query(
        "set local lock_timeout = '3s'; set local sortie.organization to '*'; set local sortie.viewer to '**'; set local sortie.trash to 'shown'",
      )
      await client.query(migration.sql)
      await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
        migration.version,
        migration.name,
        migration.checksum,
      ])
      await client.query('commit')
      log.info({ version: migration.version, name: migration.name }, 'migrated')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      const lockTimeout = error instanceof pg.DatabaseError && error.code === '55P03'
      if (!lockTimeout || attempt >= 10) throw explained(error, migration)
      log.warn({ version: migration.version, attempt }, 'a table is in use: the migration is tried again')
      await sleep(500 * attempt)
    }
  }
}

/**
 * Postgres refuses a statement of a migration on each start: the operator has to go back. Its `detail` may have values of
 * rows and is left out.
 *
 * @returns a ConfigurationError; other errors, and a missing right (42501), unchanged
 */
const explained = (error: unknown, { version, name }: Migration): unknown => {
  if (!(error instanceof pg.DatabaseError) || isUnavailable(error) || error.code === '42501') return error
  return new ConfigurationError([
    `migration ${version} (${name}) failed, and nothing of it is stored: ${error.message} (SQLSTATE ${error.code}). The database has schema version ${version - 1}: start a version of Sortie with that schema, or restore the backup of before the upgrade, and report this line`,
  ])
}
