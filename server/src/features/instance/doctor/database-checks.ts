import { readMigrations } from '../../../platform/database/migrate.ts'
import { type Check, NotChecked, ok, problem, reasonOf, warning } from './check.ts'

const CLOCK_WARNING_MS = 2_000
const CLOCK_PROBLEM_MS = 30_000
const OLDEST_MAJOR = 15
/** Far below the two billion transactions after which Postgres stops. */
const OLD_TRANSACTIONS = 1_000_000_000
/** Connections of one server in addition to its pool: look-ups, jobs, events and the start. */
const BESIDE_POOL = 10
const MANY_DEAD_ROWS = 100_000

const database: Check = {
  name: 'database',
  run: async ({ config, query, connect, database: settings }) => {
    if (!settings)
      return problem(`The embedded database in ${config.DATA_DIR} does not run.`, 'start the server: npm start')
    try {
      await connect()
      const [row] = await query<{ version: string; number: number }>(
        `select split_part(current_setting('server_version'), ' ', 1) as version,
          current_setting('server_version_num')::int as number`,
      )
      const { version = '', number = 0 } = row ?? {}
      if (number < OLDEST_MAJOR * 10_000)
        return problem(`Postgres ${version} is too old.`, `use Postgres ${OLDEST_MAJOR} or newer`)
      return ok(`Postgres ${version} answers.`)
    } catch (error) {
      const fix = config.DATABASE_URL
        ? 'correct DATABASE_URL, or start Postgres'
        : `restart the server; the log of Postgres is ${config.DATA_DIR}/postgres.log`
      return problem(`The database does not answer: ${reasonOf(error)}.`, fix)
    }
  },
}

const schema: Check = {
  name: 'database-schema',
  run: async ({ query }) => {
    const newest = readMigrations().at(-1)?.version ?? 0
    const [found] = await query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
    if (!found?.exists) return warning('The database is empty.', 'start the server: it creates the tables')
    const [row] = await query<{ version: number }>('select max(version)::int as version from schema_migrations')
    const version = row?.version ?? 0
    if (version > newest)
      return problem(
        `The schema has version ${version}, and this build knows versions up to ${newest}.`,
        'start the newer build, or restore a backup from before the upgrade',
      )
    if (version < newest)
      return warning(`The schema has version ${version}; this build has ${newest}.`, 'restart the server: it migrates')
    return ok(`The schema has version ${version}, as this build.`)
  },
}

interface Role {
  name: string
  database: string
  is_superuser: boolean
  may_bypass: boolean
  may_create: boolean
  may_connect_schema: boolean
  foreign_tables: string | null
}

const role: Check = {
  name: 'database-role',
  run: async ({ config, query }) => {
    if (!config.DATABASE_URL) return ok('The embedded database has the role that it needs.')
    const [found] = await query<Role>(
      `select current_user as name, current_database() as database, rolsuper as is_superuser, rolbypassrls as may_bypass,
        has_database_privilege(current_database(), 'CREATE') as may_connect_schema,
        has_schema_privilege('public', 'CREATE') as may_create,
        (select string_agg(relname, ', ') from (
          select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
            and not pg_has_role(relowner, 'USAGE') order by relname limit 3) foreign_owned) as foreign_tables
      from pg_roles where rolname = current_user`,
    )
    if (!found) throw new NotChecked('Postgres does not show the role')
    const { name, database: base } = found
    if (!found.may_create || !found.may_connect_schema)
      return problem(
        `The role ${name} may not create tables in the database ${base}: the next upgrade fails.`,
        `ALTER DATABASE "${base}" OWNER TO "${name}"; or GRANT CREATE ON DATABASE "${base}" TO "${name}"; GRANT CREATE ON SCHEMA public TO "${name}"`,
      )
    if (found.foreign_tables)
      return problem(
        `The role ${name} does not own tables of the database (${found.foreign_tables} and possibly more): row-level security and upgrades fail.`,
        `as their owner: REASSIGN OWNED BY <owner> TO "${name}"`,
      )
    if (found.is_superuser || found.may_bypass)
      return warning(
        `The role ${name} is a superuser or bypasses row-level security: more rights than the server needs.`,
        `CREATE ROLE sortie LOGIN; ALTER DATABASE "${base}" OWNER TO sortie; and sign in with it in DATABASE_URL`,
      )
    return ok(`The role ${name} owns what it needs, and row-level security restricts it.`)
  },
}

/** Sessions of other roles show no `backend_type`: clients are those with a database and a role, without helpers. */
const connections: Check = {
  name: 'database-connections',
  run: async ({ query, config: { DATABASE_POOL_SIZE } }) => {
    const needed = DATABASE_POOL_SIZE + BESIDE_POOL
    const [found] = await query<{ max: number; reserved: number; used: number }>(
      `select current_setting('max_connections')::int as max,
        current_setting('superuser_reserved_connections')::int as reserved,
        (select count(*)::int from pg_stat_activity
          where datid is not null and usesysid is not null and leader_pid is null) as used`,
    )
    const { max = 0, reserved = 0, used = 0 } = found ?? {}
    const fix = `ALTER SYSTEM SET max_connections = ${Math.max(100, needed * 2)}; and restart Postgres`
    if (max - reserved < needed)
      return problem(`Postgres allows ${max} connections, and one server uses up to ${needed}.`, fix)
    if (used > (max - reserved) * 0.8)
      return warning(
        `${used} of ${max} connections of Postgres are in use.`,
        'raise max_connections, or end idle programs',
      )
    return ok(`${used} of ${max} connections are in use; one server uses up to ${needed}.`)
  },
}

const encoding: Check = {
  name: 'database-encoding',
  run: async ({ query }) => {
    const [found] = await query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
    if (found?.encoding === 'UTF8') return ok('The database is encoded in UTF8.')
    return problem(
      `The database is encoded in ${found?.encoding}: names and texts in other alphabets cannot be stored.`,
      'make a database with createdb --encoding=UTF8 --template=template0, and restore a backup into it',
    )
  },
}

const settings: Check = {
  name: 'database-settings',
  run: async ({ query, config: { DATABASE_URL } }) => {
    const rows = await query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in
        ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'shared_buffers', 'default_transaction_read_only', 'log_timezone')`,
    )
    const valueOf = (name: string) => rows.find((row) => row.name === name)?.setting
    for (const name of ['fsync', 'full_page_writes', 'autovacuum'])
      if (valueOf(name) === 'off')
        return problem(
          name === 'autovacuum'
            ? 'autovacuum is off: tables grow, and Postgres stops in the end.'
            : `${name} is off: a power cut destroys the database.`,
          `ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf()`,
        )
    if (valueOf('synchronous_commit') === 'off')
      return warning(
        'synchronous_commit is off: a power cut loses the last changes.',
        'ALTER SYSTEM SET synchronous_commit = on; SELECT pg_reload_conf()',
      )
    const megabytes = (Number(valueOf('shared_buffers')) * 8) / 1024
    if (megabytes < 64)
      return warning(
        `shared_buffers is ${megabytes} MB: lists read from the disk.`,
        DATABASE_URL
          ? "ALTER SYSTEM SET shared_buffers = '256MB'; and restart Postgres"
          : 'raise DATABASE_MEMORY_MB, and restart every process on this DATA_DIR',
      )
    return ok('Durability, vacuum and shared memory are set as they should be.')
  },
}

const clock: Check = {
  name: 'database-clock',
  run: async ({ query }) => {
    const before = Date.now()
    const [found] = await query<{ at: number }>(`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`)
    const at = found?.at ?? 0
    // It read its clock at some time between question and answer.
    const differenceMs = Math.max(before - at, at - Date.now(), 0)
    const difference = `The clock of the database differs from this one by ${Math.round(differenceMs / 1000)} seconds.`
    const fix = 'synchronize the clocks of both machines: timedatectl set-ntp true'
    if (differenceMs > CLOCK_PROBLEM_MS) return problem(difference, fix)
    if (differenceMs > CLOCK_WARNING_MS) return warning(difference, fix)
    return ok('The clock of the database agrees with this one.')
  },
}

const vacuum: Check = {
  name: 'database-vacuum',
  run: async ({ query }) => {
    const [age] = await query<{ age: number }>(
      'select age(datfrozenxid)::int as age from pg_database where datname = current_database()',
    )
    if ((age?.age ?? 0) > OLD_TRANSACTIONS)
      return problem(
        `The oldest transaction is ${age?.age} transactions old: vacuum does not keep up.`,
        'VACUUM FREEZE',
      )
    const [worst] = await query<{ name: string; dead: number }>(
      `select relname as name, n_dead_tup::float8 as dead from pg_stat_user_tables
        where n_dead_tup > ${MANY_DEAD_ROWS} and n_dead_tup > n_live_tup
          and coalesce(greatest(last_autovacuum, last_vacuum), '-infinity') < now() - interval '1 day'
        order by n_dead_tup desc limit 1`,
    )
    if (worst)
      return warning(
        `The table ${worst.name} has ${worst.dead} dead rows, and no vacuum since a day.`,
        `VACUUM ANALYZE ${worst.name}`,
      )
    return ok('Vacuum keeps up.')
  },
}

export const DATABASE_CHECKS: readonly Check[] = [
  database,
  schema,
  role,
  connections,
  encoding,
  settings,
  clock,
  vacuum,
]
